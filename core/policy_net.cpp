#include "policy_net.h"

#include <immintrin.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace borel {
namespace {

constexpr std::size_t COLUMNS = 32;  // in a panel: two registers of sixteen
constexpr std::size_t TILE = 12;     // rows that are multiplied together: 24 sums stay in registers
constexpr std::size_t CHUNK = 240;   // rows that go through all layers together, so that they stay in the cache

#ifdef __AVX512BF16__

// Two numbers of half the length, k and k + 1 of one column, side by side.
std::size_t place(std::size_t k, std::size_t column) { return (k / 2 * COLUMNS + column) * 2 + k % 2; }

std::uint16_t number(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return static_cast<std::uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);  // to the nearest, ties to even
}

// `rows` rows of hidden numbers times one panel; each sum of 32 columns goes to `keep`.
template <std::size_t rows, typename Keep>
void multiply(const std::uint16_t* hidden, std::size_t stride, const std::uint16_t* panel, std::size_t depth,
              const float* biases, const Keep& keep) {
  __m512 low[rows], high[rows];  // in registers, if every loop over them is unrolled
#pragma GCC unroll 16
  for (std::size_t r = 0; r < rows; ++r) low[r] = _mm512_loadu_ps(biases), high[r] = _mm512_loadu_ps(biases + 16);
  for (std::size_t k = 0; k < depth; k += 2) {
    const auto left = (__m512bh)_mm512_loadu_si512(panel + k * COLUMNS);
    const auto right = (__m512bh)_mm512_loadu_si512(panel + k * COLUMNS + COLUMNS);
#pragma GCC unroll 16
    for (std::size_t r = 0; r < rows; ++r) {
      std::int32_t pair;
      std::memcpy(&pair, hidden + r * stride + k, sizeof pair);
      const auto both = (__m512bh)_mm512_set1_epi32(pair);
      low[r] = _mm512_dpbf16_ps(low[r], both, left);
      high[r] = _mm512_dpbf16_ps(high[r], both, right);
    }
  }
#pragma GCC unroll 16
  for (std::size_t r = 0; r < rows; ++r) {
    alignas(64) float sums[COLUMNS];
    _mm512_store_ps(sums, low[r]), _mm512_store_ps(sums + 16, high[r]);
    keep(r, sums);
  }
}

#else

std::size_t place(std::size_t k, std::size_t column) { return k * COLUMNS + column; }

float number(float value) { return value; }

template <std::size_t rows, typename Keep>
void multiply(const float* hidden, std::size_t stride, const float* panel, std::size_t depth, const float* biases,
              const Keep& keep) {
  for (std::size_t r = 0; r < rows; ++r) {
    float sums[COLUMNS];
    std::copy_n(biases, COLUMNS, sums);
    for (std::size_t k = 0; k < depth; ++k)
      for (std::size_t c = 0; c < COLUMNS; ++c) sums[c] += hidden[r * stride + k] * panel[k * COLUMNS + c];
    keep(r, sums);
  }
}

#endif

std::size_t even(std::size_t count) { return count + count % 2; }

}  // namespace

PolicyNet::PolicyNet(std::vector<Layer> layers) {
  if (layers.size() < 2) throw std::invalid_argument("a policy network has two layers or more");
  first_ = std::move(layers[0]);
  width_ = first_.biases.size();
  if (width_ == 0 || first_.weights.size() % width_ != 0)
    throw std::invalid_argument("layers whose sizes do not fit together");
  inputs_ = first_.weights.size() / width_;
  std::size_t before = width_;
  for (std::size_t i = 1; i < layers.size(); ++i) {
    if (layers[i].biases.empty() || layers[i].weights.size() != before * layers[i].biases.size())
      throw std::invalid_argument("layers whose sizes do not fit together");
    later_.push_back(packed(layers[i], before));
    before = layers[i].biases.size();
  }
}

PolicyNet::Packed PolicyNet::packed(const Layer& layer, std::size_t inputs) {
  Packed out{even(inputs), layer.biases.size(), (layer.biases.size() + COLUMNS - 1) / COLUMNS, {}, layer.biases};
  out.biases.resize(out.panels * COLUMNS);
  out.weights.assign(out.panels * COLUMNS * out.depth, Number{});
  for (std::size_t k = 0; k < inputs; ++k)
    for (std::size_t column = 0; column < out.outputs; ++column)
      out.weights[column / COLUMNS * COLUMNS * out.depth + place(k, column % COLUMNS)] =
          number(layer.weights[k * out.outputs + column]);
  return out;
}

void PolicyNet::first(const float* row, float* sums, Number* hidden) const {
  std::copy(first_.biases.begin(), first_.biases.end(), sums);
  for (std::size_t i = 0; i < inputs_; ++i) {
    if (row[i] == 0) continue;
    const float value = row[i], *weights = &first_.weights[i * width_];
    for (std::size_t j = 0; j < width_; ++j) sums[j] += value * weights[j];
  }
  for (std::size_t j = 0; j < width_; ++j) hidden[j] = number(std::max(0.0f, sums[j]));
}

void PolicyNet::logits(std::span<const float> rows, std::span<float> out) const {
  const std::size_t count = rows.size() / inputs_;
  std::size_t stride = even(width_);
  for (const Packed& layer : later_) stride = std::max(stride, layer.panels * COLUMNS);
  std::vector<float> sums(width_);
  std::vector<Number> hidden(CHUNK * stride), next(CHUNK * stride);
  for (std::size_t from = 0; from < count; from += CHUNK) {
    const std::size_t size = std::min(CHUNK, count - from);
    for (std::size_t r = 0; r < size; ++r) {
      first(&rows[(from + r) * inputs_], sums.data(), &hidden[r * stride]);
      std::fill(&hidden[r * stride + width_], &hidden[r * stride + even(width_)], Number{});
    }
    for (const Packed& layer : later_) {
      const bool last = &layer == &later_.back();
      for (std::size_t panel = 0; panel < layer.panels; ++panel) {
        const std::size_t column = panel * COLUMNS;
        for (std::size_t r = 0; r < size; r += TILE) {  // rows behind the last are worked out and not kept
          const auto keep = [&](std::size_t i, const float* found) {
            if (r + i >= size) return;
            if (last)
              std::copy_n(found, std::min(COLUMNS, layer.outputs - column),
                          &out[(from + r + i) * layer.outputs + column]);
            else
              for (std::size_t c = 0; c < COLUMNS; ++c)
                next[(r + i) * stride + column + c] = number(std::max(0.0f, found[c]));
          };
          multiply<TILE>(&hidden[r * stride], stride, &layer.weights[column * layer.depth], layer.depth,
                         &layer.biases[column], keep);
        }
      }
      std::swap(hidden, next);
    }
  }
}

}  // namespace borel
