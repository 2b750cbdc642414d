#include "native/ruleplay/value.hpp"

#include <algorithm>
#include <cassert>

namespace mingpai::ruleplay {

using core::highest;
using core::lowest;
using doudizhu::at_least1;
using doudizhu::at_least2;
using doudizhu::at_least3;
using doudizhu::at_least4;
using doudizhu::cards_of;
using doudizhu::chain_of;
using doudizhu::kRanks;
using doudizhu::kRocketCards;

namespace {

// A part of this rank (T) is worth nothing but its turn.
constexpr int kNeutralRank = 7;
// Airplanes carry cards away, so their rank counts half.
constexpr float kAirplaneSlope = 0.5f;
constexpr float kWorst = -1e9f;
constexpr Hand kNoHand = ~Hand{0};
constexpr int kTypeShift = 4 * kRanks;
constexpr Hand kCardBits = (Hand{1} << kTypeShift) - 1;
constexpr int kChainCopies = 3;
constexpr int kShortest[kChainCopies + 1] = {0, doudizhu::kMinStraight, doudizhu::kMinPairStraight, doudizhu::kMinAirplane};

float rank_value(int rank) { return static_cast<float>(rank - kNeutralRank); }

uint64_t packed(Hand cards, Type type) { return cards | (static_cast<uint64_t>(type) << kTypeShift); }

// Rank and length of the main part follow from the cards: at least three copies in an airplane or triple, else the lowest rank.
Move unpacked(uint64_t part) {
    Move move;
    move.cards = part & kCardBits;
    move.type = static_cast<Type>(part >> kTypeShift);
    const doudizhu::Shape shape = doudizhu::shape_of(move.type);
    move.size = static_cast<uint8_t>(doudizhu::card_count(move.cards));
    move.rank = static_cast<uint8_t>(shape.kickers ? lowest(at_least3(move.cards)) : lowest(move.cards) / 4);
    move.length = static_cast<uint8_t>(shape.is_chain() ? move.size / shape.size(1) : 1);
    return move;
}

}  // namespace

Evaluator::Evaluator(const Rules& rules, const Weights& weights, int worth_bits, int partition_bits)
    : rules_(rules), weights_(weights), splitter_(rules), worth_shift_(64 - worth_bits), partition_shift_(64 - partition_bits),
      worths_(size_t{1} << worth_bits, {kNoHand, {0, false, 0}}), partitions_(size_t{1} << partition_bits) {
    for (auto& entry : partitions_) entry.hand = kNoHand;
    const Weights& w = weights_;
    for (int rank = 0; rank < kRanks; ++rank) {
        float value = rank_value(rank) - w.turn;
        if (rank == doudizhu::kAce) value += w.ace;
        if (rank == doudizhu::kTwo) value += w.two;
        if (rank == doudizhu::kSmallJoker) value += w.small_joker;
        if (rank == doudizhu::kBigJoker) value += w.big_joker;
        single_value_[rank] = value;
        pair_value_[rank] = value + w.pair + (rank >= doudizhu::kAce ? w.high_pair : 0);
        triple_value_[rank] = value + w.triple;
        bomb_value_[rank] = value + w.bomb;
    }
    rocket_value_ = w.rocket - w.turn;
}

float Evaluator::chain_value(const Chain& chain) const {
    const float top = rank_value(chain.start + chain.length - 1);
    switch (chain.copies) {
        case 1:
            return top + weights_.straight + weights_.straight_card * static_cast<float>(chain.length - kShortest[1]) -
                   weights_.turn;
        case 2:
            return top + weights_.pair_straight - weights_.turn;
        default:
            return kAirplaneSlope * top + weights_.airplane - weights_.turn;
    }
}

float Evaluator::part_value(const Move& part) const {
    switch (part.type) {
        case Type::Pass:
            return 0;
        case Type::Single:
            return single_value_[part.rank];
        case Type::Pair:
            return pair_value_[part.rank];
        case Type::Triple:
        case Type::TripleSingle:
        case Type::TriplePair:
            return triple_value_[part.rank];
        case Type::Rocket:
            return rocket_value_;
        case Type::Straight:
            return chain_value({1, part.rank, part.length});
        case Type::PairStraight:
            return chain_value({2, part.rank, part.length});
        case Type::Airplane:
        case Type::AirplaneSingles:
        case Type::AirplanePairs:
            return chain_value({3, part.rank, part.length});
        default:
            return bomb_value_[part.rank];
    }
}

bool Evaluator::is_one_move(Hand hand) const {
    const RankMask ones = at_least1(hand), twos = at_least2(hand);
    if (at_least3(hand)) return doudizhu::classify(hand, rules_).size > 0;
    if ((ones & (ones - 1)) == 0 || hand == kRocketCards) return true;
    const RankMask run = ones >> lowest(ones);
    const bool is_run = (run & (run + 1)) == 0 && (ones & ~doudizhu::kChainMask) == 0;
    if (!is_run || (twos && twos != ones)) return false;
    return core::popcount(ones) >= (twos ? doudizhu::kMinPairStraight : doudizhu::kMinStraight);
}

void Evaluator::search(Hand hand) {
    best_value_ = kWorst;
    chain_count_ = 0;
    extend(hand, {0, 0, 0}, 0);
    assert(best_value_ > kWorst && chain_count_ == 0);
}

void Evaluator::extend(Hand hand, Chain last, float value) {
    assert(chain_count_ <= kMaxChains);
    const RankMask masks[5] = {0, at_least1(hand), at_least2(hand), at_least3(hand), at_least4(hand)};
    finish(hand, masks, value);
    if (chain_count_ == kMaxChains) return;
    RankMask starts = doudizhu::run_starts(masks[1], kShortest[1]) | doudizhu::run_starts(masks[2], kShortest[2]) |
                      doudizhu::run_starts(masks[3], kShortest[3]);
    for (starts = starts >> last.start << last.start; starts; starts &= starts - 1) {
        const int start = lowest(starts);
        for (int copies = 1; copies <= kChainCopies; ++copies) {
            if (start == last.start && copies < last.copies) continue;
            const int longest = lowest(~((masks[copies] & doudizhu::kChainMask) >> start));
            const int again = start == last.start && copies == last.copies ? last.length : 0;
            for (int length = longest; length >= std::max(kShortest[copies], again); --length) {
                const Chain chain{static_cast<uint8_t>(copies), static_cast<uint8_t>(start), static_cast<uint8_t>(length)};
                chains_[chain_count_++] = chain;
                extend(hand - chain_of(start, length, static_cast<uint64_t>(copies)), chain, value + chain_value(chain));
                --chain_count_;
            }
        }
    }
}

float Evaluator::take_kickers(Leaf& leaf, int count, RankMask barred, Hand& kickers, bool& pairs) const {
    RankMask singles = leaf.singles & ~barred, doubles = leaf.pairs & ~barred;
    float single_sum = 0, pair_sum = 0;
    Hand single_cards = 0, pair_cards = 0;
    int single_count = 0, pair_count = 0;
    for (; single_count < count && singles; ++single_count, singles &= singles - 1) {
        single_sum += single_value_[lowest(singles)];
        single_cards += cards_of(lowest(singles));
    }
    for (; pair_count < count && doubles; ++pair_count, doubles &= doubles - 1) {
        pair_sum += pair_value_[lowest(doubles)];
        pair_cards += cards_of(lowest(doubles), 2);
    }
    if (single_count < count) single_sum = 0;
    if (pair_count < count) pair_sum = 0;
    kickers = 0;
    if (single_sum >= 0 && pair_sum >= 0) return 0;
    pairs = pair_sum < single_sum;
    kickers = pairs ? pair_cards : single_cards;
    (pairs ? leaf.pairs : leaf.singles) &= ~at_least1(kickers);
    return pairs ? pair_sum : single_sum;
}

void Evaluator::finish(Hand hand, const RankMask* masks, float value) {
    Leaf leaf{masks[1] & ~masks[2], masks[2] & ~masks[3], masks[3] & ~masks[4], masks[4], false};
    if ((hand & kRocketCards) == kRocketCards) {
        value += rocket_value_;
        leaf.singles &= doudizhu::below(leaf.singles, doudizhu::kSmallJoker);
    }
    for (RankMask m = leaf.singles; m; m &= m - 1) value += single_value_[lowest(m)];
    for (RankMask m = leaf.pairs; m; m &= m - 1) value += pair_value_[lowest(m)];
    for (RankMask m = leaf.triples; m; m &= m - 1) value += triple_value_[lowest(m)];
    for (RankMask m = leaf.fours; m; m &= m - 1) value += bomb_value_[lowest(m)];
    Hand kickers;
    bool pairs = false;
    for (int i = 0; i < chain_count_; ++i) {
        const Chain& chain = chains_[i];
        if (chain.copies != 3) continue;
        value -= take_kickers(leaf, chain.length, at_least1(chain_of(chain.start, chain.length, 1)), kickers, pairs);
    }
    for (RankMask m = leaf.triples; m; m &= m - 1) {
        const float saved = take_kickers(leaf, 1, 0, kickers, pairs);
        if (saved == 0) break;
        value -= saved;
    }
    if (value > best_value_) {
        best_value_ = value;
        best_left_ = hand;
        best_chain_count_ = chain_count_;
        std::copy_n(chains_, chain_count_, best_chains_);
    }
}

// Builds the best partition again, taking kickers in the same order as `finish` did.
void Evaluator::record(PartitionEntry& entry) const {
    const Hand hand = best_left_;
    const RankMask ones = at_least1(hand), twos = at_least2(hand), threes = at_least3(hand), fours = at_least4(hand);
    Leaf leaf{ones & ~twos, twos & ~threes, threes & ~fours, fours, (hand & kRocketCards) == kRocketCards};
    if (leaf.rocket) leaf.singles &= doudizhu::below(leaf.singles, doudizhu::kSmallJoker);
    entry.size = 0;
    const auto put = [&entry](Hand cards, Type type) { entry.parts[entry.size++] = packed(cards, type); };
    Hand kickers;
    bool pairs = false;
    for (int i = 0; i < best_chain_count_; ++i) {
        const Chain& chain = best_chains_[i];
        const Hand cards = chain_of(chain.start, chain.length, chain.copies);
        if (chain.copies == 3) {
            take_kickers(leaf, chain.length, at_least1(cards), kickers, pairs);
            put(cards + kickers, kickers == 0 ? Type::Airplane : pairs ? Type::AirplanePairs : Type::AirplaneSingles);
        } else {
            put(cards, chain.copies == 1 ? Type::Straight : Type::PairStraight);
        }
    }
    for (RankMask m = leaf.triples; m; m &= m - 1) {
        take_kickers(leaf, 1, 0, kickers, pairs);
        put(cards_of(lowest(m), 3) + kickers, kickers == 0 ? Type::Triple : pairs ? Type::TriplePair : Type::TripleSingle);
    }
    for (RankMask m = leaf.singles; m; m &= m - 1) put(cards_of(lowest(m)), Type::Single);
    for (RankMask m = leaf.pairs; m; m &= m - 1) put(cards_of(lowest(m), 2), Type::Pair);
    for (RankMask m = leaf.fours; m; m &= m - 1) put(cards_of(lowest(m), 4), Type::Bomb);
    if (leaf.rocket) put(kRocketCards, Type::Rocket);
}

void Evaluator::best_partition(Hand hand, Partition& out) {
    PartitionEntry& entry = partitions_[(hand * kMix) >> partition_shift_];
    if (entry.hand != hand) {
        search(hand);
        record(entry);
        entry.hand = hand;
    }
    out.size = entry.size;
    for (int i = 0; i < out.size; ++i) out.parts[i] = unpacked(entry.parts[i]);
}

bool Evaluator::finishing_move(Hand hand, const Move& last, Move& out) {
    if (!worth(hand).is_one_move) return false;
    for (const Move& reading : doudizhu::classify(hand, rules_)) {
        if (!last.is_pass() && !doudizhu::beats(reading, last)) continue;
        out = reading;
        return true;
    }
    return false;
}

}  // namespace mingpai::ruleplay
