#include "native/guandan/plan.hpp"

#include <algorithm>

namespace mingpai::guandan {
namespace {

constexpr uint64_t kNibbles = 0x1111111111111111ULL;
constexpr uint32_t kRankMask = (1u << kRanks) - 1;
constexpr float kImpossible = 1e6f;

uint64_t nibble_counts(uint64_t x) {
    x -= (x >> 1) & 0x5555555555555555ULL;
    return (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
}
uint64_t rank_counts(const Cards& natural) { return nibble_counts(natural.once) + nibble_counts(natural.twice); }
uint32_t at_least(uint64_t counts, int n) {
    return core::gather_nibbles((counts + (8 - static_cast<uint64_t>(n)) * kNibbles) >> 3) & kRankMask;
}
constexpr uint64_t one_of(int rank) { return 1ULL << (4 * (rank % kRanks)); }
uint32_t with_high_ace(uint32_t ranks) { return ranks | (ranks & 1) << kRanks; }

// Nibbles of `copies` cards at `length` consecutive ranks from `start`.
struct Windows {
    uint64_t straight[kRunStarts]{}, tube[kTubeStarts]{}, plate[kPlateStarts]{};
    constexpr Windows() {
        for (int s = 0; s < kRunStarts; ++s) {
            for (int i = 0; i < kRunLength; ++i) straight[s] += one_of(s + i);
        }
        for (int s = 0; s < kTubeStarts; ++s) {
            for (int i = 0; i < kTubeSlots; ++i) tube[s] += 2 * one_of(s + i);
        }
        for (int s = 0; s < kPlateStarts; ++s) {
            for (int i = 0; i < kPlateSlots; ++i) plate[s] += 3 * one_of(s + i);
        }
    }
};
constexpr Windows kWindows;

// Up to two equal cards that stay apart from other groups.
void add_copies(Plan& plan, int rank, int count, const Costs& costs) {
    if (count == 2 && costs.pair[rank] <= 2 * costs.single[rank]) return plan.add(Type::Pair, rank, 2);
    for (int i = 0; i < count; ++i) plan.add(Type::Single, rank, 1);
}

}  // namespace

float Planner::jokers_cost(const Cards& hand, Plan* plan) const {
    const int small = hand.count(kSmallJoker), big = hand.count(kBigJoker);
    const auto apart = [](int n, float single, float pair) { return n == 2 ? std::min(pair, 2 * single) : static_cast<float>(n) * single; };
    const float split = apart(small, costs_.single[kRankSmall], costs_.pair[kRankSmall]) +
                        apart(big, costs_.single[kRankBig], costs_.pair[kRankBig]);
    const bool bomb = small == 2 && big == 2 && costs_.joker_bomb < split;
    if (plan && bomb) plan->add(Type::JokerBomb, 0, small + big);
    if (plan && !bomb) {
        add_copies(*plan, kRankSmall, small, costs_);
        add_copies(*plan, kRankBig, big, costs_);
    }
    return bomb ? costs_.joker_bomb : split;
}

// Groups of equal ranks only. Pairs ride on triples, the dearest first.
template <class Add>
float Planner::groups_cost(uint64_t counts, Add&& add) const {
    const uint32_t two = at_least(counts, 2), three = at_least(counts, 3), four = at_least(counts, kMinBomb);
    float sum = 0;
    for (uint32_t rest = at_least(counts, 1) & ~two; rest; rest &= rest - 1) {
        const int rank = core::lowest(rest);
        sum += costs_.single[rank];
        add(Type::Single, rank, 1);
    }
    for (uint32_t rest = four; rest; rest &= rest - 1) {
        const int rank = core::lowest(rest), size = static_cast<int>(counts >> (4 * rank) & 15);
        sum += costs_.bomb[size];
        add(Type::Bomb, rank, size);
    }
    float pairs[kRanks];
    int pair_ranks[kRanks];
    int pair_count = 0;
    for (uint32_t rest = two & ~three; rest; rest &= rest - 1) {
        const int rank = core::lowest(rest);
        const float cost = costs_.pair[rank];
        int at = pair_count++;
        for (; at > 0 && pairs[at - 1] < cost; --at) {
            pairs[at] = pairs[at - 1];
            pair_ranks[at] = pair_ranks[at - 1];
        }
        pairs[at] = cost;
        pair_ranks[at] = rank;
    }
    const uint32_t triples = three & ~four;
    int riders = std::min(core::popcount(triples), pair_count);
    for (int i = riders; i < pair_count; ++i) {
        sum += pairs[i];
        add(Type::Pair, pair_ranks[i], 2);
    }
    // The first `riders` pairs cost nothing, but turn triples into full houses: the lowest ones, in order of rank.
    for (uint32_t rest = triples; rest; rest &= rest - 1) {
        const int rank = core::lowest(rest);
        const bool carries = riders > 0 && pairs[riders - 1] > 0;
        if (carries) {
            sum += costs_.full_house[rank];
            --riders;
            add(Type::FullHouse, rank, kRunLength);
        } else {
            sum += costs_.triple[rank];
            add(Type::Triple, rank, 3);
            if (riders > 0) {
                sum += pairs[--riders];
                add(Type::Pair, pair_ranks[riders], 2);
            }
        }
    }
    return sum;
}
float Planner::groups_cost(uint64_t counts) const {
    return groups_cost(counts, [](Type, int, int) {});
}

// Each wild card goes where it helps most: alone, or to the group it improves.
float Planner::place_wilds(uint64_t counts, int wilds, Placed* placed) const {
    Placed inner{counts, wilds};
    if (placed) *placed = inner;
    float best = groups_cost(counts) + (wilds == 2 ? std::min(costs_.pair[level_], 2 * costs_.single[level_])
                                                   : static_cast<float>(wilds) * costs_.single[level_]);
    const uint32_t bounds[] = {at_least(counts, 1), at_least(counts, 2), at_least(counts, 3), at_least(counts, 4)};
    for (int held = 1; held <= 4; ++held) {
        const uint32_t ranks = held == 4 ? bounds[3] : bounds[held - 1] & ~bounds[held];
        if (!ranks) continue;
        // Low groups gain most from another card; bombs most from the highest rank.
        const int rank = held >= 3 ? core::highest(ranks) : core::lowest(ranks & ~1u ? ranks & ~1u : ranks);
        const auto take = [&](float cost, const Placed& here) {
            if (cost >= best) return;
            best = cost;
            if (placed) *placed = here;
        };
        if (wilds == 2 && held >= 3) take(groups_cost(counts + 2 * one_of(rank)), {counts + 2 * one_of(rank), 0});
        const uint64_t more = counts + one_of(rank);
        if (wilds == 2) {
            const float cost = place_wilds(more, 1, placed ? &inner : nullptr);
            take(cost, inner);
        } else {
            take(groups_cost(more), {more, 0});
        }
    }
    return best;
}

float Planner::rest_cost(const Ranks& ranks) const {
    return ranks.wilds ? place_wilds(ranks.counts, ranks.wilds) : groups_cost(ranks.counts);
}

// Takes sequences out one after the other, in order of their number, so that no set of them is tried twice.
void Planner::search(const Ranks& ranks, float spent, int from) {
    const float total = spent + rest_cost(ranks);
    if (total < best_) {
        best_ = total;
        found_ = trying_;
        found_.ranks = ranks;
    }
    if (--left_ <= 0) return;
    // Natural bombs are not broken for a sequence, unless spare cards are left over.
    const uint64_t counts = ranks.counts;
    const uint32_t four = at_least(counts, 4), five = at_least(counts, 5), six = at_least(counts, 6), seven = at_least(counts, 7);
    const uint32_t one = with_high_ace(at_least(counts, 1) & ~(four & ~five));
    const uint32_t two = with_high_ace(at_least(counts, 2) & ~(four & ~six));
    const uint32_t three = with_high_ace(at_least(counts, 3) & ~(four & ~seven));
    uint32_t plates = three & three >> 1 & ((1u << kPlateStarts) - 1);
    uint32_t tubes = two & two >> 1 & two >> 2 & ((1u << kTubeStarts) - 1);
    uint32_t straights = one & one >> 1 & one >> 2 & one >> 3 & one >> 4 & ((1u << kRunStarts) - 1);
    int number = 0;
    const auto take = [&](const Ranks& rest, float cost) {
        trying_.sequences[static_cast<size_t>(trying_.count++)] = static_cast<uint8_t>(number);
        search(rest, spent + cost, number);
        --trying_.count;
    };
    for (int s = 0; s < kPlateStarts; ++s, ++number) {
        if (number >= from && plates >> s & 1) take({counts - kWindows.plate[s], ranks.wilds}, costs_.plate[s]);
        if (left_ <= 0) return;
    }
    for (int s = 0; s < kTubeStarts; ++s, ++number) {
        if (number >= from && tubes >> s & 1) take({counts - kWindows.tube[s], ranks.wilds}, costs_.tube[s]);
        if (left_ <= 0) return;
    }
    for (int s = 0; s < kRunStarts; ++s, ++number) {
        if (number < from) continue;
        if (straights >> s & 1) {
            take({counts - kWindows.straight[s], ranks.wilds}, costs_.straight[s]);
        } else if (ranks.wilds && core::popcount(one >> s & 31) == kRunLength - 1) {
            const int gap = (s + core::lowest(~(one >> s) & 31)) % kRanks;
            take({counts - kWindows.straight[s] + one_of(gap), ranks.wilds - 1}, costs_.straight[s]);
        }
        if (left_ <= 0) return;
    }
}

// Without a straight flush, then with each one of the hand; the search below handles the rest.
void Planner::try_flushes(const Cards& natural, int wilds, float spent) {
    left_ = nodes_;
    trying_ = {};
    search({rank_counts(natural), wilds}, spent, 0);
    for (int suit = 0; suit < kSuits; ++suit) {
        const uint32_t ranks = with_high_ace(core::gather_nibbles(natural.once >> suit) & kRankMask);
        for (int s = 0; s < kRunStarts; ++s) {
            const uint32_t present = ranks >> s & 31;
            const int missing = kRunLength - core::popcount(present);
            if (missing > std::min(wilds, 1)) continue;
            Cards rest = natural;
            for (int i = 0; i < kRunLength; ++i) {
                if (present >> i & 1) rest.remove(kind_of((s + i) % kRanks, suit));
            }
            left_ = nodes_;
            const float here = spent + costs_.straight_flush;
            trying_.flush = s;
            search({rank_counts(rest), wilds - missing}, here, 0);
        }
    }
}

float Planner::cost(const Cards& hand) {
    const uint64_t wild = 1ULL << wild_kind(level_);
    const Cards natural{hand.once & kSuitedKinds & ~wild, hand.twice & kSuitedKinds & ~wild};
    best_ = kImpossible;
    try_flushes(natural, hand.count(wild_kind(level_)), jokers_cost(hand));
    return best_;
}

Plan Planner::plan(const Cards& hand) {
    Plan out;
    if (hand.empty()) return out;
    out.cost = cost(hand);
    jokers_cost(hand, &out);
    if (found_.flush != kNobody) out.add(Type::StraightFlush, found_.flush, kRunLength);
    for (int i = 0; i < found_.count; ++i) {
        int number = found_.sequences[static_cast<size_t>(i)];
        if (number < kPlateStarts) {
            out.add(Type::Plate, number, kPlateSlots * 3);
        } else if ((number -= kPlateStarts) < kTubeStarts) {
            out.add(Type::Tube, number, kTubeSlots * 2);
        } else {
            out.add(Type::Straight, number - kTubeStarts, kRunLength);
        }
    }
    Placed placed{found_.ranks.counts, 0};
    if (found_.ranks.wilds) place_wilds(found_.ranks.counts, found_.ranks.wilds, &placed);
    groups_cost(placed.counts, [&](Type type, int rank, int size) { out.add(type, rank, size); });
    add_copies(out, level_, placed.alone, costs_);
    return out;
}

}  // namespace mingpai::guandan
