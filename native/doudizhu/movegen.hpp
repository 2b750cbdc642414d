// Legal moves: leading, following, the constant-time question whether a hand can beat a move, and the readings of cards.
#pragma once
#include <cassert>
#include <cstdint>
#include <vector>

#include "native/doudizhu/move.hpp"
#include "native/doudizhu/rules.hpp"

namespace mingpai::doudizhu {

constexpr int choose(int n, int k) {
    if (n < k) return 0;
    int out = 1;
    for (int i = 1; i <= k; ++i) out = out * (n - k + i) / i;
    return out;
}

// No hand of at most 20 cards has more moves, under any rules. Summed over types, each at its own worst hand: a main part of
// `length` ranks, `copies` each, fits in at most 20 / copies - length + 1 places, and the rest of the hand has at most
// choose(cards, kickers) different sets of kickers (pairs: of half as many units).
constexpr int max_moves() {
    constexpr int kHand = kMaxHandCards;
    int total = 1 + kRanks + kHand / 2 + kHand / 3 + kHand / 4 + 1;  // pass, single, pair, triple, bomb, rocket
    const auto places = [](int copies, int length) {
        const int ranks = kHand / copies < kChainRanks ? kHand / copies : kChainRanks;
        return ranks < length ? 0 : ranks - length + 1;
    };
    total += (kHand / 3) * (kRanks - 1 + kHand / 2);                           // a triple with a single, a pair
    total += (kHand / 4) * (choose(kHand - 4, 2) + choose((kHand - 4) / 2, 2));  // a four with two singles, two pairs
    for (int n = kMinStraight; n <= kChainRanks; ++n) total += places(1, n);
    for (int n = kMinPairStraight; n <= kChainRanks; ++n) total += places(2, n);
    for (int n = kMinAirplane; 3 * n <= kHand; ++n) {
        total += places(3, n) * (1 + choose(kHand - 3 * n, n) + choose((kHand - 3 * n) / 2, n));
    }
    for (int n = kMinFourStraight; 4 * n <= kHand; ++n) {
        total += places(4, n) * (1 + choose(kHand - 4 * n, 2 * n) + choose((kHand - 4 * n) / 2, 2 * n));
    }
    return total;
}

// A list of moves without allocation, filled by the functions below in an order that depends on the cards alone.
class MoveList {
  public:
    static constexpr int kCapacity = max_moves();

    MoveList() {}
    MoveList(const MoveList& other) { *this = other; }
    MoveList& operator=(const MoveList& other) {
        size_ = other.size_;
        for (int i = 0; i < size_; ++i) moves_[i] = other.moves_[i];
        return *this;
    }

    int size() const { return size_; }
    bool empty() const { return size_ == 0; }
    const Move& operator[](int i) const { return moves_[i]; }
    const Move* begin() const { return moves_; }
    const Move* end() const { return moves_ + size_; }
    const Move* data() const { return moves_; }
    void clear() { size_ = 0; }
    void add(const Move& move) {
        assert(size_ < kCapacity);
        moves_[size_++] = move;
    }
    // Adds make(rank) for every rank of the mask. With a cursor of its own, so that no store can alias the size.
    template <class Make>
    void add_each(RankMask ranks, Make make) {
        assert(size_ + core::popcount(ranks) <= kCapacity);
        Move* cursor = moves_ + size_;
        for (; ranks; ranks &= ranks - 1) *cursor++ = make(core::lowest(ranks));
        size_ = static_cast<int>(cursor - moves_);
    }

  private:
    int size_ = 0;
    // In a union, so that creating a list does not write 70 kB of empty moves.
    union {
        Move moves_[kCapacity];
    };
};

// Moves of a seat that leads with `hand` (at most 20 cards).
void lead_moves(Hand hand, const Rules& rules, MoveList& out);
// Moves that beat `last` (no pass), then the pass.
void follow_moves(Hand hand, const Move& last, const Rules& rules, MoveList& out);
// Moves on `last`: leads when it is a pass.
inline void legal_moves(Hand hand, const Move& last, const Rules& rules, MoveList& out) {
    if (last.is_pass()) {
        lead_moves(hand, rules, out);
    } else {
        follow_moves(hand, last, rules, out);
    }
}

// True when some move of `hand` beats `last` (no pass). Constant time.
bool can_beat(Hand hand, const Move& last, const Rules& rules);

// All readings of a set of cards as one move; none when it is no move. Two airplanes (333444555 with 666 or 444555666 with
// 333), the plain airplane, or two fours with pairs (33334444) and the straight of fours: never more than four.
struct Readings {
    static constexpr int kCapacity = 4;
    int size = 0;
    Move moves[kCapacity];

    const Move* begin() const { return moves; }
    const Move* end() const { return moves + size; }
};
Readings classify(Hand cards, const Rules& rules);

// Every move that exists under `rules`, the pass first, in the order of `comes_before`.
std::vector<Move> all_moves(const Rules& rules);
// By type, then length, then rank, then cards.
constexpr bool comes_before(const Move& a, const Move& b) {
    if (a.type != b.type) return a.type < b.type;
    if (a.length != b.length) return a.length < b.length;
    return a.rank != b.rank ? a.rank < b.rank : a.cards < b.cards;
}

// True when `move` is well formed, exists under `rules`, is held by `hand` and may be played on `last` (a pass: as a lead).
bool is_legal(Hand hand, const Move& move, const Move& last, const Rules& rules);

}  // namespace mingpai::doudizhu
