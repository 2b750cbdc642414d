#include "native/endgame/control.hpp"

#include <algorithm>

namespace mingpai::endgame {
namespace {

using doudizhu::at_least1;
using doudizhu::at_least2;
using doudizhu::at_least3;
using doudizhu::at_least4;

// The balance of low and high moves over the classes.
struct Tally {
    int unpaired = 0;        // low moves without a high move of their class
    int low_cards = 0;       // cards of all low moves
    int largest_unpaired = 0, largest_low = 0;

    void add(int low, int high, int size) {
        if (low > high) {
            unpaired += low - high;
            largest_unpaired = std::max(largest_unpaired, size);
        }
        if (low) {
            low_cards += low * size;
            largest_low = std::max(largest_low, size);
        }
    }
};

bool is_low(uint32_t answers, int rank) { return (answers >> (rank + 1)) != 0; }
bool is_high(uint32_t answers, int rank) { return (answers >> rank) == 0; }

RankMask lows(RankMask mask, uint32_t answers) {
    return answers ? mask & ((1u << core::highest(answers)) - 1) : 0;
}
RankMask highs(RankMask mask, uint32_t answers) {
    return answers ? doudizhu::above(mask, core::highest(answers)) : mask;
}

}  // namespace

void ControlTest::reset(const Rules& rules) {
    is_usable_ = true;
    for (Type type : {Type::Single, Type::Pair, Type::Triple, Type::Straight, Type::PairStraight, Type::Bomb, Type::Rocket}) {
        is_usable_ = is_usable_ && rules.allows(type);
    }
    has_triple_single_ = rules.allows(Type::TripleSingle);
    has_triple_pair_ = rules.allows(Type::TriplePair);
}

bool ControlTest::wins(Hand hand, const Opposition& opposition) const {
    if (!is_usable_ || opposition.ranks[kBomb]) return false;
    tries_ = kMaxTries;
    return wins_with(hand, opposition, {});
}

bool ControlTest::wins_with(Hand hand, const Opposition& opposition, const Chains& chains) const {
    if (wins_without_more_chains(hand, opposition, chains)) return true;
    if (chains.count == kMaxChains || --tries_ < 0) return false;
    const auto try_chains = [&](RankMask mask, Type type, int shortest, int longest, int copies) {
        for (int length = longest; length >= shortest; --length) {
            for (RankMask starts = doudizhu::run_starts(mask, length); starts; starts &= starts - 1) {
                const int start = core::lowest(starts);
                Chains more = chains;
                more.cls[more.count] = class_of(type, length);
                more.rank[more.count++] = static_cast<uint8_t>(start);
                const Hand rest = hand - doudizhu::chain_of(start, length, static_cast<uint64_t>(copies));
                if (wins_with(rest, opposition, more)) return true;
                if (tries_ < 0) return false;
            }
        }
        return false;
    };
    return try_chains(at_least1(hand), Type::Straight, doudizhu::kMinStraight, doudizhu::kChainRanks, 1) ||
           (tries_ >= 0 && try_chains(at_least2(hand), Type::PairStraight, doudizhu::kMinPairStraight,
                                      doudizhu::kMaxHandCards / 2, 2));
}

bool ControlTest::wins_without_more_chains(Hand hand, const Opposition& opposition, const Chains& chains) const {
    const uint16_t* answers = opposition.ranks;
    int bombs = core::popcount(at_least4(hand));
    if ((hand & doudizhu::kRocketCards) == doudizhu::kRocketCards) {
        ++bombs;
        hand &= ~doudizhu::kRocketCards;
    }
    const RankMask ones = at_least1(hand) & ~at_least2(hand), twos = at_least2(hand) & ~at_least3(hand);
    int low_singles = core::popcount(lows(ones, answers[kSingle]));
    int low_pairs = core::popcount(lows(twos, answers[kPair]));
    const int high_singles = core::popcount(highs(ones, answers[kSingle]));
    const int high_pairs = core::popcount(highs(twos, answers[kPair]));

    // Triples carry low singles first, then low pairs.
    int low_triples[3] = {}, high_triples[3] = {};
    for (RankMask threes = at_least3(hand) & ~at_least4(hand); threes; threes &= threes - 1) {
        Class cls = kTriple;
        if (low_singles && has_triple_single_) {
            cls = kTripleSingle;
            --low_singles;
        } else if (low_pairs && has_triple_pair_) {
            cls = kTriplePair;
            --low_pairs;
        }
        ++(is_low(answers[cls], core::lowest(threes)) ? low_triples : high_triples)[cls - kTriple];
    }

    Tally tally;
    tally.add(low_singles, high_singles, size_of_class(kSingle));
    tally.add(low_pairs, high_pairs, size_of_class(kPair));
    for (Class cls : {kTriple, kTripleSingle, kTriplePair}) {
        tally.add(low_triples[cls - kTriple], high_triples[cls - kTriple], size_of_class(cls));
    }
    for (int i = 0; i < chains.count; ++i) {
        const Class cls = chains.cls[i];
        if (std::find(chains.cls, chains.cls + i, cls) != chains.cls + i) continue;
        int low = 0, high = 0;
        for (int j = i; j < chains.count; ++j) {
            if (chains.cls[j] != cls) continue;
            low += is_low(answers[cls], chains.rank[j]);
            high += is_high(answers[cls], chains.rank[j]);
        }
        tally.add(low, high, size_of_class(cls));
    }
    if (tally.unpaired > bombs + 1) return false;
    const int last = tally.unpaired == bombs + 1 ? tally.largest_unpaired : tally.largest_low;
    return tally.low_cards - last < opposition.fewest_cards;
}

}  // namespace mingpai::endgame
