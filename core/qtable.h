// A pair that learns to bid from tables of values (Prorok 2003, chapters 8 and 9). The opponents pass; opener and
// responder call in turn, at most so many calls; each learner is a class of hands after a sequence of calls, and holds
// the mean score that each call has led to: q := q + rate * (score - q) (Eq. 14).
//
// Many auctions are bid side by side, one call of each in turn: while one waits for its row of the table to come from
// memory, the others go on. A row is made when it is first needed, so that any number of shapes, bids and calls will do.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "auctions.h"
#include "qchoice.h"
#include "random.h"

namespace borel {

inline constexpr int Q_CALLS = 7;      // calls of an auction, at most
inline constexpr int STRENGTHS = 38;   // high-card points 0..37
inline constexpr int RENAMINGS = 24;   // of the suits: one solved deal is worth so many
inline constexpr int Q_NO_CALL = 255;  // after the end of an auction

// The pair's deals: hand = STRENGTHS * shape + points; tricks of opener's and of responder's declaring, by strain, and
// of the better of two opponents, if they bid: they know all the cards, and outbid the pair's last call where it pays.
struct QDeals {
  std::span<const std::uint16_t> hands;  // [n, 2]
  std::span<const std::uint8_t> tricks;  // [n, 2, 5]
  std::span<const std::uint8_t> theirs;  // [n, 5], or nothing: opponents pass
  std::size_t size() const { return hands.size() / 2; }
};

// The reinforcement, 8.7.1: c) the score (Eq. 11); a) what it lacks to the best possible one (Eq. 9); b) the same and
// 200 (Eq. 10); d) the score, less 100 for the first bid above the best contract (Eq. 12).
enum class QReward { SCORE, LOSS, LOSS_PLUS, BLAME };

struct QLearning {
  std::vector<float> rates;  // by position in the auction
  float explore = 0.02F;     // chance of any call at all
  QChoice choice = QChoice::GREEDY;
  float temperature = 50.0F;
  float gamma = 1.0F;
  float fall = 1.0F;  // the rate of disappointments as a share: below 1, hysteretic
  QReward reward = QReward::SCORE;
  float low = -1e9F, high = 1e9F;  // limits against Q-windup (8.7.6)
  bool integers = false;           // steps rounded down, as the thesis's shifted integers are (9.4.1)
  bool agreed = false;             // a seed in common tells who is trying (8.8.2): calls before a trial learn nothing
};

// What is known before learning begins.
struct QRules {
  std::vector<std::array<std::uint8_t, 4>> shapes;  // lengths of C D H S
  std::vector<std::uint8_t> openings;               // by hand: a call, or Q_NO_CALL where it is to be learnt
  std::vector<std::uint32_t> opener, responder;     // by hand: the class that a learner takes it for
  std::vector<float> scores;                        // [38, 14] of a contract by declarer's tricks; pass is 0
  std::vector<float> q0;                            // by position: of a call not tried yet; as many as calls
  int width = 16;                                   // pass, and so many bids less one above the last
};

class QTable {
 public:
  explicit QTable(QRules rules);
  QTable(const QTable&) = delete;
  QTable& operator=(const QTable&) = delete;

  // Begin rows from those of a pair with coarser classes, which must stay alive: by class of each player, theirs.
  void inherit(const QTable& parent, std::vector<std::uint32_t> opener, std::vector<std::uint32_t> responder);

  int calls() const { return static_cast<int>(rules_.q0.size()); }
  int width() const { return rules_.width; }
  std::size_t rows() const { return keys_.size(); }
  std::size_t hands() const { return rules_.shapes.size() * STRENGTHS; }

  // Bid and learn from so many deals drawn at random, suits renamed at random; returns the mean score.
  double learn(const QDeals& deals, std::uint64_t count, const QLearning& how, Random& random);

  // Learn from auctions of others: deal i, suits not renamed, was bid as `bid` [n, calls] says (Q_NO_CALL: it is over).
  // A call out of reach ends the lesson, which then teaches nothing. Returns how many deals have taught.
  std::uint64_t teach(const QDeals& deals, std::span<const std::uint8_t> bid, const QLearning& how);

  // Bid every deal in all renamings of suits, as well as is known (an unknown hand, or a tie, makes the lowest call).
  // `scores` is [n, 24]; `bid` [n, 24, calls], filled up with Q_NO_CALL.
  void evaluate(const QDeals& deals, std::span<float> scores, std::span<std::uint8_t> bid) const;

  // A row's key: class in the upper bits, then 1, then the calls so far, six bits each.
  std::uint64_t key(std::size_t row) const { return keys_[row]; }
  const float* values(std::size_t row) const { return chunks_[row / CHUNK].get() + row % CHUNK * rules_.width; }
  float* add(std::uint64_t key);  // the row of a key, made if need be
  const float* find(std::uint64_t key) const;
  static std::uint64_t key_of(std::uint32_t hand_class, std::uint64_t sequence) {
    return static_cast<std::uint64_t>(hand_class) << 44 | sequence;
  }

 private:
  static constexpr std::size_t CHUNK = 1 << 15;                 // rows
  static constexpr int SHORT_ROW = 16, LONGEST_ROW = 48;        // values that a choice looks at
  struct Free {
    void operator()(void* memory) const;
  };
  struct Renaming {
    std::array<std::uint8_t, STRAINS> to, from;  // strain s is played as strain to[s]; strain s was from[s]
  };
  struct Slot {
    std::uint64_t key = 0;  // 0: free, for every sequence begins with a 1
    std::uint32_t row = 0;
  };
  struct Lane;

  void make_slots(std::size_t count);
  std::size_t slot_of(std::uint64_t key) const;
  float* row_of(std::uint64_t key);  // there must be room
  void make_room(std::size_t rows);
  void begin(std::uint64_t key, float* row) const;
  float* values(std::size_t row) { return chunks_[row / CHUNK].get() + row % CHUNK * rules_.width; }
  void deal(Lane& lane, const QDeals& deals, std::size_t number, int renaming) const;
  void bid_lanes(std::span<Lane> lanes, const QLearning& how, Random& random);
  void reinforce(const Lane& lane, float score, const QLearning& how) const;
  float score(const Lane& lane) const;
  float undisturbed(const Lane& lane) const;
  float outbid(const Lane& lane) const;
  void value_contracts();
  void best(const Lane& lane, float& score, int& bid) const;
  int options(int last) const { return std::min(rules_.width, last == PASS ? 1 + BIDS : CALLS - last); }

  QRules rules_;
  std::array<Renaming, RENAMINGS> renamings_;
  std::vector<std::uint16_t> renamed_;                            // [24, shapes]
  std::array<std::array<float, 14>, 5> best_score_;               // by strain and tricks
  std::array<std::array<std::int8_t, 14>, 5> best_bid_;
  std::array<std::array<std::array<float, 14>, STRAINS>, CALLS> bought_;  // most of a strain above a call, by tricks
  const QTable* parent_ = nullptr;
  std::array<std::vector<std::uint32_t>, 2> coarser_;  // opener's and responder's classes as the parent's
  std::unique_ptr<Slot[], Free> slots_;  // as many as a power of two
  std::size_t slots_end_ = 0;            // their number less one
  std::vector<std::uint64_t> keys_;
  std::vector<std::unique_ptr<float[], Free>> chunks_;
};

}  // namespace borel
