// The worth of a hand: the best sum, over its partitions, of the worth of the parts. A part is worth what its rank and kind
// are, less the turn it costs. This is the "remaining value" of RHCP; the weights are settings.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "native/ruleplay/turns.hpp"

namespace mingpai::ruleplay {

struct Weights {
    // Worth of the parts of a partition; one step of rank is worth 1.
    float turn = 7;              // cost of each part
    float ace = 0;               // single A above its rank
    float two = 0;               // single 2, and so on
    float small_joker = 0;
    float big_joker = 0;
    float pair = 0;              // a pair above the single of its rank
    float high_pair = 0;         // a pair of A or 2, additionally
    float triple = 0;
    float straight = 0;
    float straight_card = 0;     // each card of a straight beyond the fifth
    float pair_straight = 0;
    float airplane = 0;
    float bomb = 7;
    float rocket = 20;

    // Added to the worth of what is left, by situation: leading.
    float lead_card = 0;         // each card led
    float single_to_last_card = 0;  // an enemy holds one card: a single costs this, the more the lower
    float pair_to_last_pair = 0;    // an enemy holds two cards: the same for a pair
    float feed_mate = 0;         // the mate holds one card (two): a single (pair) gains this, the more the lower

    // Following an enemy.
    float tempo = 0;             // taking the lead
    float farmer_tempo = 0;      // a farmer, additionally
    float urgent_two = 0;        // the enemy holds at most two cards
    float urgent_five = 0;       // at most five
    float urgent_bomb = 0;       // a bomb when he holds at most three
    float before_mate = 0;       // the farmer after the landlord, whose mate may still play
    float last_turn = 0;         // what is left is one move

    // Following the mate: all are costs but the blocks.
    float over_mate = 0;         // playing over him
    float over_high_mate = 0;    // over a high or large move of his
    float over_short_mate = 0;   // when he holds few cards
    float bomb_over_mate = 0;
    float block = 0;             // raising a low move against the landlord, who plays next
};

struct WeightName {
    const char* name;
    float Weights::*field;
};
// Every weight by name, in the order of the struct.
inline constexpr WeightName kWeightNames[] = {
    {"turn", &Weights::turn},
    {"ace", &Weights::ace},
    {"two", &Weights::two},
    {"small_joker", &Weights::small_joker},
    {"big_joker", &Weights::big_joker},
    {"pair", &Weights::pair},
    {"high_pair", &Weights::high_pair},
    {"triple", &Weights::triple},
    {"straight", &Weights::straight},
    {"straight_card", &Weights::straight_card},
    {"pair_straight", &Weights::pair_straight},
    {"airplane", &Weights::airplane},
    {"bomb", &Weights::bomb},
    {"rocket", &Weights::rocket},
    {"lead_card", &Weights::lead_card},
    {"single_to_last_card", &Weights::single_to_last_card},
    {"pair_to_last_pair", &Weights::pair_to_last_pair},
    {"feed_mate", &Weights::feed_mate},
    {"tempo", &Weights::tempo},
    {"farmer_tempo", &Weights::farmer_tempo},
    {"urgent_two", &Weights::urgent_two},
    {"urgent_five", &Weights::urgent_five},
    {"urgent_bomb", &Weights::urgent_bomb},
    {"before_mate", &Weights::before_mate},
    {"last_turn", &Weights::last_turn},
    {"over_mate", &Weights::over_mate},
    {"over_high_mate", &Weights::over_high_mate},
    {"over_short_mate", &Weights::over_short_mate},
    {"bomb_over_mate", &Weights::bomb_over_mate},
    {"block", &Weights::block},
};
static_assert(sizeof(Weights) == sizeof(float) * std::size(kWeightNames));

// The most parts a partition can have: one chain of at least five cards and a single of every rank.
inline constexpr int kMaxParts = doudizhu::kRanks + 1;

struct Partition {
    std::array<Move, kMaxParts> parts;
    int size = 0;
};

struct Worth {
    float value;
    bool is_one_move;  // the hand can be led as a whole
    uint8_t turns;     // L_min; 0 while nobody has asked
};

// Values hands and remembers them. Not for several threads at once.
class Evaluator {
  public:
    Evaluator(const Rules& rules, const Weights& weights, int worth_bits = kWorthBits, int partition_bits = kPartitionBits);

    const Rules& rules() const { return rules_; }
    const Weights& weights() const { return weights_; }
    const Splitter& splitter() const { return splitter_; }

    // Worth of a hand that is not empty.
    Worth worth(Hand hand) {
        WorthEntry& entry = worths_[(hand * kMix) >> worth_shift_];
        if (entry.hand != hand) [[unlikely]] {
            search(hand);
            entry = {hand, {best_value_, is_one_move(hand), 0}};
        }
        return entry.worth;
    }

    // L_min of a hand, remembered with its worth.
    int turns(Hand hand) {
        worth(hand);
        WorthEntry& entry = worths_[(hand * kMix) >> worth_shift_];
        if (entry.worth.turns == 0) entry.worth.turns = static_cast<uint8_t>(splitter_.min_turns(hand));
        return entry.worth.turns;
    }

    // The partition of greatest value of a hand that is not empty, and the number of its parts.
    void best_partition(Hand hand, Partition& out);

    // Value of one part, its kickers free.
    float part_value(const Move& part) const;

    // The whole hand as one move on `last` (a pass: as a lead); false when it is none.
    bool finishing_move(Hand hand, const Move& last, Move& out);

  private:
    static constexpr int kWorthBits = 16;
    static constexpr int kPartitionBits = 13;
    static constexpr uint64_t kMix = 0x9E3779B97F4A7C15ULL;
    static constexpr int kMaxChains = 4;

    struct Chain {
        uint8_t copies, start, length;
    };
    struct WorthEntry {
        Hand hand;
        Worth worth;
    };
    // Parts packed: 60 bits of cards, 4 bits of type.
    struct PartitionEntry {
        Hand hand;
        std::array<uint64_t, kMaxParts> parts;
        uint8_t size;
    };
    // What the leaf of the search has besides chains.
    struct Leaf {
        RankMask singles, pairs, triples, fours;
        bool rocket;
    };

    bool is_one_move(Hand hand) const;
    void search(Hand hand);
    void extend(Hand hand, Chain last, float value);
    void finish(Hand hand, const RankMask* masks, float value);
    float chain_value(const Chain& chain) const;
    // Kickers for `count` triples: the lowest singles or the lowest pairs outside `barred`, whichever saves more. Takes them
    // from the leaf and returns what they were worth alone (negative), or 0 when none save anything.
    float take_kickers(Leaf& leaf, int count, RankMask barred, Hand& kickers, bool& pairs) const;
    void record(PartitionEntry& entry) const;

    Rules rules_;
    Weights weights_;
    Splitter splitter_;
    std::array<float, doudizhu::kRanks> single_value_, pair_value_, triple_value_, bomb_value_;
    float rocket_value_;
    int worth_shift_, partition_shift_;
    std::vector<WorthEntry> worths_;
    std::vector<PartitionEntry> partitions_;

    // State of the search in progress.
    Chain chains_[kMaxChains], best_chains_[kMaxChains];
    int chain_count_ = 0, best_chain_count_ = 0;
    Hand best_left_ = 0;
    float best_value_ = 0;
};

}  // namespace mingpai::ruleplay
