// The single-dummy game (Ginsberg 2001, section 5): declarer sees two hands, the defenders see everything.
//
// Equal cards of the hidden hands are alike: unseen cards of a suit with none of declarer's or dummy's between them form
// a class, a layout says how many cards of each class the first hidden seat holds, and a defender is seen to play "a card
// of this class". Within a class the first hidden seat's cards count as the higher ones.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "solver.h"

namespace borel {

struct SingleDummyStart {
  int declarer = 0;
  std::array<HandMask, 2> seen{};        // what declarer and dummy hold
  HandMask unseen = 0;                   // what the two defenders hold between them
  int strain = NOTRUMP;
  int leader = 0;                        // seat that led, or is to lead, to the current trick
  std::array<int, 3> trick{-1, -1, -1};  // cards on the table, in the order played
  int needed = 1;                        // tricks that declarer still needs, the current trick included
  // A suit by itself, with entries to spare: declarer leads every trick, from whichever hand he likes, and only cards
  // of this suit. The other cards that the hands hold are discards. -1: a position of the play.
  int free_suit = -1;
};

class SingleDummyGame {
 public:
  // Layouts are given by the hand of the first hidden seat, declarer's left-hand opponent. Layouts that differ only in
  // equal cards become one: `group(i)` says which one layout i became.
  SingleDummyGame(const SingleDummyStart& start, const std::vector<HandMask>& layouts, std::size_t memory_mb);

  int layouts() const { return static_cast<int>(counts_.size()); }
  int group(int given) const { return groups_.at(given); }
  HandMask first_hidden_hand(int layout) const;
  // Of the first hidden hand at the start: how many cards of a suit, and whether the best unseen one.
  int length(int layout, int suit) const;
  bool has_best(int layout, int suit) const;

  // A move: a card of declarer's or dummy's, or CLASS + the class of a defender's card.
  static constexpr int CLASS = 64;
  int card_of_class(int move) const { return classes_[move - CLASS].cards.front(); }

  bool over() const { return needed_ <= 0 || needed_ > left_; }
  bool won() const { return needed_ <= 0; }
  bool defender_to_play() const { return !free_lead() && ((to_play() ^ start_.declarer) & 1) != 0; }
  int to_play() const { return (leader_ + on_table_) & 3; }
  int choices_made() const { return choices_; }

  // Declarer's or dummy's cards that may be played, one of each run of equals; or the classes of the defender on play.
  void moves(std::vector<int>& out) const;
  // Whether the defender on play can play this class in this layout without a revoke.
  bool can_play(int layout, int move) const;
  void play(int move);
  void undo();
  // Cards played since the start, and back to so many: after a search that was stopped in the middle.
  int played() const { return static_cast<int>(history_.size()); }
  void rewind(int played) {
    while (static_cast<int>(history_.size()) > played) undo();
  }

  // Whether declarer makes the needed tricks double dummy in this layout, from here.
  bool wins(int layout);
  // A number for everything that is public, to be used with the set of layouts as a key.
  std::uint64_t key() const;

  // Positions between tricks that are the same but for cards that no longer matter: ranks count only among the cards
  // that are left, and unseen cards with none of declarer's or dummy's left between them are equal. `alike_key` is a
  // number for the position; after it `residue` is one for what the hidden hands have left in a layout.
  bool between_tricks() const { return on_table_ == 0; }
  std::uint64_t alike_key();
  std::uint64_t residue(int layout) const;

  Solver& solver() { return solver_; }

 private:
  struct CardClass {
    int suit = 0;
    std::vector<int> cards;  // highest first
  };
  struct Played {
    int move = -1, suit = 0, strength = 0;
  };
  struct Before {
    int move, leader, on_table, needed, left;
    Played trick[3];
    int seat;
  };

  bool free_lead() const { return start_.free_suit >= 0 && on_table_ == 0; }
  void find_classes();
  bool wins_free(int layout);
  void add_layouts(const std::vector<HandMask>& layouts);
  int held(int hidden, int layout, int cls) const;  // cards of a class that a hidden seat still has
  HandMask cards_of(int hidden, int layout, int cls) const;
  int hidden_index(int seat) const { return seat == ((start_.declarer + 1) & 3) ? 0 : 1; }
  int concrete(int layout, const Played& played, int seat) const;
  Played describe(int move) const;
  int winner() const;
  void moves_of_hand(HandMask hand, HandMask legal, std::vector<int>& out) const;

  SingleDummyStart start_;
  std::vector<CardClass> classes_;
  std::vector<std::vector<std::uint8_t>> counts_;  // [layout][class]: cards of the first hidden seat
  std::vector<int> groups_;
  std::vector<std::array<std::uint8_t, 2>> played_;  // [class][hidden seat]
  std::array<HandMask, 2> seen_{};                   // now held by declarer, dummy
  int leader_ = 0, on_table_ = 0, needed_ = 0, left_ = 0, choices_ = 0;
  Played trick_[3];
  std::vector<Before> history_;
  std::unordered_map<std::uint64_t, bool> free_wins_;
  // Set by alike_key: the classes of which cards are left, from the top of each suit down, and whether one begins a run
  // of equal cards.
  struct Left {
    int cls;
    bool begins;
  };
  std::vector<Left> left_classes_;
  Solver solver_;
};

}  // namespace borel
