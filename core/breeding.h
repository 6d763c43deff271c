// Languages bred instead of learnt: the genetic algorithm of Prorok 2003, 10.3. An individual is a pair: what its Talker
// says of each number and what its Thinker answers to each word, one gene each.
#pragma once

#include <cstdint>
#include <vector>

#include "random.h"
#include "talking.h"

namespace borel {

struct Breeding {
  int population = 1000;
  int talks = 2000;  // of each individual in a generation: fitness is how many succeed
  int generations = 1000;
  float mutation = 0.001F;  // a gene
};

class Population {
 public:
  Population(const TalkGame& game, const Breeding& how, std::uint64_t seed, std::uint64_t stream);

  // Generations until a language is perfect, or as many as allowed: the best worth so far after each.
  std::vector<double> breed();

  // The best individual there has been: a word for each number, then an answer for each Thinker's number and word.
  const std::vector<std::uint8_t>& champion() const { return champion_; }

 private:
  std::uint8_t* individual(std::size_t which) { return genes_.data() + which * alleles_.size(); }
  std::uint8_t any(std::size_t gene);
  double worth(const std::uint8_t* genes) const;
  void next_generation(const std::vector<double>& worths);

  const TalkGame& game_;
  Breeding how_;
  Random random_;
  std::vector<std::vector<std::uint8_t>> alleles_;  // by gene: words, or the answers allowed to a word
  std::vector<std::uint8_t> genes_, champion_;
};

}  // namespace borel
