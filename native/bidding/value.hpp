// What a hand of 17 cards is worth as landlord before the bottom cards are seen: the logarithm of the odds of winning, fitted
// to games of the rule players (experiments/bidding_value.py). Frozen: the population bids by it.
#pragma once
#include "native/bidding/situation.hpp"

namespace mingpai::bidding {

// Numbers of a hand that its worth is a weighted sum of.
enum ValueFeature : int {
    kOne,         // constant
    kBigJokers,   // 0 or 1
    kSmallJokers,
    kRockets,     // both jokers
    kTwos,
    kAces,
    kKings,
    kBombs,       // fours
    kTriples,     // ranks held exactly three times
    kLoose,       // ranks from 3 to T held once that stand in no run of five: cards that need help to go out
    kValueFeatures,
};
inline constexpr const char* kValueFeatureNames[] = {"one", "big_joker", "small_joker", "rocket", "twos", "aces", "kings", "bombs",
                                                     "triples", "loose"};
static_assert(std::size(kValueFeatureNames) == kValueFeatures);

void value_features(Hand hand, double* out);
double hand_value(Hand hand);

// The value above which a neutral player bids, by phase and bid value. Nobody is asked to rob before a call.
inline constexpr double kThresholds[kAskPhases][kBidValues] = {{0.0, 0.2, 0.4}, {0.0, 0.1, 0.35}};
constexpr double threshold(const BidSituation& situation) { return kThresholds[situation.phase][situation.value]; }

}  // namespace mingpai::bidding
