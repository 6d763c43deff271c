// A weight of which all others are whole multiples.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace borel {

// The greatest such weight, by Euclid's algorithm; 0 if there is none but a tiny one. Sums of the weights are whole
// multiples too, to a thousandth of it.
inline double quantum_of(const std::vector<double>& weights) {
  double result = 0, total = 0, error = 0;
  for (const double weight : weights) total += weight;
  const double small = 1e-7 * total;
  for (double weight : weights)
    while (weight > small) std::swap(result, weight), weight = std::fmod(weight + small / 2, result) - small / 2;
  if (result <= 0) return 0;
  result = total / std::round(total / result);
  for (const double weight : weights) error += std::abs(weight / result - std::round(weight / result));
  return error < 1e-3 ? result : 0;
}

}  // namespace borel
