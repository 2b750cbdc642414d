#include "native/mcm/turns.hpp"

#include <algorithm>

#include "native/doudizhu/move.hpp"

namespace mingpai::mcm {

using namespace doudizhu;

namespace {

// Turns of a hand without straights and pair straights.
int turns_without_chains(Hand hand) {
    const RankMask ones = at_least1(hand), twos = at_least2(hand), threes = at_least3(hand), fours = at_least4(hand);
    const bool rocket = holds(hand, kRocketCards);
    const int singles = core::popcount(ones & ~twos) - (rocket ? 2 : 0), pairs = core::popcount(twos & ~threes);
    const RankMask triples = threes & ~fours;
    // A run of triples is one airplane; the two stands in no chain.
    const RankMask continued = triples & (triples << 1) & kChainMask;
    const int groups = core::popcount(triples) - core::popcount(continued) + core::popcount(fours) + (rocket ? 1 : 0);
    return groups + std::max(0, singles + pairs - core::popcount(triples));
}

int search(Hand hand, int first);

// The best over all chains of `copies` cards a rank that start at `first` or above.
int best_chain(Hand hand, int first, int copies, int shortest, int best) {
    const RankMask ranks = (copies == 1 ? at_least1(hand) : at_least2(hand)) & kChainMask;
    for (RankMask starts = run_starts(ranks, shortest) & ~((1u << first) - 1); starts; starts &= starts - 1) {
        const int start = core::lowest(starts);
        for (int length = shortest; best > 1 && (run_starts(ranks, length) >> start & 1); ++length) {
            best = std::min(best, 1 + search(hand - chain_of(start, length, copies), start));
        }
    }
    return best;
}

int search(Hand hand, int first) {
    int best = turns_without_chains(hand);
    if (best > 1) best = best_chain(hand, first, 1, kMinStraight, best);
    if (best > 1) best = best_chain(hand, first, 2, kMinPairStraight, best);
    return best;
}

}  // namespace

int estimated_turns(Hand hand) { return search(hand, 0); }

int TurnCache::operator()(Hand hand) {
    constexpr uint64_t kSpread = 0x9E3779B97F4A7C15ULL;
    constexpr uint64_t kHandMask = (uint64_t{1} << kHandBits) - 1;
    constexpr int kMostTurns = 15;
    if (hand == 0) return 0;
    uint64_t& entry = entries_[(hand * kSpread) >> (64 - kIndexBits)];
    if ((entry & kHandMask) != hand) {
        entry = hand | static_cast<uint64_t>(std::min(kMostTurns, estimated_turns(hand))) << kHandBits;
    }
    return static_cast<int>(entry >> kHandBits);
}

}  // namespace mingpai::mcm
