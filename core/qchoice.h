// How a learner chooses among the values of a row: the best, any, or by chances that depend on what each is worth.
//
// A row is looked at as ROW values (its own, then some that count for nothing), in loops of fixed length and without
// branches: so a row is worked on in one or two registers, and nothing has to be guessed by the processor.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

namespace borel {

enum class QChoice { GREEDY, BOLTZMANN, ROULETTE };

inline constexpr float Q_NOTHING = -1e30F;  // less than any value

// A number that is ordered as a float is: whole numbers are compared in any order, floats only one after another.
inline std::int32_t ordered(float value) {
  const auto bits = std::bit_cast<std::int32_t>(value);
  return bits ^ ((bits >> 31) & 0x7FFFFFFF);
}

// The values of `count` calls, of which ROW can be read.
template <int ROW>
struct QRow {
  alignas(64) std::array<float, ROW> value;
  alignas(64) std::array<std::int32_t, ROW> order;
  std::int32_t most;
  int count;

  QRow(const float* values, int count) : most(ordered(Q_NOTHING)), count(count) {
    std::copy_n(values, ROW, value.begin());
    for (int i = 0; i < ROW; ++i) value[i] = i < count ? value[i] : Q_NOTHING;
    for (int i = 0; i < ROW; ++i) order[i] = ordered(value[i]);
    for (int i = 0; i < ROW; ++i) most = std::max(most, order[i]);
  }
};

// The best of some values; of several, any.
template <int ROW>
int greedy(const QRow<ROW>& row, std::uint32_t chance) {
  using Bits = std::conditional_t<(ROW > 32), std::uint64_t, std::uint32_t>;
  Bits ties = 0;
  for (int i = 0; i < ROW; ++i) ties |= row.order[i] == row.most ? Bits{1} << i : Bits{0};
  const std::uint64_t count = std::popcount(ties);
  for (std::uint64_t skip = chance * count >> 32; skip > 0; --skip) ties &= ties - 1;
  return std::countr_zero(ties);
}

// e^x for x <= 0, to a part in a thousand: 2^n by the exponent's bits, the rest by a polynomial.
inline float quick_exp(float x) {
  const float power = std::max(x, -80.0F) * 1.44269504F;
  const auto whole = static_cast<std::int32_t>(power);
  const float rest = power - static_cast<float>(whole);  // in (-1, 0]
  const float two = 1.0F + rest * (0.693147F + rest * (0.240117F + rest * (0.0548F + rest * 0.0082F)));
  return two * std::bit_cast<float>((whole + 127) << 23);
}

// One of some weights, with a chance in proportion to it; any if all are nothing.
template <int ROW>
int drawn(const std::array<float, ROW>& weights, int count, std::uint32_t chance) {
  std::array<float, ROW> sums;
  float sum = 0;
  for (int i = 0; i < ROW; ++i) sums[i] = sum += weights[i];
  if (sum <= 0) return static_cast<int>(static_cast<std::uint64_t>(chance) * count >> 32);
  const float at = sum * static_cast<float>(chance) * 0x1p-32F;
  int before = 0;
  for (int i = 0; i < ROW; ++i) before += sums[i] <= at;
  return std::min(before, count - 1);
}

// Boltzmann's chances (Eq. 8 of Prorok 2003).
template <int ROW>
int boltzmann(const QRow<ROW>& row, float temperature, std::uint32_t chance) {
  const float most = std::bit_cast<float>(row.most ^ ((row.most >> 31) & 0x7FFFFFFF)), coldness = 1 / temperature;
  std::array<float, ROW> weights;
  for (int i = 0; i < ROW; ++i) weights[i] = quick_exp((row.value[i] - most) * coldness);
  return drawn<ROW>(weights, row.count, chance);
}

// Chances in proportion to what each value is above the lowest.
template <int ROW>
int roulette(const QRow<ROW>& row, std::uint32_t chance) {
  const float least = *std::min_element(row.value.begin(), row.value.begin() + row.count);
  std::array<float, ROW> weights;
  for (int i = 0; i < ROW; ++i) weights[i] = std::max(row.value[i] - least, 0.0F);
  return drawn<ROW>(weights, row.count, chance);
}

}  // namespace borel
