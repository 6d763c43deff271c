// Plain minimax over the play of an ending; see minimax.py, of which this is the faster twin.
#include <array>
#include <bit>
#include <cstdint>
#include <unordered_map>

namespace {

using Hands = std::array<std::uint64_t, 4>;

struct Trick {
  int leader, size;
  int cards[4];
};

class Minimax {
 public:
  explicit Minimax(int strain) : strain_(strain) {}

  // North-South's tricks with best play.
  int value(const Hands& hands, const Trick& trick) {
    const std::uint64_t held = hands[0] | hands[1] | hands[2] | hands[3];
    if (trick.size == 0) {
      if (held == 0) return 0;
      const auto found = known_.find(held << 2 | trick.leader);  // in one ending, what is left tells who has it
      if (found != known_.end()) return found->second;
    }
    const bool north_south = (trick.leader + trick.size) % 2 == 0;
    int best = north_south ? -1 : 99;
    for (std::uint64_t rest = legal(hands, trick); rest != 0; rest &= rest - 1) {
      const int v = after(hands, trick, std::countr_zero(rest));
      if (north_south ? v > best : v < best) best = v;
    }
    if (trick.size == 0) known_[held << 2 | trick.leader] = best;
    return best;
  }

  int after(Hands hands, Trick trick, int card) {
    hands[(trick.leader + trick.size) % 4] &= ~(std::uint64_t{1} << card);
    trick.cards[trick.size++] = card;
    if (trick.size < 4) return value(hands, trick);
    int best = 0;
    for (int i = 1; i < 4; ++i) {
      const int suit = trick.cards[i] / 13, high = trick.cards[best] / 13;
      if (suit == high ? trick.cards[i] > trick.cards[best] : suit == strain_) best = i;
    }
    const int winner = (trick.leader + best) % 4;
    return (winner % 2 == 0) + value(hands, Trick{winner, 0, {}});
  }

  static std::uint64_t legal(const Hands& hands, const Trick& trick) {
    const std::uint64_t hand = hands[(trick.leader + trick.size) % 4];
    if (trick.size == 0) return hand;
    const std::uint64_t following = hand & std::uint64_t{0x1FFF} << (trick.cards[0] / 13 * 13);
    return following ? following : hand;
  }

 private:
  int strain_;
  std::unordered_map<std::uint64_t, int> known_;
};

}  // namespace

// North-South's tricks after each legal card; -1 for the others. `trick` has `size` cards.
extern "C" void card_values(const std::uint64_t* hands, int strain, int leader, const int* trick, int size, int* values) {
  const Hands held{hands[0], hands[1], hands[2], hands[3]};
  Trick table{leader, size, {}};
  for (int i = 0; i < size; ++i) table.cards[i] = trick[i];
  Minimax oracle(strain);
  for (int card = 0; card < 52; ++card)
    values[card] = Minimax::legal(held, table) >> card & 1 ? oracle.after(held, table, card) : -1;
}
