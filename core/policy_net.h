// A policy network for acting in bulk: zeros and ones in, a number for each call out, fast rather than to the last digit.
//
// Self-play asks a network a hundred million times an hour, and asks about rows of which some twenty of 480 inputs are
// one: the first layer is a sum of their rows. The other layers are bfloat16 products summed in single precision, where
// the processor has them (AVX512-BF16), else single precision throughout. Learning, and bidders at a table, keep to
// NumPy's exact products; this is for those who act so that others can learn (`benchmarks/learning.py`).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace borel {

class PolicyNet {
 public:
  struct Layer {
    std::vector<float> weights;  // [inputs, outputs]
    std::vector<float> biases;
  };

  // Throws std::invalid_argument where there are fewer than two layers, or their sizes do not fit together.
  explicit PolicyNet(std::vector<Layer> layers);

  std::size_t inputs() const { return inputs_; }
  std::size_t outputs() const { return later_.back().outputs; }

  // [rows, outputs] for [rows, inputs], ReLU between the layers.
  void logits(std::span<const float> rows, std::span<float> out) const;

 private:
#ifdef __AVX512BF16__
  using Number = std::uint16_t;
#else
  using Number = float;
#endif

  // A layer after the first, its weights in panels of columns, as the inner loop reads them.
  struct Packed {
    std::size_t depth, outputs, panels;  // depth is even
    std::vector<Number> weights;
    std::vector<float> biases;
  };

  static Packed packed(const Layer& layer, std::size_t inputs);
  void first(const float* row, float* sums, Number* hidden) const;

  std::size_t inputs_, width_;
  Layer first_;
  std::vector<Packed> later_;
};

}  // namespace borel
