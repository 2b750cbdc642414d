// Split and LessSplit: the partitions of a hand into legal moves, the fewest turns (L_min) in which a hand can be played out,
// and the moves that occur in some partition of at most L_min + slack parts.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "native/doudizhu/movegen.hpp"

namespace mingpai::ruleplay {

using doudizhu::Hand;
using doudizhu::Move;
using doudizhu::MoveList;
using doudizhu::RankMask;
using doudizhu::Rules;
using doudizhu::Type;

// Ranks of a hand by number of copies. Once chains are taken out, ranks matter no more: only these counts do.
struct Counts {
    int ranks[5] = {0, 0, 0, 0, 0};  // ranks[c]: ranks held exactly c times; jokers count in ranks[1]
    bool rocket = false;             // both jokers are held

    static Counts of(Hand hand);
    int cards() const { return ranks[1] + 2 * ranks[2] + 3 * ranks[3] + 4 * ranks[4]; }
};

// The fewest moves without chains that play out a hand of given counts, by dynamic programming over all counts of at most
// 20 cards; and the same when an airplane of `length` triples, already taken out, may still carry kickers.
class CountTable {
  public:
    static constexpr int kMaxAirplane = 6;
    static constexpr uint8_t kImpossible = 64;

    explicit CountTable(const Rules& rules);

    int turns(const Counts& counts) const { return plain_[index(counts)]; }
    int turns_beside_airplane(const Counts& counts, int length) const { return airplane_[length][index(counts)]; }

  private:
    static constexpr int kOnes = 16, kTwos = 11, kThrees = 7, kFours = 6;
    static constexpr int kSize = 2 * kOnes * kTwos * kThrees * kFours;
    using TurnsByCounts = std::array<uint8_t, kSize>;

    static int index(const Counts& c) {
        return (((c.rocket * kOnes + c.ranks[1]) * kTwos + c.ranks[2]) * kThrees + c.ranks[3]) * kFours + c.ranks[4];
    }
    int fewest(const Counts& counts) const;
    int fewest_beside_airplane(const Counts& counts, int length) const;

    Rules rules_;
    TurnsByCounts plain_;
    std::array<TurnsByCounts, kMaxAirplane + 1> airplane_;
};

class Splitter {
  public:
    explicit Splitter(const Rules& rules);

    const Rules& rules() const { return rules_; }

    // L_min: the size of the smallest partition of a hand of at most 20 cards; 0 for no cards.
    int min_turns(Hand hand) const;

    // Whether a move occurs in some partition of at most L_min + slack parts: `turns` is L_min of the hand.
    bool is_in_small_partition(Hand hand, const Move& move, int turns, int slack) const {
        return 1 + min_turns(hand - move.cards) <= turns + slack;
    }

    // Legal moves on `last` that occur in some partition of at most L_min + slack parts; when following, also the pass.
    std::vector<Move> less_split_moves(Hand hand, const Move& last, int slack) const;

    // All partitions of at most `max_parts` moves, each once; stops after `limit` of them.
    std::vector<std::vector<Move>> partitions(Hand hand, int max_parts, size_t limit) const;

  private:
    Rules rules_;
    std::shared_ptr<const CountTable> table_;
};

}  // namespace mingpai::ruleplay
