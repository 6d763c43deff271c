#include "breeding.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace borel {
namespace {

// Random numbers as the standard library's distributions ask for them.
struct Bits {
  using result_type = std::uint64_t;
  Random& random;
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type{0}; }
  result_type operator()() { return random.next(); }
};

double uniform(Random& random) { return static_cast<double>(random.next() >> 11) * 0x1p-53; }

}  // namespace

Population::Population(const TalkGame& game, const Breeding& how, std::uint64_t seed, std::uint64_t stream)
    : game_(game), how_(how), random_(seed, stream) {
  std::vector<std::uint8_t> words(game.words);
  for (int word = 0; word < game.words; ++word) words[word] = static_cast<std::uint8_t>(word);
  alleles_.assign(game.first, words);
  for (int other = 0; other < game.second; ++other) {
    for (int word = 0; word < game.words; ++word) {
      auto& answers = alleles_.emplace_back();
      for (int answer = 0; answer < game.answers; ++answer)
        if (game.allowed[static_cast<std::size_t>(word) * game.answers + answer])
          answers.push_back(static_cast<std::uint8_t>(answer));
    }
  }
  genes_.resize(how.population * alleles_.size());
  for (int i = 0; i < how.population; ++i)
    for (std::size_t gene = 0; gene < alleles_.size(); ++gene) individual(i)[gene] = any(gene);
}

std::uint8_t Population::any(std::size_t gene) {
  return alleles_[gene][random_.below(static_cast<std::uint32_t>(alleles_[gene].size()))];
}

// The exact chance that a talk succeeds.
double Population::worth(const std::uint8_t* genes) const {
  double paid = 0;
  for (int one = 0; one < game_.first; ++one) {
    const int word = genes[one];
    for (int other = 0; other < game_.second; ++other)
      paid += game_.pays(one, word, other, genes[game_.first + other * game_.words + word]);
  }
  return paid / (game_.first * game_.second);
}

// Children of parents chosen by roulette, crossed at one point and mutated.
void Population::next_generation(const std::vector<double>& worths) {
  Bits bits{random_};
  std::vector<double> sums(worths.size());
  double sum = 0;
  for (std::size_t i = 0; i < worths.size(); ++i) {
    std::binomial_distribution<int> successes(how_.talks, std::clamp(worths[i], 0.0, 1.0));
    sums[i] = sum += 1 + successes(bits);
  }
  const auto parent = [&] {
    const auto found = std::upper_bound(sums.begin(), sums.end(), uniform(random_) * sum);
    return individual(std::min<std::size_t>(found - sums.begin(), sums.size() - 1));
  };
  const std::size_t length = alleles_.size();
  std::vector<std::uint8_t> children(genes_.size());
  for (std::size_t i = 0; i < worths.size(); ++i) {
    const std::uint8_t* mother = parent();
    const std::uint8_t* father = parent();
    const std::size_t cut = random_.below(static_cast<std::uint32_t>(length + 1));
    std::copy_n(mother, cut, children.begin() + i * length);
    std::copy(father + cut, father + length, children.begin() + i * length + cut);
  }
  genes_.swap(children);
  // How far it is to the next gene that mutates: geometric, so that the others cost nothing.
  const auto step = [&] {
    return how_.mutation <= 0 ? static_cast<double>(genes_.size())
                              : std::floor(std::log1p(-uniform(random_)) / std::log1p(-static_cast<double>(how_.mutation)));
  };
  for (double place = step(); place < static_cast<double>(genes_.size()); place += 1 + step())
    genes_[static_cast<std::size_t>(place)] = any(static_cast<std::size_t>(place) % length);
}

std::vector<double> Population::breed() {
  std::vector<double> best, worths(how_.population);
  for (int generation = 0; generation < how_.generations; ++generation) {
    for (int i = 0; i < how_.population; ++i) worths[i] = worth(individual(i));
    const auto fittest = std::max_element(worths.begin(), worths.end());
    if (best.empty() || *fittest > best.back()) {
      const std::uint8_t* genes = individual(fittest - worths.begin());
      champion_.assign(genes, genes + alleles_.size());
    }
    best.push_back(best.empty() ? *fittest : std::max(*fittest, best.back()));
    if (best.back() > 1 - 1e-9) break;
    next_generation(worths);
  }
  return best;
}

}  // namespace borel
