// The inconsistency minimiser: of the concrete plays of a pseudo-action the one that breaks the soft rules least.
//
// The rules are named, weighted and explained in mingpai/methods/abduction/knowledge.toml; here is how much a play breaks
// each of them, a number not below zero.
#pragma once
#include <array>
#include <vector>

#include "native/guandan/round.hpp"

namespace mingpai::abduction {

enum class Rule : uint8_t {
    SpareWild,        // wild cards spent
    KeepFlush,        // straight flushes in the hand that are no more
    KeepBomb,         // bombs of four and more that are no more, but for the bomb played
    KeepTriple,       // triples of which a part is left behind
    KeepPair,         // pairs of which one card is left behind
    LowKicker,        // strength of the pair of a full house, 0..1
    KeepLevel,        // natural level cards and jokers spent as a kicker or in a sequence
    KeepSuits,        // loss of cards that are on the way to a straight flush
    SmallBomb,        // cards of a bomb beyond the fewest
    kCount
};
inline constexpr int kRules = static_cast<int>(Rule::kCount);
inline constexpr const char* kRuleNames[kRules] = {"spare_wild", "keep_flush", "keep_bomb", "keep_triple", "keep_pair",
                                                   "low_kicker", "keep_level", "keep_suits", "small_bomb"};
using Measures = std::array<float, kRules>;
using RuleWeights = std::array<float, kRules>;

// What a hand holds that a play may break; made once for a hand.
class Judge {
  public:
    Judge(const guandan::Cards& hand, int level);
    // How much the play breaks each rule.
    Measures measures(const guandan::Play& play) const;

  private:
    int company(const guandan::Cards& cards) const;

    guandan::Cards hand_;
    int level_;
    uint64_t counts_ = 0;  // a nibble a rank, wild cards left out
    int windows_;
    int company_;
};

// The weighted sum of what a play breaks: its inconsistency. The best candidate has the least.
inline float inconsistency(const Measures& measures, const RuleWeights& weights) {
    float sum = 0;
    for (int i = 0; i < kRules; ++i) sum += measures[i] * weights[i];
    return sum;
}

// The candidate with the least inconsistency, the first of equals; `candidates` is not empty.
size_t least_inconsistent(const Judge& judge, const std::vector<guandan::Play>& candidates, const RuleWeights& weights);
// The `most` candidates with the least inconsistency, best first; of equals only the first, since the rules cannot tell them apart.
std::vector<size_t> least_inconsistent(const Judge& judge, const std::vector<guandan::Play>& candidates, const RuleWeights& weights, int most);

}  // namespace mingpai::abduction
