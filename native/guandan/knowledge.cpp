#include "native/guandan/knowledge.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <stdexcept>

namespace mingpai::guandan {
namespace {

constexpr uint64_t kBigBit = 1ULL << kBigJoker;

// Kinds with an order above (below) the given one, wild cards left out above.
uint64_t kinds_beyond(int order, int level, bool above) {
    uint64_t out = 0;
    for (int kind = 0; kind < kKinds; ++kind) {
        const int mine = order_of(rank_of(kind), level);
        if (above ? mine > order && kind != wild_kind(level) : mine < order) out |= 1ULL << kind;
    }
    return out;
}

double log_factorial(int n) { return std::lgamma(n + 1.0); }
double log_choose(int n, int k) { return log_factorial(n) - log_factorial(k) - log_factorial(n - k); }

}  // namespace

namespace {

std::array<int, kSeats> hand_sizes(const RoundStatus& status) {
    std::array<int, kSeats> out;
    for (int s = 0; s < kSeats; ++s) out[s] = status.hands[s].size();
    return out;
}

}  // namespace

Knowledge::Knowledge(const Round& round, int seat)
    : Knowledge(round.status(), round.deck(), hand_sizes(round.status()), round.level(), round.profile().no_return, seat, round.status().hands[seat]) {}

Knowledge::Knowledge(const RoundStatus& open, const Cards& deck, const std::array<int, kSeats>& sizes, int level, NoReturn no_return,
                     int seat, const Cards& hand)
    : seat(seat), hand(hand), sizes(sizes) {
    unseen = deck - hand;
    for (int s = 0; s < kSeats; ++s) unseen = unseen - open.played[s];
    if (open.resisted) {
        for (int s = 0; s < kSeats; ++s) barred[s] |= kBigBit;
        for (int i = 0; i < open.exchange_count; ++i) barred[open.exchanges[i].payer] &= ~kBigBit;
        return;
    }
    if (open.phase == Phase::Tribute) {
        for (int i = 0; i < open.exchange_count; ++i) not_both_big |= static_cast<uint8_t>(1u << open.exchanges[i].payer);
    }
    const auto keep = [&](int owner, int kind) {
        if (owner != seat && open.played[owner].count(kind) == 0) held[owner].add(kind);
    };
    for (const Exchange& exchange : open.exchanges) {
        if (exchange.tribute == kNobody) continue;
        const int order = order_of(rank_of(exchange.tribute), level);
        barred[exchange.payer] |= kinds_beyond(order, level, true);
        if (exchange.tribute == kBigJoker) barred[exchange.payer] |= kBigBit;
        if (exchange.receiver == kNobody) {
            keep(exchange.payer, exchange.tribute);
            continue;
        }
        if (exchange.returned == kNobody) {
            keep(exchange.receiver, exchange.tribute);
            continue;
        }
        keep(exchange.payer, exchange.returned);
        if (exchange.returned != exchange.tribute) keep(exchange.receiver, exchange.tribute);
        if (returnable(level) >> exchange.returned & 1) continue;
        const int lowest = order_of(rank_of(exchange.returned), level);
        barred[exchange.receiver] |= no_return == NoReturn::Lowest ? kinds_beyond(lowest, level, false) : returnable(level);
    }
}

WorldSampler::WorldSampler(const Knowledge& knowledge) : known_(knowledge) {
    Cards rest = known_.unseen;
    for (int i = 0, s = next_seat(known_.seat); i < kOthers; ++i, s = next_seat(s)) {
        others_[i] = s;
        capacity_[i] = known_.sizes[s] - known_.held[s].size();
        rest = rest - known_.held[s];
    }
    rest.each([&](int kind) {
        int allowed = 0;
        for (int i = 0; i < kOthers; ++i) allowed |= (known_.barred[others_[i]] >> kind & 1) ? 0 : 1 << i;
        for (int i = 0; i < kOthers; ++i) {
            if (known_.sizes[others_[i]] == 0) allowed &= ~(1 << i);
        }
        cards_[allowed].push_back(static_cast<uint8_t>(kind));
    });
    possible_ = cards_[0].empty();
    for (int i = 0; i < kOthers; ++i) {
        capacity_[i] -= static_cast<int>(cards_[1 << i].size());
        possible_ &= capacity_[i] >= 0;
    }
    if (possible_) weigh_splits();
    if (possible_ && known_.not_both_big) possible_ = can_part_big();
}

// Whether some deal leaves a big joker outside the payers' hands, as it must be if they did not resist.
bool WorldSampler::can_part_big() const {
    Cards sure = known_.hand;
    for (const Cards& held : known_.held) sure = sure + held;
    const int free = known_.unseen.count(kBigJoker) + known_.hand.count(kBigJoker) - sure.count(kBigJoker);
    if (sure.count(kBigJoker) + free < kCopies) return true;
    for (int s = 0; s < kSeats; ++s) {
        if (known_.not_both_big >> s & 1) continue;
        if ((s == known_.seat ? known_.hand : known_.held[s]).count(kBigJoker)) return true;
        if (s == known_.seat || free == 0 || (known_.barred[s] & kBigBit)) continue;
        Knowledge there = known_;
        there.not_both_big = 0;
        there.held[s].add(kBigJoker);
        if (WorldSampler(there).is_possible()) return true;
    }
    return false;
}

// Every way to share the cards of the two-seat sets, weighted by the number of deals it stands for.
void WorldSampler::weigh_splits() {
    constexpr int kAll = kSets - 1;
    const auto size = [&](int set) { return static_cast<int>(cards_[set].size()); };
    std::vector<double> logs;
    for (int a = 0; a <= size(3); ++a) {          // set {0, 1}: a to seat 0
        for (int b = 0; b <= size(5); ++b) {      // set {0, 2}: b to seat 0
            for (int c = 0; c <= size(6); ++c) {  // set {1, 2}: c to seat 1
                const int left[kOthers] = {capacity_[0] - a - b, capacity_[1] - (size(3) - a) - c,
                                           capacity_[2] - (size(5) - b) - (size(6) - c)};
                if (std::min({left[0], left[1], left[2]}) < 0) continue;
                double weight = log_choose(size(3), a) + log_choose(size(5), b) + log_choose(size(6), c) + log_factorial(size(kAll));
                for (int n : left) weight -= log_factorial(n);
                Split split;
                split.lower[3] = static_cast<uint8_t>(a);
                split.lower[5] = static_cast<uint8_t>(b);
                split.lower[6] = static_cast<uint8_t>(c);
                splits_.push_back(split);
                logs.push_back(weight);
            }
        }
    }
    possible_ = !splits_.empty();
    if (!possible_) return;
    const double top = *std::max_element(logs.begin(), logs.end());
    double sum = 0;
    for (size_t i = 0; i < splits_.size(); ++i) splits_[i].cumulative = sum += std::exp(logs[i] - top);
}

std::array<Cards, kSeats> WorldSampler::sample(core::Rng& rng) const {
    assert(is_possible());
    std::array<Cards, kSeats> hands;
    std::vector<uint8_t> pile;
    do {
        hands = known_.held;
        hands[known_.seat] = known_.hand;
        const double target = splits_.size() > 1 ? rng.uniform() * splits_.back().cumulative : 0;
        const auto split = std::upper_bound(splits_.begin(), splits_.end() - 1, target,
                                            [](double t, const Split& s) { return t < s.cumulative; });
        std::array<int, kOthers> left = capacity_;
        const auto give = [&](int other, size_t from, size_t to) {
            for (size_t i = from; i < to; ++i) hands[others_[other]].add(pile[i]);
            left[other] -= static_cast<int>(to - from);
        };
        for (int set = 1; set < kSets; ++set) {
            pile = cards_[set];
            if (pile.empty()) continue;
            const int lowest = core::lowest(static_cast<uint64_t>(set)), highest = core::highest(static_cast<uint64_t>(set));
            if (lowest == highest) {
                give(lowest, 0, pile.size());
                left[lowest] += static_cast<int>(pile.size());  // already taken from the capacity
                continue;
            }
            rng.shuffle(pile.data(), static_cast<uint32_t>(pile.size()));
            if (set == kSets - 1) {
                size_t at = 0;
                for (int i = 0; i < kOthers; ++i) {
                    const size_t end = at + static_cast<size_t>(left[i]);
                    give(i, at, end);
                    at = end;
                }
            } else {
                give(lowest, 0, split->lower[set]);
                give(highest, split->lower[set], pile.size());
            }
        }
        int big = 0;
        for (int s = 0; s < kSeats; ++s) big += (known_.not_both_big >> s & 1) ? hands[s].count(kBigJoker) : 0;
        if (big < kCopies) break;
    } while (true);
    return hands;
}

namespace {

constexpr uint64_t kBlindSeed = 0;

// The public part of the table after the steps of a story.
RoundStatus open_table(const Seen& seen) {
    RoundStatus open;
    open.resisted = seen.previous && seen.resisted;
    if (seen.previous) open.exchange_count = static_cast<int8_t>(assign_payers(*seen.previous, open.exchanges));
    if (seen.previous && !seen.resisted) open.phase = Phase::Tribute;
    int tributes = 0, returns = 0;
    for (const Step& step : seen.steps) {
        if (step.play.type == Type::Tribute || step.play.type == Type::Return) {
            const bool paying = step.play.type == Type::Tribute;
            if (open.phase == Phase::Play || open.resisted) throw std::invalid_argument("an exchange where there is none");
            for (Exchange& exchange : open.exchanges) {
                if ((paying ? exchange.payer : exchange.receiver) != step.seat) continue;
                (paying ? exchange.tribute : exchange.returned) = static_cast<int8_t>(core::lowest(step.play.cards.once));
            }
            tributes += paying;
            returns += !paying;
            if (paying && tributes == open.exchange_count) {
                assign_receivers(*seen.profile, seen.level, *seen.previous, open.exchange_count, open.exchanges);
                open.phase = Phase::Return;
            }
            if (returns == open.exchange_count) open.phase = Phase::Play;
            continue;
        }
        const Cards sum = open.played[step.seat] + step.play.cards;
        if (sum.size() != open.played[step.seat].size() + step.play.cards.size()) throw std::invalid_argument("a card is played too often");
        open.played[step.seat] = sum;
    }
    return open;
}

}  // namespace

Round rebuild(const Seen& seen) {
    const RoundStatus open = open_table(seen);
    std::array<int, kSeats> sizes;
    Cards all = seen.hand;
    int total = seen.hand.size();
    for (int s = 0; s < kSeats; ++s) {
        sizes[s] = kHandSize - open.played[s].size();
        total += open.played[s].size();
        all = all + open.played[s];
    }
    for (const Exchange& exchange : open.exchanges) {
        if (exchange.receiver == kNobody || exchange.returned != kNobody) continue;
        --sizes[exchange.payer];
        ++sizes[exchange.receiver];
    }
    if (all.size() != total) throw std::invalid_argument("a card occurs more than twice");
    if (!seen.deck.contains(all)) throw std::invalid_argument("cards that are not in the deck");
    if (seen.sizes) sizes = *seen.sizes;
    for (int size : sizes) {
        if (size < 0) throw std::invalid_argument("a seat played more cards than it had");
        total += size;
    }
    if (total - seen.hand.size() != seen.deck.size()) throw std::invalid_argument("hand sizes that do not add up to the deck");
    if (sizes[seen.seat] != seen.hand.size()) throw std::invalid_argument("the hand has not the size that the plays leave");
    const WorldSampler sampler(Knowledge(open, seen.deck, sizes, seen.level, seen.profile->no_return, seen.seat, seen.hand));
    if (!sampler.is_possible()) throw std::invalid_argument("no deal agrees with the story");
    core::Rng rng(kBlindSeed);
    Round ended = seen.previous ? Round(*seen.profile, {}, seen.level, *seen.previous) : Round(*seen.profile, {}, seen.level, seen.leader);
    const Round round = ended.restarted(sampler.sample(rng), open);
    if (round.status().resisted != open.resisted) throw std::invalid_argument("the big jokers contradict the tribute");
    Round out = round;
    for (const Step& step : seen.steps) {
        if (out.turn() != step.seat) throw std::invalid_argument("a play out of turn");
        if (const char* why = out.why_illegal(step.play)) throw std::invalid_argument(why);
        out.apply(step.play);
    }
    return out;
}

Round blinded(const Round& round, int seat) {
    core::Rng rng(kBlindSeed);
    return round.with_hands(WorldSampler(Knowledge(round, seat)).sample(rng));
}

}  // namespace mingpai::guandan
