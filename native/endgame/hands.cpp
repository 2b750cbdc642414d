#include "native/endgame/hands.hpp"

#include <algorithm>
#include <array>
#include <cassert>

namespace mingpai::endgame {
namespace {

using doudizhu::at_least1;
using doudizhu::at_least2;
using doudizhu::at_least3;
using doudizhu::at_least4;
using doudizhu::chain_of;
using doudizhu::count_of;
using doudizhu::kRanks;
using doudizhu::run_starts;

// Ranks inside runs of at least `length`.
RankMask in_runs(RankMask mask, int length) {
    RankMask starts = run_starts(mask, length), out = 0;
    for (int i = 0; i < length; ++i) out |= starts << i;
    return out;
}

// Ranks in some straight, pair straight or run of triples of the hand, whatever the rules allow: a run of fours is one of triples.
RankMask chain_ranks(Hand hand) {
    return in_runs(at_least1(hand), doudizhu::kMinStraight) | in_runs(at_least2(hand), doudizhu::kMinPairStraight) |
           in_runs(at_least3(hand), doudizhu::kMinAirplane);
}

constexpr int chain_kind_index(Type type) {
    int index = 0;
    for (const ChainKind& kind : kChainKinds) {
        if (kind.type == type) return index;
        ++index;
    }
    return -1;
}

constexpr std::array<int, std::size(kChainKinds)> first_chain_classes() {
    std::array<int, std::size(kChainKinds)> out{};
    int next = kFirstChain, i = 0;
    for (const ChainKind& kind : kChainKinds) {
        out[i++] = next;
        next += kind.longest - kind.shortest + 1;
    }
    return out;
}
constexpr auto kFirstChainClasses = first_chain_classes();

int chain_index(Class cls) {
    int index = static_cast<int>(std::size(kChainKinds)) - 1;
    while (kFirstChainClasses[index] > cls) --index;
    return index;
}
int chain_length(Class cls) {
    const int index = chain_index(cls);
    return cls - kFirstChainClasses[index] + kChainKinds[index].shortest;
}

}  // namespace

Class class_of(Type type, int length) {
    switch (type) {
        case Type::Pass: return kNoClass;
        case Type::Single: return kSingle;
        case Type::Pair: return kPair;
        case Type::Triple: return kTriple;
        case Type::TripleSingle: return kTripleSingle;
        case Type::TriplePair: return kTriplePair;
        case Type::FourSingles: return kFourSingles;
        case Type::FourPairs: return kFourPairs;
        case Type::Bomb:
        case Type::Rocket: return kBomb;
        default: break;
    }
    const int index = chain_kind_index(type);
    assert(length >= kChainKinds[index].shortest && length <= kChainKinds[index].longest);
    return static_cast<Class>(kFirstChainClasses[index] + length - kChainKinds[index].shortest);
}

int size_of_class(Class cls) {
    static constexpr int kPlainSizes[kFirstChain] = {0, 1, 2, 3, 4, 5, 6, 8, 4};
    if (cls < kFirstChain) return kPlainSizes[cls];
    return doudizhu::shape_of(kChainKinds[chain_index(cls)].type).size(chain_length(cls));
}

Move move_of(Hand cards, Class cls, int rank) {
    static constexpr Type kPlainTypes[kFirstChain] = {Type::Pass,       Type::Single,      Type::Pair,      Type::Triple, Type::TripleSingle,
                                                      Type::TriplePair, Type::FourSingles, Type::FourPairs, Type::Bomb};
    Move move;
    if (cls == kNoClass) return move;
    const bool is_chain = cls >= kFirstChain;
    move.cards = cards;
    move.type = is_chain ? kChainKinds[chain_index(cls)].type : kPlainTypes[cls];
    if (cls == kBomb && rank == doudizhu::kSmallJoker) move.type = Type::Rocket;
    move.rank = static_cast<uint8_t>(rank);
    move.length = static_cast<uint8_t>(is_chain ? chain_length(cls) : 1);
    move.size = static_cast<uint8_t>(doudizhu::card_count(cards));
    return move;
}

Raising Raising::under(const Rules& rules) {
    const int limit = std::min(rules.same_kicker_limit, rules.beside_kicker_limit);
    return {limit >= 2, limit >= 4, rules.both_jokers_as_kickers};
}

void* HandTable::Arena::take_bytes(size_t bytes) {
    bytes = (bytes + kAlign - 1) / kAlign * kAlign;
    assert(bytes <= kBlock);
    if (!blocks_.empty() && offset_ + bytes > kBlock) ++block_, offset_ = 0;
    if (block_ >= blocks_.size()) blocks_.emplace_back(new std::byte[kBlock]);
    void* place = blocks_[block_].get() + offset_;
    offset_ += bytes;
    return place;
}

void HandTable::reset(Hand root, const Rules& rules) {
    rules_ = rules;
    raising_ = Raising::under(rules);
    drop_infos();
    for (uint32_t number : estimated_) turns_[number] = 0;
    estimated_.clear();
    arena_.reset();
    root_ones_ = at_least1(root);
    root_twos_ = at_least2(root);
    size_ = 1;
    for (int rank = 0; rank < kRanks; ++rank) {
        strides_[rank] = size_;
        radixes_[rank] = static_cast<uint8_t>(count_of(root, rank) + 1);
        size_ *= radixes_[rank];
    }
    if (infos_.size() < size_) {
        infos_.resize(size_, nullptr);
        turns_.resize(size_, 0);
    }
}

void HandTable::drop_infos() {
    for (uint32_t number : built_) infos_[number] = nullptr;
    built_.clear();
}

void HandTable::forget() {
    drop_infos();
    arena_.free();
}

uint32_t HandTable::number_of(Hand hand) const {
    uint32_t number = 0;
    for (; hand; hand &= ~(doudizhu::kRankFull << (4 * (core::lowest(hand) / 4)))) {
        const int rank = core::lowest(hand) / 4;
        number += strides_[rank] * static_cast<uint32_t>(count_of(hand, rank));
    }
    return number;
}

Hand HandTable::hand_of(uint32_t number) const {
    Hand hand = 0;
    for (int rank = 0; rank < kRanks; ++rank) {
        hand |= doudizhu::cards_of(rank, number % radixes_[rank]);
        number /= radixes_[rank];
    }
    return hand;
}

// Kicker dominance. The move leaves an isolated single (or, for pair kickers, an isolated pair) and spends a higher rank as a
// kicker: spending the lower one instead leaves the same hand with that group raised, which is at least as good.
bool HandTable::is_wasteful(Hand hand, RankMask isolated, const Move& move) const {
    const int width = doudizhu::shape_of(move.type).width;
    const bool singles = width == 1, pairs = width == 2;
    if (!(singles || (pairs && raising_.pairs))) return false;
    const RankMask main = ((1u << move.length) - 1) << move.rank;
    const RankMask kickers = at_least1(move.cards) & ~main;
    const Hand rest = hand - move.cards;
    const RankMask jokers = 3u << doudizhu::kSmallJoker;
    RankMask spare = isolated & ~main & ~jokers;
    spare &= singles ? at_least1(rest) & ~at_least2(rest) : at_least2(rest) & ~at_least3(rest);
    // The lower group must make a legal kicker in the place of the higher, and the higher rank must be free to take it.
    if (pairs || !raising_.onto_held) spare &= ~kickers;
    RankMask target = kickers & ~(raising_.onto_held ? at_least2(rest) : at_least1(rest));
    if (!raising_.to_second_joker && (at_least1(rest) & jokers)) target &= ~jokers;
    return spare && (target >> (core::lowest(spare) + 1));
}

const HandInfo& HandTable::build(uint32_t number) {
    const Hand hand = hand_of(number);
    HandInfo* info = arena_.take<HandInfo>(1);
    *info = HandInfo{};
    info->cards = hand;
    info->held = static_cast<uint16_t>(at_least1(hand));
    info->ones = static_cast<uint16_t>(at_least1(hand) & ~at_least2(hand));
    info->twos = static_cast<uint16_t>(at_least2(hand) & ~at_least3(hand));
    info->isolated = static_cast<uint16_t>(doudizhu::kAllRanksMask & ~chain_ranks(hand));
    info->size = static_cast<uint8_t>(doudizhu::card_count(hand));

    doudizhu::lead_moves(hand, rules_, moves_);
    // Counting sort by class; inside a class the engine's order stays, which is by rank.
    for (const Move& move : moves_) ++info->first[class_of(move) + 1];
    for (int cls = 0; cls < kClasses; ++cls) info->first[cls + 1] += info->first[cls];
    HandMove* moves = arena_.take<HandMove>(static_cast<size_t>(moves_.size()));
    info->moves = moves;
    std::array<uint16_t, kClasses> next;
    std::copy_n(info->first, kClasses, next.begin());
    for (const Move& move : moves_) {
        const Class cls = class_of(move);
        moves[next[cls]++] = {number_of(move.cards), cls, move.rank, move.size, is_wasteful(hand, info->isolated, move)};
        info->ranks[cls] |= static_cast<uint16_t>(1u << move.rank);
        info->has_chain |= cls >= kFirstChain;
        if (move.cards == hand && info->finish_count < HandInfo::kMaxFinishes) {
            info->finishes[info->finish_count++] = {cls, move.rank};
        }
    }
    infos_[number] = info;
    built_.push_back(number);
    return *info;
}

// Groups played one by one, triples and fours taking along what the rules let them.
int HandTable::turns_without_chains(Hand hand) const {
    const RankMask threes = at_least3(hand) & ~at_least4(hand);
    int singles = core::popcount(at_least1(hand) & ~at_least2(hand));
    int pairs = core::popcount(at_least2(hand) & ~at_least3(hand));
    int triples = core::popcount(threes);
    const int fours = core::popcount(at_least4(hand));
    int turns = triples + fours - core::popcount(threes & (threes >> 1) & (doudizhu::kChainMask >> 1));
    if (rules_.allows(Type::TripleSingle)) {
        const int taken = std::min(triples, singles);
        singles -= taken;
        triples -= taken;
    }
    if (rules_.allows(Type::TriplePair)) pairs -= std::min(triples, pairs);
    if (rules_.allows(Type::FourSingles)) singles -= 2 * std::min(fours, singles / 2);
    return turns + singles + pairs;
}

int HandTable::estimate_turns(uint32_t number) {
    const Hand hand = hand_of(number);
    int best = turns_without_chains(hand);
    const auto try_chains = [&](RankMask mask, int shortest, int copies) {
        RankMask starts = run_starts(mask, shortest);
        for (int length = shortest; starts; starts &= (mask & doudizhu::kChainMask) >> length, ++length) {
            for (RankMask left = starts; left; left &= left - 1) {
                const Hand chain = chain_of(core::lowest(left), length, static_cast<uint64_t>(copies));
                best = std::min(best, 1 + turns(number - number_of(chain)));
            }
        }
    };
    try_chains(at_least1(hand), doudizhu::kMinStraight, 1);
    try_chains(at_least2(hand), doudizhu::kMinPairStraight, 2);
    turns_[number] = static_cast<uint8_t>(best + 1);
    estimated_.push_back(number);
    return best;
}

}  // namespace mingpai::endgame
