#include "native/abduction/minimiser.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "native/guandan/bots.hpp"

namespace mingpai::abduction {

using namespace guandan;

namespace {

constexpr int kHigh = kOrders - 1;

uint64_t rank_counts(const Cards& cards, int wild) {
    uint64_t counts = 0;
    cards.each([&](int kind) {
        if (kind != wild && kind < kSmallJoker) counts += 1ULL << (4 * rank_of(kind));
    });
    return counts;
}
int at(uint64_t counts, int rank) { return static_cast<int>(counts >> (4 * rank) & 15); }

}  // namespace

Judge::Judge(const Cards& hand, int level)
    : hand_(hand), level_(level), counts_(rank_counts(hand, wild_kind(level))), windows_(flush_windows(hand, level)),
      company_(company(hand)) {}

// Pairs of cards of one suit that a straight flush could hold together, the wild card in its own place included.
int Judge::company(const Cards& cards) const {
    constexpr uint32_t kRankMask = (1u << kRanks) - 1;
    int sum = 0;
    for (int suit = 0; suit < kSuits; ++suit) {
        uint32_t ranks = core::gather_nibbles((cards.once & kSuitedKinds) >> suit) & kRankMask;
        ranks |= (ranks & 1) << kRanks;
        for (int apart = 1; apart < kRunLength; ++apart) sum += core::popcount(ranks & ranks >> apart);
    }
    return sum;
}

Measures Judge::measures(const Play& play) const {
    assert(hand_.contains(play.cards));
    Measures out{};
    const auto set = [&](Rule rule, float value) { out[static_cast<int>(rule)] = value; };
    const Cards rest = hand_ - play.cards;
    set(Rule::SpareWild, play.wilds);
    if (play.is_pass()) return out;
    const int lost = windows_ - flush_windows(rest, level_) - (play.type == Type::StraightFlush ? 1 : 0);
    set(Rule::KeepFlush, static_cast<float>(std::max(0, lost)));
    set(Rule::KeepSuits, static_cast<float>(std::max(0, company_ - company(rest))) / kRunLength);
    const uint64_t after = counts_ - rank_counts(play.cards, wild_kind(level_));
    int bombs = 0, triples = 0, pairs = 0, high = 0;
    for (uint64_t bits = play.cards.once & kSuitedKinds; bits;) {
        const int rank = rank_of(core::lowest(bits));
        bits &= ~(15ULL << (kSuits * rank));
        const int before = at(counts_, rank), left = at(after, rank);
        const bool group = play.type == Type::Bomb && rank == play.rank;
        bombs += before >= kMinBomb && left < kMinBomb && !group;
        triples += before == 3 && left > 0 && left < 3;
        pairs += before == 2 && left == 1;
        if (rank == level_ && rank != play.rank && play.type > Type::Triple) high += before - left;
    }
    set(Rule::KeepBomb, static_cast<float>(bombs));
    set(Rule::KeepTriple, static_cast<float>(triples));
    set(Rule::KeepPair, static_cast<float>(pairs));
    if (play.type == Type::FullHouse) {
        const uint64_t rest_kinds = play.cards.once & ~(15ULL << kSuits * play.rank) & ~(1ULL << wild_kind(level_));
        const int rank = rest_kinds ? rank_of(core::lowest(rest_kinds)) : level_;
        set(Rule::LowKicker, static_cast<float>(order_of(rank, level_)) / kHigh);
        if (rank >= kRanks) high += 2;
    }
    set(Rule::KeepLevel, static_cast<float>(high));
    if (play.type == Type::Bomb) set(Rule::SmallBomb, static_cast<float>(std::max(0, play.size - kMaxListedBomb)));
    return out;
}

size_t least_inconsistent(const Judge& judge, const std::vector<Play>& candidates, const RuleWeights& weights) {
    assert(!candidates.empty());
    if (candidates.size() == 1) return 0;
    size_t best = 0;
    float least = 0;
    for (size_t i = 0; i < candidates.size(); ++i) {
        const float sum = inconsistency(judge.measures(candidates[i]), weights);
        if (i == 0 || sum < least) {
            best = i;
            least = sum;
        }
    }
    return best;
}

std::vector<size_t> least_inconsistent(const Judge& judge, const std::vector<Play>& candidates, const RuleWeights& weights, int most) {
    assert(!candidates.empty() && most > 0);
    if (most == 1) return {least_inconsistent(judge, candidates, weights)};
    std::vector<std::pair<float, size_t>> sums;
    for (size_t i = 0; i < candidates.size(); ++i) sums.emplace_back(inconsistency(judge.measures(candidates[i]), weights), i);
    std::sort(sums.begin(), sums.end());
    std::vector<size_t> out;
    for (size_t i = 0; i < sums.size() && static_cast<int>(out.size()) < most; ++i) {
        if (i == 0 || sums[i].first != sums[i - 1].first) out.push_back(sums[i].second);
    }
    return out;
}

}  // namespace mingpai::abduction
