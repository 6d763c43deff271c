// Two partners who find a language (Prorok 2003, chapter 10): a Talker sees a number and says a word, a Thinker sees
// another number, hears the word and answers; both are paid for the answer. Many pairs learn, each by its own chances.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "random.h"

namespace borel {

struct TalkGame {
  int first, words, second, answers;  // how many numbers of the Talker, words, numbers of the Thinker, answers
  std::vector<float> paid;            // [first, words, second, answers]
  std::vector<std::uint8_t> allowed;  // [words, answers]
  float pays(int one, int word, int other, int answer) const {
    return paid[((static_cast<std::size_t>(one) * words + word) * second + other) * answers + answer];
  }
};

struct TalkLearning {
  float rate = 0.001F;
  float explore = 0.02F;
  float fall = 1.0F;  // the rate of disappointments as a share
  bool joint = false;
  float rho = 0.5F;  // of joint-action learners (Eq. 6): hope against habit
  float low = 0.0F, high = 0.01F;  // first values are random between these, so that nobody begins with a tie
  float warm = 0.0F, cold = 0.0F;  // temperatures of annealed learners; warm 0: a share at random instead
};

// One pair: what each thinks of its actions.
class TalkPair {
 public:
  TalkPair(const TalkGame& game, const TalkLearning& how, std::uint64_t seed, std::uint64_t stream);

  // So many talks, when these shares of the learning time are over at the beginning and at the end.
  void talk(std::uint64_t count, double from, double to);

  // The greedy language: a word for each number, and an answer for each Thinker's number and word.
  void language(std::span<std::uint8_t> says, std::span<std::uint8_t> answers) const;

 private:
  std::size_t heard_at(int word, int answer) const { return static_cast<std::size_t>(word) * game_.answers + answer; }
  void word_values(int number, float* out) const;
  int chosen(const float* values, const std::uint8_t* allowed, int count, float warmth);
  void learn(float& value, float paid) const;

  const TalkGame& game_;
  TalkLearning how_;
  Random random_;
  std::vector<float> talker_;   // [first, words], of joint learners [first, words, answers]
  std::vector<float> thinker_;  // [second, words, answers]
  std::vector<float> heard_;    // [words, answers]: how often the Talker got which answer
};

}  // namespace borel
