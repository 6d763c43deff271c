// Looking for deals that satisfy a condition, with one thread or several.
#include <algorithm>
#include <exception>
#include <thread>

#include "condition.h"

namespace borel {
namespace {

// Deals first .. end - 1, one after the other, until enough are found.
void search_block(const Condition& condition, const Hands& predealt, std::uint64_t seed, std::uint64_t end,
                  std::size_t wanted, Found& found) {
  Evaluator evaluator(condition);
  for (; found.next < end && found.hands.size() < wanted; ++found.next) {
    Random random(seed, found.next);
    const Hands hands = deal_rest(predealt, random);
    if (!evaluator.holds(hands)) continue;
    found.hands.push_back(hands);
    found.numbers.push_back(found.next);
  }
}

// The finds of consecutive blocks one after another, up to the number wanted.
Found join(const std::vector<Found>& parts, std::size_t wanted) {
  Found all;
  for (const Found& part : parts) {
    const std::size_t taken = std::min(part.hands.size(), wanted - all.hands.size());
    all.hands.insert(all.hands.end(), part.hands.begin(), part.hands.begin() + taken);
    all.numbers.insert(all.numbers.end(), part.numbers.begin(), part.numbers.begin() + taken);
    all.next = part.next;
    if (all.hands.size() == wanted) {
      all.next = all.numbers.back() + 1;
      break;
    }
  }
  return all;
}

}  // namespace

Found find_deals(const Condition& condition, const Hands& predealt, const SearchOptions& options) {
  const std::uint64_t end = options.first + options.tries;
  const unsigned workers = std::max(1U, options.threads);
  std::vector<Found> parts(workers);
  std::vector<std::exception_ptr> errors(workers);
  const auto work = [&](unsigned worker) {
    try {
      const std::uint64_t share = (options.tries + workers - 1) / workers;
      parts[worker].next = std::min(end, options.first + worker * share);
      const std::uint64_t stop = std::min(end, parts[worker].next + share);
      search_block(condition, predealt, options.seed, stop, options.wanted, parts[worker]);
    } catch (...) {
      errors[worker] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (unsigned worker = 1; worker < workers; ++worker) others.emplace_back(work, worker);
    work(0);
  }
  // An error counts only where the search would have come to it: not behind enough finds of earlier blocks.
  std::size_t count = 0;
  for (unsigned worker = 0; worker < workers; ++worker) {
    count += parts[worker].hands.size();
    if (count >= options.wanted) break;
    if (errors[worker]) std::rethrow_exception(errors[worker]);
  }
  if (options.wanted == 0) return Found{{}, {}, options.first};
  return join(parts, options.wanted);
}

}  // namespace borel
