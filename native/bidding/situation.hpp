// A decision of the bidding as the benchmark sees it: what is asked (call or rob), what has been bid, and a hand.
#pragma once
#include <algorithm>
#include <cstdint>

#include "native/doudizhu/state.hpp"

namespace mingpai::bidding {

using doudizhu::Bidding;
using doudizhu::Deal;
using doudizhu::Hand;
using doudizhu::kSeats;
using doudizhu::State;

inline constexpr int kAsksCall = 0;  // a score is bid, or the landlord is called
inline constexpr int kAsksRob = 1;   // call and rob: somebody has called
inline constexpr int kAskPhases = 2;
inline constexpr int kBidValues = 3;

struct BidSituation {
    uint8_t phase = kAsksCall;
    uint8_t value = 0;  // the highest score so far; with call and rob the number of calls and robs so far, at most 2

    friend bool operator==(const BidSituation&, const BidSituation&) = default;
};

// The situation of the seat to bid. `raises` counts the calls and robs made so far.
inline BidSituation situation_of(const State& state, int raises) {
    if (state.rules.bidding != Bidding::CallRob) return {kAsksCall, state.status.bid};
    const int phase = state.status.caller == doudizhu::kNobody ? kAsksCall : kAsksRob;
    return {static_cast<uint8_t>(phase), static_cast<uint8_t>(std::min(raises, kBidValues - 1))};
}

}  // namespace mingpai::bidding
