#include "native/bidding/value.hpp"

namespace mingpai::bidding {
namespace {

constexpr double kWeights[kValueFeatures] = {-1.406, 0.828, 0.687, 0.002, 0.271, 0.159, 0.088, 0.538, 0.191, -0.101};

constexpr int kTen = 7;

doudizhu::RankMask loose_ranks(Hand hand) {
    const doudizhu::RankMask held = doudizhu::at_least1(hand);
    doudizhu::RankMask in_run = 0;
    const doudizhu::RankMask starts = doudizhu::run_starts(held, doudizhu::kMinStraight);
    for (int i = 0; i < doudizhu::kMinStraight; ++i) in_run |= starts << i;
    return doudizhu::below(held & ~doudizhu::at_least2(hand) & ~in_run, kTen + 1);
}

}  // namespace

void value_features(Hand hand, double* out) {
    const int big = doudizhu::count_of(hand, doudizhu::kBigJoker), small = doudizhu::count_of(hand, doudizhu::kSmallJoker);
    out[kOne] = 1;
    out[kBigJokers] = big;
    out[kSmallJokers] = small;
    out[kRockets] = big * small;
    out[kTwos] = doudizhu::count_of(hand, doudizhu::kTwo);
    out[kAces] = doudizhu::count_of(hand, doudizhu::kAce);
    out[kKings] = doudizhu::count_of(hand, doudizhu::kAce - 1);
    out[kBombs] = core::popcount(doudizhu::at_least4(hand));
    out[kTriples] = core::popcount(doudizhu::at_least3(hand) & ~doudizhu::at_least4(hand));
    out[kLoose] = core::popcount(loose_ranks(hand));
}

double hand_value(Hand hand) {
    double features[kValueFeatures], sum = 0;
    value_features(hand, features);
    for (int i = 0; i < kValueFeatures; ++i) sum += kWeights[i] * features[i];
    return sum;
}

}  // namespace mingpai::bidding
