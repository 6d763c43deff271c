#include "talking.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace borel {
namespace {

constexpr int MOST = 64;  // actions of a player

float uniform(Random& random) { return static_cast<float>(random.next() >> 40) * 0x1p-24F; }

}  // namespace

TalkPair::TalkPair(const TalkGame& game, const TalkLearning& how, std::uint64_t seed, std::uint64_t stream)
    : game_(game), how_(how), random_(seed, stream) {
  talker_.resize(static_cast<std::size_t>(game.first) * game.words * (how.joint ? game.answers : 1));
  thinker_.resize(static_cast<std::size_t>(game.second) * game.words * game.answers);
  for (float& value : talker_) value = how.low + (how.high - how.low) * uniform(random_);
  for (float& value : thinker_) value = how.low + (how.high - how.low) * uniform(random_);
  heard_.assign(game.allowed.begin(), game.allowed.end());
}

void TalkPair::word_values(int number, float* out) const {
  const float* row = talker_.data() + static_cast<std::size_t>(number) * game_.words * (how_.joint ? game_.answers : 1);
  for (int word = 0; word < game_.words; ++word) {
    if (!how_.joint) {
      out[word] = row[word];
      continue;
    }
    float best = 0, sum = 0, weight = 0;  // Comb = rho max Q + (1 - rho) EV over the answers that are allowed
    for (int answer = 0; answer < game_.answers; ++answer) {
      if (!game_.allowed[heard_at(word, answer)]) continue;
      const float value = row[word * game_.answers + answer], times = heard_[heard_at(word, answer)];
      best = std::max(best, value);
      sum += value * times;
      weight += times;
    }
    out[word] = how_.rho * best + (1 - how_.rho) * sum / weight;
  }
}

// Mostly the best action that is allowed: but for a share at random, or by Boltzmann's chances.
int TalkPair::chosen(const float* values, const std::uint8_t* allowed, int count, float warmth) {
  std::array<int, MOST> open;
  int choices = 0, best = -1;
  for (int i = 0; i < count; ++i) {
    if (allowed != nullptr && !allowed[i]) continue;
    open[choices++] = i;
    if (best < 0 || values[i] > values[best]) best = i;
  }
  if (how_.warm <= 0)
    return uniform(random_) < how_.explore ? open[random_.below(static_cast<std::uint32_t>(choices))] : best;
  std::array<float, MOST> weights;
  float sum = 0;
  for (int i = 0; i < choices; ++i) sum += weights[i] = std::exp((values[open[i]] - values[best]) / warmth);
  float left = sum * uniform(random_);
  for (int i = 0; i < choices; ++i) {
    left -= weights[i];
    if (left < 0) return open[i];
  }
  return best;
}

void TalkPair::learn(float& value, float paid) const {
  const float surprise = paid - value;
  value += how_.rate * (surprise < 0 ? how_.fall : 1.0F) * surprise;
}

void TalkPair::talk(std::uint64_t count, double from, double to) {
  std::array<float, MOST> values;
  for (std::uint64_t i = 0; i < count; ++i) {
    const double share = from + (to - from) * static_cast<double>(i) / static_cast<double>(count);
    const float warmth = how_.warm <= 0 ? 0 : how_.warm * static_cast<float>(std::pow(how_.cold / how_.warm, share));
    const int one = static_cast<int>(random_.below(static_cast<std::uint32_t>(game_.first)));
    const int other = static_cast<int>(random_.below(static_cast<std::uint32_t>(game_.second)));
    word_values(one, values.data());
    const int word = chosen(values.data(), nullptr, game_.words, warmth);
    float* thoughts = thinker_.data() + (static_cast<std::size_t>(other) * game_.words + word) * game_.answers;
    const int answer = chosen(thoughts, game_.allowed.data() + heard_at(word, 0), game_.answers, warmth);
    const float paid = game_.pays(one, word, other, answer);
    const std::size_t said = static_cast<std::size_t>(one) * game_.words + word;
    learn(talker_[how_.joint ? said * game_.answers + answer : said], paid);
    learn(thoughts[answer], paid);
    if (how_.joint) heard_[heard_at(word, answer)] += 1;
  }
}

void TalkPair::language(std::span<std::uint8_t> says, std::span<std::uint8_t> answers) const {
  std::array<float, MOST> values;
  for (int number = 0; number < game_.first; ++number) {
    word_values(number, values.data());
    says[number] = static_cast<std::uint8_t>(std::max_element(values.begin(), values.begin() + game_.words) - values.begin());
  }
  for (int row = 0; row < game_.second * game_.words; ++row) {
    const int word = row % game_.words;
    int best = -1;
    for (int answer = 0; answer < game_.answers; ++answer) {
      if (!game_.allowed[heard_at(word, answer)]) continue;
      const float* thoughts = thinker_.data() + static_cast<std::size_t>(row) * game_.answers;
      if (best < 0 || thoughts[answer] > thoughts[best]) best = answer;
    }
    answers[row] = static_cast<std::uint8_t>(best);
  }
}

}  // namespace borel
