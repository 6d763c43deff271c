#include "trick_net.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

namespace borel {

TrickNet::TrickNet(std::vector<float> weights0, std::vector<float> biases0, std::vector<float> weights1,
                   std::vector<float> biases1, std::vector<float> weights2, std::vector<float> biases2)
    : weights0_(std::move(weights0)), biases0_(std::move(biases0)), weights1_(std::move(weights1)),
      biases1_(std::move(biases1)), weights2_(std::move(weights2)), biases2_(std::move(biases2)) {
  const std::size_t first = biases0_.size(), second = biases1_.size();
  if (first == 0 || second == 0 || biases2_.size() != 1 || weights0_.size() != INPUTS * first ||
      weights1_.size() != first * second || weights2_.size() != second)
    throw std::invalid_argument("layers whose sizes do not fit together");
}

void TrickNet::estimate(std::span<const std::uint64_t> hands, int declarer, std::span<const int, 4> suits,
                        std::span<double> tricks) const {
  const std::size_t first = biases0_.size(), second = biases1_.size();
  std::vector<float> hidden(first), later(second);
  for (std::size_t deal = 0; deal < tricks.size(); ++deal) {
    hidden = biases0_;
    for (int turn = 0; turn < 4; ++turn) {
      const std::uint64_t hand = hands[4 * deal + (declarer + turn) % 4];
      for (int place = 0; place < 4; ++place) {
        for (auto left = static_cast<unsigned>(hand >> 13 * suits[place] & 8191); left; left &= left - 1) {
          const float* row = &weights0_[first * (52 * turn + 13 * place + std::countr_zero(left))];
          for (std::size_t i = 0; i < first; ++i) hidden[i] += row[i];
        }
      }
    }
    later = biases1_;
    for (std::size_t i = 0; i < first; ++i) {
      if (hidden[i] <= 0) continue;
      const float value = hidden[i], *row = &weights1_[second * i];
      for (std::size_t j = 0; j < second; ++j) later[j] += value * row[j];
    }
    float total = biases2_[0];
    for (std::size_t j = 0; j < second; ++j) total += std::max(0.0f, later[j]) * weights2_[j];
    tricks[deal] = std::clamp(static_cast<double>(total), 0.0, 13.0);
  }
}

}  // namespace borel
