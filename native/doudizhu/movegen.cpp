#include "native/doudizhu/movegen.hpp"

#include <algorithm>

namespace mingpai::doudizhu {
namespace {

using core::highest;
using core::lowest;
using core::popcount;

// A move without its cards.
struct Kind {
    Type type;
    uint8_t rank;
    uint8_t length;
    uint8_t size;
};

constexpr Kind kind(Type type, int rank, int length, int size) {
    return {type, static_cast<uint8_t>(rank), static_cast<uint8_t>(length), static_cast<uint8_t>(size)};
}

constexpr Move made(Hand cards, const Kind& s) { return {cards, s.type, s.rank, s.length, s.size}; }

template <class Out>
void add(Out& out, Hand cards, const Kind& s) {
    out.add(made(cards, s));
}

// The cards that may be chosen as single kickers: ranks with at least 1, 2, 3, 4 usable copies.
struct SingleKickers {
    RankMask copies[4];
    bool both_jokers;

    SingleKickers(Hand usable, bool both)
        : copies{at_least1(usable), at_least2(usable), at_least3(usable), at_least4(usable)}, both_jokers(both) {}

    RankMask below_rank(int rank) const {
        const RankMask lower = below(kAllRanksMask, rank);
        return rank == kBigJoker && !both_jokers ? lower & ~(1u << kSmallJoker) : lower;
    }
};

// The usable part of the rest of a hand, by the limits on equal kickers.
Hand usable_singles(Hand rest, const Rules& rules) { return capped(rest, rules.same_kicker_limit); }

// As above beside a chain of triples.
Hand usable_wings(Hand rest, int start, int length, const Rules& rules) {
    Hand usable = usable_singles(rest, rules);
    if (rules.beside_kicker_limit >= rules.same_kicker_limit) return usable;
    Hand beside = 0;
    if (start > 0) beside |= cards_of(start - 1, kRankFull);
    if (start + length < kChainRanks) beside |= cards_of(start + length, kRankFull);
    return (usable & ~beside) | capped(usable & beside, rules.beside_kicker_limit);
}

// Number of kickers that can be taken at once from `usable`.
int single_capacity(Hand usable, const Rules& rules) {
    const bool one_joker_only = !rules.both_jokers_as_kickers && (usable & kRocketCards) == kRocketCards;
    return card_count(usable) - (one_joker_only ? 1 : 0);
}

int pair_capacity(Hand rest, const Rules& rules) {
    const int pairs = popcount(at_least2(rest));
    return rules.same_pair_kickers ? pairs + popcount(at_least4(rest)) : pairs;
}

// Adds `base` with every choice of `count` single kickers out of the ranks of `allowed`. The highest rank is chosen first.
template <class Out>
void add_singles(const SingleKickers& kickers, RankMask allowed, int count, Hand base, const Kind& s, Out& out) {
    RankMask ranks = kickers.copies[0] & allowed;
    while (ranks) {
        const int rank = lowest(ranks);
        ranks &= ranks - 1;
        const RankMask lower = allowed & kickers.below_rank(rank);
        Hand cards = base;
        for (int taken = 1; taken <= count && (kickers.copies[taken - 1] >> rank & 1); ++taken) {
            cards += cards_of(rank);
            if (taken == count) {
                add(out, cards, s);
            } else if (taken + 1 == count) {
                out.add_each(kickers.copies[0] & lower, [=](int last) { return made(cards + cards_of(last), s); });
            } else {
                add_singles(kickers, lower, count - taken, cards, s, out);
            }
            if (taken == 4) break;
        }
    }
}

// Adds `base` with every choice of `count` pairs: ranks of `pairs`, those of `fours` also twice.
template <class Out>
void add_pairs(RankMask pairs, RankMask fours, int count, Hand base, const Kind& s, Out& out) {
    for (RankMask ranks = pairs; ranks; ranks &= ranks - 1) {
        const int rank = lowest(ranks);
        const Hand once = base + cards_of(rank, 2);
        if (count == 1) {
            add(out, once, s);
            continue;
        }
        add_pairs(below(pairs, rank), fours, count - 1, once, s, out);
        if (!(fours >> rank & 1)) continue;
        const Hand twice = once + cards_of(rank, 2);
        if (count == 2) {
            add(out, twice, s);
        } else {
            add_pairs(below(pairs, rank), fours, count - 2, twice, s, out);
        }
    }
}

template <class Out>
void add_pair_kickers(Hand rest, int count, Hand base, const Kind& s, const Rules& rules, Out& out) {
    if (pair_capacity(rest, rules) < count) return;
    add_pairs(at_least2(rest), rules.same_pair_kickers ? at_least4(rest) : 0, count, base, s, out);
}

// Singles, pairs, triples, bombs: `copies` cards of one rank of `ranks`.
template <class Out>
void add_groups(RankMask ranks, int copies, Type type, Out& out) {
    out.add_each(ranks, [=](int rank) { return made(cards_of(rank, copies), kind(type, rank, 1, copies)); });
}

template <class Out>
void add_chains(RankMask starts, int length, int copies, Type type, Out& out) {
    out.add_each(starts, [=](int start) {
        return made(chain_of(start, length, copies), kind(type, start, length, length * copies));
    });
}

template <class Out>
void add_triples_with_single(Hand hand, RankMask triples, Out& out) {
    const RankMask all = at_least1(hand);
    for (; triples; triples &= triples - 1) {
        const int rank = lowest(triples);
        const Kind s = kind(Type::TripleSingle, rank, 1, 4);
        out.add_each(all & ~(1u << rank), [=](int kicker) { return made(cards_of(rank, 3) + cards_of(kicker), s); });
    }
}

template <class Out>
void add_triples_with_pair(Hand hand, RankMask triples, Out& out) {
    const RankMask all = at_least2(hand);
    for (; triples; triples &= triples - 1) {
        const int rank = lowest(triples);
        const Kind s = kind(Type::TriplePair, rank, 1, 5);
        out.add_each(all & ~(1u << rank), [=](int kicker) { return made(cards_of(rank, 3) + cards_of(kicker, 2), s); });
    }
}

template <class Out>
void add_airplanes_with_singles(Hand hand, RankMask starts, int length, const Rules& rules, Out& out) {
    for (; starts; starts &= starts - 1) {
        const int start = lowest(starts);
        const Hand rest = hand & ~chain_of(start, length, kRankFull);
        const SingleKickers kickers(usable_wings(rest, start, length, rules), rules.both_jokers_as_kickers);
        add_singles(kickers, kAllRanksMask, length, chain_of(start, length, 3),
                    kind(Type::AirplaneSingles, start, length, 4 * length), out);
    }
}

template <class Out>
void add_airplanes_with_pairs(Hand hand, RankMask starts, int length, const Rules& rules, Out& out) {
    for (; starts; starts &= starts - 1) {
        const int start = lowest(starts);
        const Hand rest = hand & ~chain_of(start, length, kRankFull);
        const Kind s = kind(Type::AirplanePairs, start, length, 5 * length);
        add_pair_kickers(rest, length, chain_of(start, length, 3), s, rules, out);
    }
}

// Fours in a row (one four: length 1) with two singles for each.
template <class Out>
void add_fours_with_singles(Hand hand, RankMask starts, int length, Type type, const Rules& rules, Out& out) {
    for (; starts; starts &= starts - 1) {
        const int start = lowest(starts);
        const Hand rest = hand & ~chain_of(start, length, kRankFull);
        const SingleKickers kickers(usable_singles(rest, rules), rules.both_jokers_as_kickers);
        const Kind s = kind(type, start, length, 6 * length);
        add_singles(kickers, kAllRanksMask, 2 * length, chain_of(start, length, 4), s, out);
    }
}

template <class Out>
void add_fours_with_pairs(Hand hand, RankMask starts, int length, Type type, const Rules& rules, Out& out) {
    for (; starts; starts &= starts - 1) {
        const int start = lowest(starts);
        const Hand rest = hand & ~chain_of(start, length, kRankFull);
        const Kind s = kind(type, start, length, 8 * length);
        add_pair_kickers(rest, 2 * length, chain_of(start, length, 4), s, rules, out);
    }
}

template <class Out>
void add_rocket(Hand hand, Out& out) {
    if ((hand & kRocketCards) == kRocketCards) add(out, kRocketCards, kind(Type::Rocket, kSmallJoker, 1, 2));
}

// Chains of `copies` cards a rank, of every length from `shortest` that fits in a hand: calls visit(starts, length).
template <class Visit>
void for_each_run(RankMask mask, int shortest, int copies, Visit visit) {
    RankMask starts = run_starts(mask, shortest);
    for (int length = shortest; starts && length * copies <= kMaxHandCards; ++length) {
        visit(starts, length);
        starts &= (mask & kChainMask) >> length;
    }
}

constexpr bool fits_in_hand(int cards) { return cards <= kMaxHandCards; }

template <class Out>
void add_four_straights(Hand hand, RankMask fours, const Rules& rules, Out& out) {
    for_each_run(fours, kMinFourStraight, 4, [&](RankMask starts, int length) {
        if (rules.allows(Type::FourStraight)) add_chains(starts, length, 4, Type::FourStraight, out);
        if (rules.allows(Type::FourStraightSingles) && fits_in_hand(6 * length)) {
            add_fours_with_singles(hand, starts, length, Type::FourStraightSingles, rules, out);
        }
        if (rules.allows(Type::FourStraightPairs) && fits_in_hand(8 * length)) {
            add_fours_with_pairs(hand, starts, length, Type::FourStraightPairs, rules, out);
        }
    });
}

// The leads from `hand`, into any list with add(). Also for a whole deck: moves of more than 20 cards are left out.
template <class Out>
void generate_leads(Hand hand, const Rules& rules, Out& out) {
    const RankMask ones = at_least1(hand), twos = at_least2(hand), threes = at_least3(hand), fours = at_least4(hand);
    if (rules.allows(Type::Single)) add_groups(ones, 1, Type::Single, out);
    if (rules.allows(Type::Pair)) add_groups(twos, 2, Type::Pair, out);
    if (rules.allows(Type::Straight)) {
        for_each_run(ones, kMinStraight, 1, [&](RankMask s, int n) { add_chains(s, n, 1, Type::Straight, out); });
    }
    if (rules.allows(Type::PairStraight)) {
        for_each_run(twos, kMinPairStraight, 2, [&](RankMask s, int n) { add_chains(s, n, 2, Type::PairStraight, out); });
    }
    if (threes) {
        if (rules.allows(Type::Triple)) add_groups(threes, 3, Type::Triple, out);
        if (rules.allows(Type::TripleSingle)) add_triples_with_single(hand, threes, out);
        if (rules.allows(Type::TriplePair)) add_triples_with_pair(hand, threes, out);
        for_each_run(threes, kMinAirplane, 3, [&](RankMask starts, int length) {
            if (rules.allows(Type::Airplane)) add_chains(starts, length, 3, Type::Airplane, out);
            if (rules.allows(Type::AirplaneSingles) && fits_in_hand(4 * length)) {
                add_airplanes_with_singles(hand, starts, length, rules, out);
            }
            if (rules.allows(Type::AirplanePairs) && fits_in_hand(5 * length)) {
                add_airplanes_with_pairs(hand, starts, length, rules, out);
            }
        });
    }
    if (fours) {
        if (rules.allows(Type::FourSingles)) add_fours_with_singles(hand, fours, 1, Type::FourSingles, rules, out);
        if (rules.allows(Type::FourPairs)) add_fours_with_pairs(hand, fours, 1, Type::FourPairs, rules, out);
        if (rules.allows(Type::Bomb)) add_groups(fours, 4, Type::Bomb, out);
        if (rules.types & kFourStraightTypes) add_four_straights(hand, fours, rules, out);
    }
    if (rules.allows(Type::Rocket)) add_rocket(hand, out);
}

// A list without limit, for all moves of the deck.
struct Collected {
    std::vector<Move> moves;

    void add(const Move& move) { moves.push_back(move); }
    template <class Make>
    void add_each(RankMask ranks, Make make) {
        for (; ranks; ranks &= ranks - 1) moves.push_back(make(lowest(ranks)));
    }
};

}  // namespace

void lead_moves(Hand hand, const Rules& rules, MoveList& out) {
    assert(card_count(hand) <= kMaxHandCards);
    out.clear();
    generate_leads(hand, rules, out);
}

std::vector<Move> all_moves(const Rules& rules) {
    Collected out;
    generate_leads(kFullDeck, rules, out);
    out.add(Move{});
    std::sort(out.moves.begin(), out.moves.end(), comes_before);
    return out.moves;
}

void follow_moves(Hand hand, const Move& last, const Rules& rules, MoveList& out) {
    assert(card_count(hand) <= kMaxHandCards);
    out.clear();
    const int rank = last.rank, length = last.length;
    const RankMask fours = at_least4(hand);
    switch (last.type) {
        case Type::Pass:
        case Type::Rocket:
            break;
        case Type::Single:
            add_groups(above(at_least1(hand), rank), 1, Type::Single, out);
            break;
        case Type::Pair:
            add_groups(above(at_least2(hand), rank), 2, Type::Pair, out);
            break;
        case Type::Triple:
            add_groups(above(at_least3(hand), rank), 3, Type::Triple, out);
            break;
        case Type::TripleSingle:
            add_triples_with_single(hand, above(at_least3(hand), rank), out);
            break;
        case Type::TriplePair:
            add_triples_with_pair(hand, above(at_least3(hand), rank), out);
            break;
        case Type::Straight:
            add_chains(above(run_starts(at_least1(hand), length), rank), length, 1, Type::Straight, out);
            break;
        case Type::PairStraight:
            add_chains(above(run_starts(at_least2(hand), length), rank), length, 2, Type::PairStraight, out);
            break;
        case Type::Airplane:
            add_chains(above(run_starts(at_least3(hand), length), rank), length, 3, Type::Airplane, out);
            break;
        case Type::AirplaneSingles:
            add_airplanes_with_singles(hand, above(run_starts(at_least3(hand), length), rank), length, rules, out);
            break;
        case Type::AirplanePairs:
            add_airplanes_with_pairs(hand, above(run_starts(at_least3(hand), length), rank), length, rules, out);
            break;
        case Type::FourSingles:
            add_fours_with_singles(hand, above(fours, rank), 1, Type::FourSingles, rules, out);
            break;
        case Type::FourPairs:
            add_fours_with_pairs(hand, above(fours, rank), 1, Type::FourPairs, rules, out);
            break;
        case Type::Bomb:
            add_groups(above(fours, rank), 4, Type::Bomb, out);
            break;
        case Type::FourStraight:
            add_chains(above(run_starts(fours, length), rank), length, 4, Type::FourStraight, out);
            break;
        case Type::FourStraightSingles:
            add_fours_with_singles(hand, above(run_starts(fours, length), rank), length, last.type, rules, out);
            break;
        case Type::FourStraightPairs:
            add_fours_with_pairs(hand, above(run_starts(fours, length), rank), length, last.type, rules, out);
            break;
    }
    if (!last.is_bomb() && rules.allows(Type::Bomb)) add_groups(fours, 4, Type::Bomb, out);
    if (last.type != Type::Rocket && rules.allows(Type::Rocket)) add_rocket(hand, out);
    out.add(Move{});
}

namespace {

// True when the rest of the hand beside one of the chains has kickers enough: `enough(rest, start)`. At most five chains.
template <class Enough>
bool any_chain(Hand hand, RankMask starts, int length, Enough enough) {
    for (; starts; starts &= starts - 1) {
        const int start = lowest(starts);
        if (enough(hand & ~chain_of(start, length, kRankFull), start)) return true;
    }
    return false;
}

bool can_beat_same_type(Hand hand, const Move& last, const Rules& rules) {
    const int rank = last.rank, length = last.length;
    const auto singles = [&](int count) {
        return [&rules, count](Hand rest, int) { return single_capacity(usable_singles(rest, rules), rules) >= count; };
    };
    const auto wings = [&](Hand rest, int start) {
        return single_capacity(usable_wings(rest, start, length, rules), rules) >= length;
    };
    const auto pairs = [&](int count) {
        return [&rules, count](Hand rest, int) { return pair_capacity(rest, rules) >= count; };
    };
    switch (last.type) {
        case Type::Single:
            return above(at_least1(hand), rank) != 0;
        case Type::Pair:
            return above(at_least2(hand), rank) != 0;
        case Type::Triple:
            return above(at_least3(hand), rank) != 0;
        case Type::TripleSingle:
            return above(at_least3(hand), rank) != 0 && popcount(at_least1(hand)) >= 2;
        case Type::TriplePair:
            return above(at_least3(hand), rank) != 0 && popcount(at_least2(hand)) >= 2;
        case Type::Straight:
            return above(run_starts(at_least1(hand), length), rank) != 0;
        case Type::PairStraight:
            return above(run_starts(at_least2(hand), length), rank) != 0;
        case Type::Airplane:
            return above(run_starts(at_least3(hand), length), rank) != 0;
        case Type::AirplaneSingles:
            return any_chain(hand, above(run_starts(at_least3(hand), length), rank), length, wings);
        case Type::AirplanePairs:
            return any_chain(hand, above(run_starts(at_least3(hand), length), rank), length, pairs(length));
        case Type::FourSingles:
            return any_chain(hand, above(at_least4(hand), rank), 1, singles(2));
        case Type::FourPairs:
            return any_chain(hand, above(at_least4(hand), rank), 1, pairs(2));
        case Type::Bomb:
            return above(at_least4(hand), rank) != 0;
        case Type::FourStraight:
            return above(run_starts(at_least4(hand), length), rank) != 0;
        case Type::FourStraightSingles:
            return any_chain(hand, above(run_starts(at_least4(hand), length), rank), length, singles(2 * length));
        case Type::FourStraightPairs:
            return any_chain(hand, above(run_starts(at_least4(hand), length), rank), length, pairs(2 * length));
        case Type::Pass:
        case Type::Rocket:
            break;
    }
    return false;
}

}  // namespace

bool can_beat(Hand hand, const Move& last, const Rules& rules) {
    if (last.type == Type::Rocket) return false;
    if (rules.allows(Type::Rocket) && (hand & kRocketCards) == kRocketCards) return true;
    if (last.type != Type::Bomb && rules.allows(Type::Bomb) && at_least4(hand) != 0) return true;
    return can_beat_same_type(hand, last, rules);
}

namespace {

// Reads a set of cards as moves of one kind after another.
class Reader {
  public:
    Reader(Hand cards, const Rules& rules) : cards_(cards), rules_(rules), size_(card_count(cards)) {}

    Readings read() {
        if (cards_ == 0) return out_;
        for (int copies = 1; copies <= 4; ++copies) {
            static constexpr Type kGroups[] = {Type::Single, Type::Pair, Type::Triple, Type::Bomb};
            static constexpr Type kChains[] = {Type::Straight, Type::PairStraight, Type::Airplane, Type::FourStraight};
            static constexpr int kShortest[] = {kMinStraight, kMinPairStraight, kMinAirplane, kMinFourStraight};
            const int length = size_ / copies;
            if (length == 1) read_bare(kGroups[copies - 1], copies, 1);
            if (length >= kShortest[copies - 1]) read_bare(kChains[copies - 1], copies, length);
        }
        if (size_ == 4) read_with_kickers(Type::TripleSingle, 3, 1, 1, 1);
        if (size_ == 5) read_with_kickers(Type::TriplePair, 3, 1, 2, 1);
        if (size_ % 4 == 0) read_with_kickers(Type::AirplaneSingles, 3, size_ / 4, 1, size_ / 4);
        if (size_ % 5 == 0) read_with_kickers(Type::AirplanePairs, 3, size_ / 5, 2, size_ / 5);
        if (size_ == 6) read_with_kickers(Type::FourSingles, 4, 1, 1, 2);
        if (size_ == 8) read_with_kickers(Type::FourPairs, 4, 1, 2, 2);
        if (size_ % 6 == 0) read_with_kickers(Type::FourStraightSingles, 4, size_ / 6, 1, size_ / 3);
        if (size_ % 8 == 0) read_with_kickers(Type::FourStraightPairs, 4, size_ / 8, 2, size_ / 4);
        if (cards_ == kRocketCards) accept(Type::Rocket, kSmallJoker, 1);
        return out_;
    }

  private:
    void accept(Type type, int start, int length) {
        if (!rules_.allows(type)) return;
        assert(out_.size < Readings::kCapacity);
        out_.moves[out_.size++] = {cards_, type, static_cast<uint8_t>(start), static_cast<uint8_t>(length),
                                   static_cast<uint8_t>(size_)};
    }

    void read_bare(Type type, int copies, int length) {
        const int start = lowest(at_least1(cards_));
        if (length > 1 && start + length > kChainRanks) return;
        if (cards_ == chain_of(start, length, copies)) accept(type, start, length);
    }

    // A main part of `length` ranks with `copies` each, and `count` kickers of `width` cards.
    void read_with_kickers(Type type, int copies, int length, int width, int count) {
        if (length < shape_of(type).shortest) return;
        const RankMask mains = copies == 3 ? at_least3(cards_) : at_least4(cards_);
        for (RankMask starts = length == 1 ? mains : run_starts(mains, length); starts; starts &= starts - 1) {
            const int start = lowest(starts);
            const Hand rest = cards_ - chain_of(start, length, copies);
            if (rest & chain_of(start, length, kRankFull)) continue;
            if (width == 1 ? are_single_kickers(type, rest, start, length) : are_pair_kickers(rest, count)) {
                accept(type, start, length);
            }
        }
    }

    bool are_single_kickers(Type type, Hand rest, int start, int length) const {
        const Hand usable =
            type == Type::AirplaneSingles ? usable_wings(rest, start, length, rules_) : usable_singles(rest, rules_);
        return usable == rest && single_capacity(rest, rules_) == card_count(rest);
    }

    bool are_pair_kickers(Hand rest, int count) const {
        const bool all_even = (rest & kNibbleOnes) == 0;
        return all_even && pair_capacity(rest, rules_) == count;
    }

    Hand cards_;
    const Rules& rules_;
    int size_;
    Readings out_;
};

}  // namespace

Readings classify(Hand cards, const Rules& rules) { return Reader(cards, rules).read(); }

bool is_legal(Hand hand, const Move& move, const Move& last, const Rules& rules) {
    if (move.is_pass()) return move == Move{} && !last.is_pass();
    if (!is_hand(move.cards) || !holds(hand, move.cards)) return false;
    if (!last.is_pass() && !beats(move, last)) return false;
    for (const Move& reading : classify(move.cards, rules)) {
        if (reading == move) return true;
    }
    return false;
}

}  // namespace mingpai::doudizhu
