#include "native/ruleplay/turns.hpp"

#include <algorithm>
#include <mutex>
#include <unordered_map>

namespace mingpai::ruleplay {

using core::lowest;
using core::popcount;
using doudizhu::at_least1;
using doudizhu::at_least2;
using doudizhu::at_least3;
using doudizhu::at_least4;
using doudizhu::cards_of;
using doudizhu::chain_of;
using doudizhu::count_of;
using doudizhu::kRanks;
using doudizhu::kRocketCards;

namespace {

constexpr int kMaxCopies = 4;

bool has_rocket(Hand hand) { return (hand & kRocketCards) == kRocketCards; }

// Takes `copies` cards from each of `ranks` ranks that are held `held` times.
Counts taken(Counts counts, int held, int copies, int ranks) {
    counts.ranks[held] -= ranks;
    counts.ranks[held - copies] += ranks;
    counts.ranks[0] = 0;
    return counts;
}

// Visits what is left after every choice of `needed` kickers of `width` cards each, at most `limit` kickers of one rank.
// `open` are the ranks still free to choose from: a rank is chosen once, with all the kickers it gives.
template <class Visit>
void choose_kickers(const Counts& open, const Counts& left, int needed, int width, int limit, int held, int kickers, int free,
                    const Visit& visit) {
    if (needed == 0) {
        visit(left);
        return;
    }
    if (kickers > limit || kickers * width > held) {
        if (held < kMaxCopies) choose_kickers(open, left, needed, width, limit, held + 1, 1, open.ranks[held + 1], visit);
        return;
    }
    for (int ranks = 0; ranks <= free && ranks * kickers <= needed; ++ranks) {
        choose_kickers(open, taken(left, held, kickers * width, ranks), needed - ranks * kickers, width, limit, held,
                       kickers + 1, free - ranks, visit);
    }
}

template <class Visit>
void for_each_single_kickers(const Counts& counts, int needed, const Rules& rules, const Visit& visit) {
    Counts open = counts;
    const int limit = rules.same_kicker_limit;
    if (!counts.rocket) {
        choose_kickers(open, counts, needed, 1, limit, 1, 1, open.ranks[1], visit);
        return;
    }
    open.ranks[1] -= 2;  // the jokers are chosen first: none, one or both
    choose_kickers(open, counts, needed, 1, limit, 1, 1, open.ranks[1], visit);
    Counts left = counts;
    left.rocket = false;
    --left.ranks[1];
    choose_kickers(open, left, needed - 1, 1, limit, 1, 1, open.ranks[1], visit);
    if (needed < 2 || !rules.both_jokers_as_kickers) return;
    --left.ranks[1];
    choose_kickers(open, left, needed - 2, 1, limit, 1, 1, open.ranks[1], visit);
}

template <class Visit>
void for_each_pair_kickers(const Counts& counts, int needed, const Rules& rules, const Visit& visit) {
    choose_kickers(counts, counts, needed, 2, rules.same_pair_kickers ? 2 : 1, 2, 1, counts.ranks[2], visit);
}

}  // namespace

Counts Counts::of(Hand hand) {
    const int ones = popcount(at_least1(hand)), twos = popcount(at_least2(hand)), threes = popcount(at_least3(hand)),
              fours = popcount(at_least4(hand));
    return {{0, ones - twos, twos - threes, threes - fours, fours}, has_rocket(hand)};
}

CountTable::CountTable(const Rules& rules) : rules_(rules) {
    plain_.fill(kImpossible);
    for (auto& table : airplane_) table.fill(kImpossible);
    plain_[0] = 0;
    const auto for_each_counts = [](int cards, auto visit) {
        for (int fours = 0; 4 * fours <= cards; ++fours) {
            for (int threes = 0; 4 * fours + 3 * threes <= cards; ++threes) {
                for (int twos = 0; 4 * fours + 3 * threes + 2 * twos <= cards; ++twos) {
                    const int ones = cards - 4 * fours - 3 * threes - 2 * twos;
                    if (ones + twos + threes + fours > kRanks || ones >= kOnes) continue;
                    visit(Counts{{0, ones, twos, threes, fours}, false});
                    if (ones >= 2) visit(Counts{{0, ones, twos, threes, fours}, true});
                }
            }
        }
    };
    for (int cards = 1; cards <= doudizhu::kMaxHandCards; ++cards) {
        for_each_counts(cards, [&](const Counts& c) { plain_[index(c)] = static_cast<uint8_t>(fewest(c)); });
    }
    for (int length = doudizhu::kMinAirplane; length <= kMaxAirplane; ++length) {
        for (int cards = 0; cards <= doudizhu::kMaxHandCards - 3 * length; ++cards) {
            for_each_counts(cards, [&](const Counts& c) {
                airplane_[length][index(c)] = static_cast<uint8_t>(fewest_beside_airplane(c, length));
            });
        }
    }
}

int CountTable::fewest(const Counts& counts) const {
    int best = kImpossible;
    const auto after = [&](const Counts& left) { best = std::min(best, 1 + turns(left)); };
    for_each_single_kickers(counts, 1, rules_, after);
    for_each_pair_kickers(counts, 1, rules_, after);
    for (int held = 3; held <= kMaxCopies; ++held) {
        if (counts.ranks[held] == 0) continue;
        const Counts left = taken(counts, held, 3, 1);
        // The fourth card of the same rank is no kicker, but taking it is a bomb, so it counts one move all the same.
        if (rules_.allows(Type::Triple)) after(left);
        if (rules_.allows(Type::TripleSingle)) for_each_single_kickers(left, 1, rules_, after);
        if (rules_.allows(Type::TriplePair)) for_each_pair_kickers(left, 1, rules_, after);
    }
    if (counts.ranks[4] > 0) {
        const Counts left = taken(counts, 4, 4, 1);
        if (rules_.allows(Type::Bomb)) after(left);
        if (rules_.allows(Type::FourSingles)) for_each_single_kickers(left, 2, rules_, after);
        if (rules_.allows(Type::FourPairs)) for_each_pair_kickers(left, 2, rules_, after);
    }
    if (counts.rocket && rules_.allows(Type::Rocket)) {
        Counts left = counts;
        left.ranks[1] -= 2;
        left.rocket = false;
        after(left);
    }
    return best;
}

int CountTable::fewest_beside_airplane(const Counts& counts, int length) const {
    int best = rules_.allows(Type::Airplane) ? turns(counts) : int{kImpossible};
    const auto after = [&](const Counts& left) { best = std::min(best, turns(left)); };
    if (rules_.allows(Type::AirplaneSingles)) for_each_single_kickers(counts, length, rules_, after);
    if (rules_.allows(Type::AirplanePairs)) for_each_pair_kickers(counts, length, rules_, after);
    return best;
}

namespace {

struct Chain {
    int copies, start, length;
};

constexpr int kShortestChain[kMaxCopies + 1] = {0, doudizhu::kMinStraight, doudizhu::kMinPairStraight, doudizhu::kMinAirplane,
                                                doudizhu::kMinFourStraight};
constexpr int kNeverLongEnough = doudizhu::kChainRanks + 1;
constexpr int kMaxChains = doudizhu::kMaxHandCards / doudizhu::kMinStraight;

// One depth-first search over the sets of chains; what is left after each set is read off the count table.
class FewestTurns {
  public:
    FewestTurns(const Rules& rules, const CountTable& table)
        : rules_(rules), table_(table), max_copies_(rules.types & doudizhu::kFourStraightTypes ? 4 : 3) {
        // A kind of chain that the rules lack is never long enough.
        constexpr uint32_t kAirplanes = doudizhu::type_bit(Type::Airplane) | doudizhu::type_bit(Type::AirplaneSingles) |
                                        doudizhu::type_bit(Type::AirplanePairs);
        if (!rules.allows(Type::Straight)) shortest_[1] = kNeverLongEnough;
        if (!rules.allows(Type::PairStraight)) shortest_[2] = kNeverLongEnough;
        if ((rules.types & kAirplanes) == 0) shortest_[3] = kNeverLongEnough;
    }

    int of(Hand hand) {
        best_ = CountTable::kImpossible;
        search(hand, {0, 0, 0}, 0);
        return best_;
    }

  private:
    void search(Hand hand, Chain last, int turns) {
        const RankMask masks[kMaxCopies + 1] = {0, at_least1(hand), at_least2(hand), at_least3(hand), at_least4(hand)};
        finish(hand, masks, turns);
        if (turns + 1 >= best_ || depth_ == kMaxChains) return;
        RankMask starts = doudizhu::run_starts(masks[1], shortest_[1]) |
                          doudizhu::run_starts(masks[2], shortest_[2]) |
                          doudizhu::run_starts(masks[3], shortest_[3]);
        if (max_copies_ == 4) starts |= doudizhu::run_starts(masks[4], shortest_[4]);
        // Chains are taken in rising order of (start, copies, length), so that each set comes once.
        for (starts = starts >> last.start << last.start; starts; starts &= starts - 1) {
            const int start = lowest(starts);
            for (int copies = 1; copies <= max_copies_; ++copies) {
                if (start == last.start && copies < last.copies) continue;
                const int longest = lowest(~((masks[copies] & doudizhu::kChainMask) >> start));
                const int again = start == last.start && copies == last.copies ? last.length : 0;
                for (int length = longest; length >= std::max(shortest_[copies], again); --length) {
                    take(hand, {copies, start, length}, turns);
                }
            }
        }
    }

    void take(Hand hand, Chain chain, int turns) {
        const bool carries = chain.copies >= 3;
        if (carries) carriers_[carrier_count_++] = chain;
        ++depth_;
        search(hand - chain_of(chain.start, chain.length, static_cast<uint64_t>(chain.copies)), chain, turns + 1);
        --depth_;
        if (carries) --carrier_count_;
    }

    // The hand holds no more chains of the set: count what is left, kickers of the airplanes included.
    void finish(Hand hand, const RankMask* masks, int turns) {
        const int ones = popcount(masks[1]), twos = popcount(masks[2]), threes = popcount(masks[3]), fours = popcount(masks[4]);
        const Counts counts{{0, ones - twos, twos - threes, threes - fours, fours}, has_rocket(hand)};
        if (carrier_count_ == 0) {
            best_ = std::min(best_, turns + table_.turns(counts));
        } else if (carrier_count_ == 1 && is_plain(hand, carriers_[0])) {
            best_ = std::min(best_, turns + table_.turns_beside_airplane(counts, carriers_[0].length));
        } else {
            carry(hand, 0, turns);
        }
    }

    // True when any card left may be a kicker of the airplane, up to the general limit on equal kickers.
    bool is_plain(Hand hand, const Chain& chain) const {
        if (chain.copies != 3 || (hand & chain_of(chain.start, chain.length, doudizhu::kRankFull))) return false;
        return rules_.beside_kicker_limit >= rules_.same_kicker_limit ||
               ((count_beside(hand, chain.start - 1) | count_beside(hand, chain.start + chain.length)) == 0);
    }

    // Cards of a rank beside a chain above what may be used as kickers.
    int count_beside(Hand hand, int rank) const {
        if (rank < 0 || rank >= doudizhu::kChainRanks) return 0;
        return std::max(0, count_of(hand, rank) - rules_.beside_kicker_limit);
    }

    // The slow and general way: kickers of each airplane and straight of fours chosen rank by rank.
    void carry(Hand hand, int index, int turns) {
        if (index == carrier_count_) {
            best_ = std::min(best_, turns + table_.turns(Counts::of(hand)));
            return;
        }
        const Chain& chain = carriers_[index];
        const bool four = chain.copies == 4;
        const int needed = four ? 2 * chain.length : chain.length;
        if (rules_.allows(four ? Type::FourStraight : Type::Airplane)) carry(hand, index + 1, turns);
        if (rules_.allows(four ? Type::FourStraightSingles : Type::AirplaneSingles)) {
            singles(hand, chain, 0, needed, false, index, turns);
        }
        if (rules_.allows(four ? Type::FourStraightPairs : Type::AirplanePairs)) {
            pairs(hand, chain, 0, needed, index, turns);
        }
    }

    int usable(Hand hand, const Chain& chain, int rank) const {
        if (rank >= chain.start && rank < chain.start + chain.length) return 0;
        const bool beside = chain.copies == 3 && rank < doudizhu::kChainRanks &&
                            (rank == chain.start - 1 || rank == chain.start + chain.length);
        const int limit = beside ? std::min(rules_.same_kicker_limit, rules_.beside_kicker_limit) : rules_.same_kicker_limit;
        return std::min(count_of(hand, rank), limit);
    }

    void singles(Hand hand, const Chain& chain, int rank, int needed, bool joker, int index, int turns) {
        if (needed == 0) return carry(hand, index + 1, turns);
        if (rank == kRanks) return;
        singles(hand, chain, rank + 1, needed, joker, index, turns);
        const bool is_joker = rank >= doudizhu::kSmallJoker;
        if (is_joker && joker && !rules_.both_jokers_as_kickers) return;
        for (int copies = 1; copies <= std::min(usable(hand, chain, rank), needed); ++copies) {
            singles(hand - cards_of(rank, copies), chain, rank + 1, needed - copies, joker || is_joker, index, turns);
        }
    }

    void pairs(Hand hand, const Chain& chain, int rank, int needed, int index, int turns) {
        if (needed == 0) return carry(hand, index + 1, turns);
        if (rank == kRanks) return;
        pairs(hand, chain, rank + 1, needed, index, turns);
        if (rank >= chain.start && rank < chain.start + chain.length) return;
        const int most = std::min({count_of(hand, rank) / 2, rules_.same_pair_kickers ? 2 : 1, needed});
        for (int count = 1; count <= most; ++count) {
            pairs(hand - cards_of(rank, 2 * count), chain, rank + 1, needed - count, index, turns);
        }
    }

    const Rules& rules_;
    const CountTable& table_;
    int max_copies_;
    int shortest_[kMaxCopies + 1] = {kShortestChain[0], kShortestChain[1], kShortestChain[2], kShortestChain[3],
                                     kShortestChain[4]};
    int best_ = 0, depth_ = 0, carrier_count_ = 0;
    Chain carriers_[kMaxChains];
};

// Lists partitions: the parts that hold the lowest card left come first, in the order of the list of moves.
class Partitions {
  public:
    Partitions(const Splitter& splitter, Hand hand, size_t limit) : splitter_(splitter), limit_(limit) {
        doudizhu::lead_moves(hand, splitter.rules(), moves_);
    }

    void list(Hand left, int parts_left, int previous, int previous_lowest) {
        if (left == 0) {
            listed.push_back(parts_);
            return;
        }
        const int low = lowest(at_least1(left));
        for (int i = low == previous_lowest ? previous : 0; i < moves_.size() && listed.size() < limit_; ++i) {
            const Move& move = moves_[i];
            if (count_of(move.cards, low) == 0 || !doudizhu::holds(left, move.cards)) continue;
            if (1 + turns_of(left - move.cards) > parts_left) continue;
            parts_.push_back(move);
            list(left - move.cards, parts_left - 1, i, low);
            parts_.pop_back();
        }
    }

    std::vector<std::vector<Move>> listed;

  private:
    // Partitions share their rests: each is counted once.
    int turns_of(Hand rest) {
        const auto [at, is_new] = known_.try_emplace(rest, 0);
        if (is_new) at->second = splitter_.min_turns(rest);
        return at->second;
    }

    const Splitter& splitter_;
    size_t limit_;
    MoveList moves_;
    std::vector<Move> parts_;
    std::unordered_map<Hand, int> known_;
};

// Tables are equal for equal rules of the cards, so each is made once.
std::shared_ptr<const CountTable> shared_table(const Rules& rules) {
    static std::mutex mutex;
    static std::vector<std::pair<Rules, std::shared_ptr<const CountTable>>> tables;
    const std::scoped_lock lock(mutex);
    for (const auto& [known, table] : tables) {
        if (known == rules) return table;
    }
    tables.emplace_back(rules, std::make_shared<const CountTable>(rules));
    return tables.back().second;
}

}  // namespace

Splitter::Splitter(const Rules& rules) : rules_(rules), table_(shared_table(rules)) {}

int Splitter::min_turns(Hand hand) const { return FewestTurns(rules_, *table_).of(hand); }

std::vector<Move> Splitter::less_split_moves(Hand hand, const Move& last, int slack) const {
    MoveList legal;
    doudizhu::legal_moves(hand, last, rules_, legal);
    const int turns = min_turns(hand);
    std::vector<Move> out;
    for (const Move& move : legal) {
        if (move.is_pass() || is_in_small_partition(hand, move, turns, slack)) out.push_back(move);
    }
    return out;
}

std::vector<std::vector<Move>> Splitter::partitions(Hand hand, int max_parts, size_t limit) const {
    if (hand == 0) return {{}};
    Partitions partitions(*this, hand, limit);
    partitions.list(hand, max_parts, 0, -1);
    return std::move(partitions.listed);
}

}  // namespace mingpai::ruleplay
