// A small network that estimates double-dummy tricks: 208 cards in, two hidden layers, one number out.
//
// It is fitted in Python (benchmarks/fit_tricks.py); here it only runs. Of its inputs just 52 are ones, so the first layer
// is a sum of 52 rows; one thread, for a bidder who is given one core must not wait for others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace borel {

class TrickNet {
 public:
  static constexpr int INPUTS = 208;

  // Weights row by row as [inputs, outputs]; throws std::invalid_argument where the sizes do not fit together.
  TrickNet(std::vector<float> weights0, std::vector<float> biases0, std::vector<float> weights1,
           std::vector<float> biases1, std::vector<float> weights2, std::vector<float> biases2);

  // The estimate for each deal (hands N E S W, four a deal), declarer by seat, suits in the order they are looked at.
  void estimate(std::span<const std::uint64_t> hands, int declarer, std::span<const int, 4> suits,
                std::span<double> tricks) const;

 private:
  std::vector<float> weights0_, biases0_, weights1_, biases1_, weights2_, biases2_;
};

}  // namespace borel
