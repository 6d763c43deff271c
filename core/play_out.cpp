#include "play_out.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace borel {

namespace {

constexpr double FAITHFUL = 1000;  // how much more a layout of the plan counts than any other

class PlayOut {
 public:
  PlayOut(SingleDummyGame& game, const std::vector<double>& weights, const PlayOutOptions& options, StopSign* sign)
      : game_(game), weights_(weights), options_(options), sign_(sign) {}

  // `planned`: the layouts that the plan so far is to win. A later choice keeps to them, for the others are still
  // possible only because a defender did not play his best card.
  std::vector<int> won(const std::vector<int>& alive, const std::vector<int>& planned) {
    if (alive.empty()) return {};
    if (game_.over()) return game_.won() ? alive : std::vector<int>{};
    if (sign_) sign_->look();
    if (!game_.defender_to_play()) {
      const CardPlan plan = choose(alive, planned);
      return after(plan.card, alive, plan.layouts);
    }
    std::vector<int> moves, kept = alive;
    game_.moves(moves);
    for (const int move : moves) {
      std::vector<int> able;
      for (const int layout : alive)
        if (game_.can_play(layout, move)) able.push_back(layout);
      const std::vector<int> still = after(move, able, planned);
      std::erase_if(kept, [&](int layout) {
        return std::binary_search(able.begin(), able.end(), layout) &&
               !std::binary_search(still.begin(), still.end(), layout);
      });
    }
    return kept;
  }

 private:
  std::vector<int> after(int move, const std::vector<int>& alive, const std::vector<int>& planned) {
    if (alive.empty()) return {};
    game_.play(move);
    std::vector<int> result = won(alive, planned);
    game_.undo();
    return result;
  }

  CardPlan choose(const std::vector<int>& alive, const std::vector<int>& planned) {
    std::vector<int> moves;
    game_.moves(moves);
    if (moves.size() == 1) return {moves[0], planned, 0, 0};
    std::vector<int> spare;
    const std::vector<int> seen = sample(alive, spare);
    if (options_.plans) {
      std::vector<double> weights = weights_;
      for (const int layout : planned) weights[layout] *= FAITHFUL;
      return squeaky_wheel(game_, weights, options_.wheel, sign_, seen, spare).plans.front();
    }
    std::vector<int> best;
    double most = -1;
    for (const int move : moves) {
      double weight = 0;
      game_.play(move);
      for (const int layout : seen)
        if (game_.wins(layout)) weight += weights_[layout];
      game_.undo();
      if (weight > most + 1e-12) best.clear(), most = weight;
      if (weight > most - 1e-12) best.push_back(move);
    }
    return {best[draw() % best.size()], {}, 0, 0};  // it cannot tell them apart
  }

  // Layouts drawn by weight without replacement; the same position gives the same sample.
  std::vector<int> sample(const std::vector<int>& alive, std::vector<int>& spare) {
    state_ = options_.seed ^ game_.key();
    if (static_cast<int>(alive.size()) <= options_.sample) return alive;
    std::vector<std::pair<double, int>> keys;
    for (const int layout : alive) {
      const double u = (static_cast<double>(draw() >> 11) + 0.5) / 9007199254740992.0;
      keys.emplace_back(std::log(u) / weights_[layout], layout);
    }
    const int drawn = std::min(options_.sample + options_.spare, static_cast<int>(keys.size()));
    std::partial_sort(keys.begin(), keys.begin() + drawn, keys.end(), std::greater<>());
    std::vector<int> chosen;
    for (int i = 0; i < drawn; ++i) (i < options_.sample ? chosen : spare).push_back(keys[i].second);
    std::sort(chosen.begin(), chosen.end());
    return chosen;
  }

  std::uint64_t draw() {  // splitmix64
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }

  SingleDummyGame& game_;
  const std::vector<double>& weights_;
  const PlayOutOptions& options_;
  StopSign* sign_;
  std::uint64_t state_ = 0;
};

}  // namespace

std::vector<int> play_out(SingleDummyGame& game, const std::vector<double>& weights, const PlayOutOptions& options,
                          StopSign* sign) {
  std::vector<int> all(game.layouts());
  std::iota(all.begin(), all.end(), 0);
  game.solver().set_stop_sign(sign);
  return PlayOut(game, weights, options, sign).won(all, {});
}

}  // namespace borel
