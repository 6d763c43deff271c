// What is known of the plans that begin with one card: conflicts between layouts, as rows of a linear program.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "packing.h"

namespace borel {

template <class Set>
struct FirstChoice {
  // Of these layouts a plan wins at most so many.
  struct Limit {
    Set set;
    int most;
    bool operator==(const Limit&) const = default;
  };

  FirstChoice(int first, const Set& won, const std::vector<double>& all)
      : card(first), makes(won), clash(all.size()), go(all.size()), weights(all), column(all.size(), -1),
        packing(weights_of(won, all)) {
    makes.each([&](int layout) { column[layout] = static_cast<int>(layouts.size()), layouts.push_back(layout); });
    for (const int layout : layouts) upper += weights[layout];
  }

  static std::vector<double> weights_of(const Set& set, const std::vector<double>& all) {
    std::vector<double> result;
    set.each([&](int layout) { result.push_back(all[layout]); });
    return result;
  }

  std::vector<double> values(const Packing& program) const {
    std::vector<double> result(weights.size());
    for (std::size_t i = 0; i < layouts.size(); ++i) result[layouts[i]] = program.value(static_cast<int>(i));
    return result;
  }
  Set above(const std::vector<double>& values, double least) const {
    Set result;
    for (const int layout : layouts)
      if (values[layout] > least) result.add(layout);
    return result;
  }
  // What is kept most first, then the heaviest.
  std::vector<int> order(const std::vector<double>& values) const {
    std::vector<int> result = layouts;
    std::stable_sort(result.begin(), result.end(), [&](int a, int b) {
      return std::pair(-std::round(1000 * values[a]), -weights[a]) < std::pair(-std::round(1000 * values[b]), -weights[b]);
    });
    return result;
  }
  // The layout of a conflict that a plan gives up most easily; -1 if all are fixed.
  int least_kept(const Set& conflict, const std::vector<double>& values, const Packing& program) const {
    int chosen = -1;
    conflict.each([&](int layout) {
      if (program.is_fixed(column[layout])) return;
      if (chosen < 0 || std::pair(values[layout], weights[layout]) < std::pair(values[chosen], weights[chosen])) chosen = layout;
    });
    return chosen;
  }
  int most_divided(const Packing& program) const {
    int chosen = -1;
    double most = -1;
    for (int i = 0; i < program.columns(); ++i) {
      if (program.is_fixed(i)) continue;
      const double value = program.value(i), division = std::min(value, 1 - value) * weights[layouts[i]];
      if (division > most) most = division, chosen = i;
    }
    return chosen;
  }

  bool add_broken_rows(Packing& program) const {
    const std::vector<double> now = values(program);
    bool any = false;
    for (const Limit& limit : limits)
      if (is_broken(limit, now)) program.add(row(limit)), any = true;
    return any;
  }
  static bool is_broken(const Limit& limit, const std::vector<double>& values) {
    double kept = 0;
    limit.set.each([&](int layout) { kept += values[layout]; });
    return kept > limit.most + 1e-6;
  }
  Packing::Row row(const Limit& limit) const {
    Packing::Row result{{}, limit.most};
    limit.set.each([&](int layout) { result.members.push_back(column[layout]); });
    return result;
  }

  // A conflict becomes a limit, as strong as can easily be had. Whether it was not known and says something now.
  template <class Clash>
  bool learn(const Set& conflict, const std::vector<double>& values, Clash&& clashes) {
    Limit limit{conflict, conflict.count() - 1};
    if (limit.most == 1) limit.set = clique(conflict, values, clashes);
    if (std::find(limits.begin(), limits.end(), limit) != limits.end()) return false;
    limits.push_back(limit);
    return is_broken(limit, values);
  }

  // Two layouts that clash with others of which every two clash: a plan wins one of them all. Tests are spent only on
  // what the program keeps, so that the row says as much as it can now; the others join where they are known to clash.
  template <class Clash>
  Set clique(const Set& pair, const std::vector<double>& values, Clash&& clashes) {
    Set result = pair;
    pair.each([&](int a) { clash[a] = clash[a] | pair, clash[a].remove(a); });
    for (const int layout : order(values)) {
      if (result.has(layout) || !(result & go[layout]).empty()) continue;
      const Set unknown = result.minus(clash[layout]);
      bool all = unknown.empty() || (tested && values[layout] > 0.01);
      unknown.each([&](int other) { all = all && clashes(layout, other); });
      if (all) result.add(layout);
    }
    return result;
  }

  void learn_plan(const Set& plan) {
    plan.each([&](int layout) { go[layout] = go[layout] | plan; });
  }
  bool forbids(const Set& kept, int layout) const { return !(clash[layout] & kept).empty(); }
  bool forbids(const Set& wanted) const {
    return std::any_of(limits.begin(), limits.end(), [&](const Limit& limit) { return (limit.set & wanted).count() > limit.most; });
  }

  int card;
  Set makes;  // what is won with all cards seen
  double upper = 0;
  std::vector<int> layouts;     // those, by column of the program
  std::vector<Set> clash, go;   // by layout: those known not to be won together with it, and those known to be
  bool tested = false;          // whether there was a round already: before it too little is known to look for cliques
  std::vector<Limit> limits;
  const std::vector<double>& weights;
  std::vector<int> column;
  Packing packing;
};

}  // namespace borel
