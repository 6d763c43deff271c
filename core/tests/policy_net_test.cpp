// The quick network against plain sums in double precision, for sizes that fill its panels and tiles and that do not.
#include "../policy_net.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "../random.h"
#include "check.h"

using namespace borel;

namespace {

float around_zero(Random& random) { return (static_cast<float>(random.below(2001)) - 1000) / 1000; }

PolicyNet::Layer random_layer(Random& random, std::size_t inputs, std::size_t outputs) {
  PolicyNet::Layer layer{std::vector<float>(inputs * outputs), std::vector<float>(outputs)};
  for (float& weight : layer.weights) weight = around_zero(random) / std::sqrt(static_cast<float>(inputs));
  for (float& bias : layer.biases) bias = around_zero(random);
  return layer;
}

std::vector<double> plain(const std::vector<PolicyNet::Layer>& layers, std::vector<double> values) {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    std::vector<double> sums(layers[i].biases.begin(), layers[i].biases.end());
    for (std::size_t k = 0; k < values.size(); ++k)
      for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += values[k] * layers[i].weights[k * sums.size() + j];
    if (i + 1 < layers.size())
      for (double& sum : sums) sum = std::max(0.0, sum);
    values = sums;
  }
  return values;
}

void agrees(Random& random, const std::vector<std::size_t>& sizes, std::size_t rows) {
  std::vector<PolicyNet::Layer> layers;
  for (std::size_t i = 0; i + 1 < sizes.size(); ++i) layers.push_back(random_layer(random, sizes[i], sizes[i + 1]));
  std::vector<float> seen(rows * sizes.front()), out(rows * sizes.back());
  for (float& one : seen) one = random.below(5) == 0 ? 1 : 0;
  seen[0] = 0.5;  // inputs need not be ones
  PolicyNet(layers).logits(seen, out);
  for (std::size_t r = 0; r < rows; ++r) {
    const auto first = seen.begin() + static_cast<std::ptrdiff_t>(r * sizes.front());
    const auto found = plain(layers, {first, first + static_cast<std::ptrdiff_t>(sizes.front())});
    for (std::size_t j = 0; j < found.size(); ++j) CHECK(std::abs(found[j] - out[r * found.size() + j]) < 0.03);
  }
}

bool refused(std::vector<PolicyNet::Layer> layers) {
  try {
    const PolicyNet net(std::move(layers));
  } catch (const std::invalid_argument&) {
    return true;
  }
  return false;
}

}  // namespace

int main() {
  Random random(7, 1);
  agrees(random, {480, 256, 256, 256, 256, 38}, 300);
  agrees(random, {20, 33, 7, 5}, 13);
  agrees(random, {3, 1, 1}, 1);
  agrees(random, {40, 64, 96, 39}, 241);
  agrees(random, {40, 64, 96, 39}, 12);
  std::vector<float> nothing;
  PolicyNet({random_layer(random, 4, 3), random_layer(random, 3, 2)}).logits(nothing, nothing);
  CHECK(refused({random_layer(random, 4, 3)}));
  CHECK(refused({random_layer(random, 4, 3), random_layer(random, 4, 2)}));
  CHECK(refused({random_layer(random, 4, 3), {{}, {}}}));
  return borel_test::finish("policy_net_test");
}
