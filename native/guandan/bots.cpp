#include "native/guandan/bots.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <tuple>

namespace mingpai::guandan {
namespace {

constexpr float kNever = -1e9f;
constexpr float kGoOut = 100.0f;
constexpr uint32_t kRankMask = (1u << kRanks) - 1;

// --- what is left out there -----------------------------------------------------------------------------------------------

// For every group the chance that it wins its trick, from the unseen cards and the hand sizes.
class Counting {
  public:
    Counting(const Sight& sight, const Weights& weights);

    float hold(const Play& play) const { return standing(play.type, play.rank, play.size, play.is_bomb()); }
    float hold(const Group& group) const { return standing(group.type, group.rank, group.size, group.type >= Type::Bomb); }
    Costs costs(const Weights& weights) const;

  private:
    float hold(Type type, int rank, int size) const;
    float standing(Type type, int rank, int size, bool bomb) const;
    // Chance-like number of opponents' groups of `copies` cards of a rank, at most 1.
    float expected(int rank, int copies) const;

    const Sight& sight_;
    float fear_;   // chance that somebody bombs
    float decay_;
    float full_house_;
    float share_;  // of the unseen cards, the part that one opponent holds
    int most_;     // cards of the opponent with more of them
    std::array<int, kPlayRanks> left_{};
    std::array<std::array<float, kPlayRanks>, 2> held_{};  // expected copies at either opponent, by the estimate
    std::array<float, kPlayRanks> single_{}, pair_{};
    std::array<float, kRanks> triple_{};
    std::array<float, kPlateStarts> plate_{};
    std::array<float, kTubeStarts> tube_{};
    std::array<float, kRunStarts> straight_{};
};

float Counting::expected(int rank, int copies) const {
    const int n = left_[rank];
    if (n < copies || most_ < copies) return 0;
    if (sight_.estimate) {
        float sum = 0;
        for (const auto& held : held_) {
            float ways = 1;
            for (int i = 0; i < copies; ++i) ways *= static_cast<float>(n - i) / static_cast<float>(i + 1) * held[rank] / static_cast<float>(n);
            sum += ways;
        }
        return std::min(1.0f, sum);
    }
    float ways = 1;
    for (int i = 0; i < copies; ++i) ways *= static_cast<float>(n - i) / static_cast<float>(i + 1) * share_;
    return std::min(1.0f, 2 * ways);
}

Counting::Counting(const Sight& sight, const Weights& weights) : sight_(sight), decay_(weights.hold_decay), full_house_(weights.full_house_hold) {
    const int a = sight.sizes[next_seat(sight.seat)], b = sight.sizes[partner_of(next_seat(sight.seat))];
    const int unseen = std::max(1, sight.unseen.size());
    most_ = std::max(a, b);
    share_ = 0.5f * static_cast<float>(a + b) / static_cast<float>(unseen);
    for (int kind = 0; kind < kKinds; ++kind) left_[rank_of(kind)] += sight.unseen.count(kind);
    for (int kind = 0; kind < kKinds && sight.estimate; ++kind) {
        const auto most = static_cast<float>(sight.unseen.count(kind));
        held_[0][rank_of(kind)] += std::min(most, sight.estimate[kind]);
        held_[1][rank_of(kind)] += std::min(most, sight.estimate[2 * kKinds + kind]);
    }
    // Bombs become likelier answers when their owners have few other cards; impossible below four cards.
    fear_ = most_ < kMinBomb ? 0 : weights.bomb_fear;
    // From the top down: hold = exp(-decay * number of higher groups out there).
    std::array<int, kPlayRanks> by_order;
    for (int i = 0; i < kPlayRanks; ++i) by_order[i] = i;
    std::sort(by_order.begin(), by_order.end(),
              [&](int x, int y) { return order_of(x, sight.level) > order_of(y, sight.level); });
    float singles = 0, pairs = 0, triples = 0;
    for (int rank : by_order) {
        single_[rank] = std::exp(-decay_ * singles);
        pair_[rank] = std::exp(-decay_ * pairs);
        singles += sight.estimate ? held_[0][rank] + held_[1][rank] : static_cast<float>(left_[rank]) * 2 * share_;
        pairs += expected(rank, 2);
        if (rank < kRanks) {
            triple_[rank] = std::exp(-decay_ * triples);
            triples += expected(rank, 3);
        }
    }
    const auto chain = [&](auto& out, int starts, int length, int copies) {
        float higher = 0;
        for (int s = starts - 1; s >= 0; --s) {
            out[s] = std::exp(-decay_ * higher);
            float chance = 1;
            for (int i = 0; i < length; ++i) chance *= expected((s + i) % kRanks, copies);
            higher += chance;
        }
    };
    chain(straight_, kRunStarts, kRunLength, 1);
    chain(tube_, kTubeStarts, kTubeSlots, 2);
    chain(plate_, kPlateStarts, kPlateSlots, 3);
}

float Counting::hold(Type type, int rank, int size) const {
    switch (type) {
        case Type::Single: return single_[rank];
        case Type::Pair: return pair_[rank];
        case Type::Triple: return triple_[rank];
        case Type::FullHouse: return most_ < kRunLength ? 1 : full_house_ + (1 - full_house_) * triple_[rank];
        case Type::Plate: return most_ < 6 ? 1 : plate_[rank];
        case Type::Tube: return most_ < 6 ? 1 : tube_[rank];
        case Type::Straight: return most_ < kRunLength ? 1 : straight_[rank];
        case Type::Bomb: return 0.75f + 0.06f * static_cast<float>(size - kMinBomb);
        case Type::StraightFlush: return 0.9f;
        default: return 1;
    }
}

float Counting::standing(Type type, int rank, int size, bool bomb) const {
    const float alone = hold(type, rank, size);
    return bomb ? (most_ < kMinBomb ? 1 : alone) : alone * (1 - fear_);
}

Costs Counting::costs(const Weights& weights) const {
    // A winner gives its lead back, and is the more useful the oftener its type is led by others.
    const auto cost = [&](float hold, float regain) { return 1 - hold * (1 - fear_) * (1 + regain); };
    Costs out;
    for (int rank = 0; rank < kPlayRanks; ++rank) {
        out.single[rank] = cost(single_[rank], weights.regain_single);
        out.pair[rank] = cost(pair_[rank], weights.regain_pair);
    }
    for (int rank = 0; rank < kRanks; ++rank) {
        out.triple[rank] = cost(triple_[rank], weights.regain_triple);
        out.full_house[rank] = cost(hold(Type::FullHouse, rank, 0), weights.regain_full_house);
    }
    for (int s = 0; s < kPlateStarts; ++s) out.plate[s] = cost(plate_[s], weights.regain_plate);
    for (int s = 0; s < kTubeStarts; ++s) out.tube[s] = cost(tube_[s], weights.regain_tube);
    for (int s = 0; s < kRunStarts; ++s) out.straight[s] = cost(straight_[s], weights.regain_straight);
    for (int size = 0; size <= kMaxBomb; ++size) {
        out.bomb[size] = -0.6f - weights.keep_bomb - 0.1f * static_cast<float>(std::max(0, size - kMinBomb));
    }
    out.straight_flush = -0.6f - weights.keep_bomb - 0.15f;
    out.joker_bomb = -0.6f - weights.keep_bomb - 0.5f;
    return out;
}

// --- candidates -------------------------------------------------------------------------------------------------------------

void list_candidates(const Sight& sight, std::vector<Play>& out) {
    const Holding holding(sight.hand, sight.level);
    const bool leading = sight.best_seat == kNobody;
    const Mask mask = leading ? holding.lead_mask() : holding.follow_mask(sight.best);
    mask.each([&](int index) {
        if (index != kPassAction) promising_plays(holding, index, leading ? nullptr : &sight.best, sight.hand, out);
    });
}

bool is_one_play(const Cards& hand, int level) { return Holding(hand, level).is_one_play(); }

// --- rule1 and rule2 --------------------------------------------------------------------------------------------------------

Play smallest(const std::vector<Play>& plays, int level, bool by_size) {
    const auto key = [&](const Play& p) {
        return std::make_tuple(bomb_class(p.type, p.size), p.wilds, by_size ? -p.size : 0, strength(p.type, p.rank, level));
    };
    return *std::min_element(plays.begin(), plays.end(), [&](const Play& a, const Play& b) { return key(a) < key(b); });
}

Play rule1(const Sight& sight) {
    std::vector<Play> plays;
    list_candidates(sight, plays);
    if (plays.empty()) return {};
    if (sight.best_seat != kNobody) return smallest(plays, sight.level, false);
    // Lead the lowest rank with all its cards, up to three.
    std::vector<Play> groups;
    for (const Play& p : plays) {
        if (p.type <= Type::Triple && p.wilds == 0) groups.push_back(p);
    }
    if (groups.empty()) groups = plays;
    const auto order = [&](const Play& p) { return order_of(p.rank, sight.level); };
    return *std::min_element(groups.begin(), groups.end(), [&](const Play& a, const Play& b) {
        return std::make_pair(order(a), -a.size) < std::make_pair(order(b), -b.size);
    });
}

// Whether the play takes part of a bomb, or leaves part of a triple or pair behind.
int broken_groups(const Play& play, const Holding& holding, bool bombs_only) {
    if (play.type > Type::Triple || play.rank >= kRanks) return 0;
    const int held = holding.naturals(play.rank);
    if (held >= kMinBomb) return 2;
    return !bombs_only && held > play.size - play.wilds ? 1 : 0;
}

Play rule2(const Sight& sight) {
    constexpr int kLate = 10;
    std::vector<Play> plays;
    list_candidates(sight, plays);
    const Holding holding(sight.hand, sight.level);
    const int own = sight.hand.size();
    for (const Play& p : plays) {
        if (p.size == own) return p;
    }
    const bool leading = sight.best_seat == kNobody;
    std::vector<Play> kept;
    for (const Play& p : plays) {
        const bool breaks = broken_groups(p, holding, false) > 0;
        if (!p.is_bomb() && !breaks && (leading || p.wilds == 0 || own <= kLate)) kept.push_back(p);
    }
    if (leading) {
        if (kept.empty()) return smallest(plays, sight.level, false);
        const auto key = [&](const Play& p) {
            return std::make_pair(p.wilds, strength(p.type, p.rank, sight.level) * 2 - 3 * p.size);
        };
        return *std::min_element(kept.begin(), kept.end(), [&](const Play& a, const Play& b) { return key(a) < key(b); });
    }
    if (sight.best_seat == sight.partner()) {
        constexpr int kModest = 8;  // a ten or lower may be raised a little
        if (kept.empty() || sight.best.is_bomb() || strength(sight.best.type, sight.best.rank, sight.level) > kModest) return {};
        const Play low = smallest(kept, sight.level, false);
        return strength(low.type, low.rank, sight.level) <= kModest + 2 ? low : Play{};
    }
    if (!kept.empty()) return smallest(kept, sight.level, false);
    const bool late = own <= kLate || sight.sizes[sight.best_seat] <= kLate;
    if (!late || plays.empty()) return {};
    std::vector<Play> bombs;
    for (const Play& p : plays) {
        if (p.is_bomb()) bombs.push_back(p);
    }
    return bombs.empty() ? Play{} : smallest(bombs, sight.level, false);
}

// --- rule3 ------------------------------------------------------------------------------------------------------------------

constexpr int kPlanNodes = 60;

// Costs by rank alone, without counting cards.
Costs plain_costs(int level) {
    Costs out;
    const auto by_order = [&](int rank) { return static_cast<float>(order_of(rank, level)) / (kOrders - 1); };
    const auto cost = [](float place, float regain) { return 1 - place * place * (1 + regain); };
    for (int rank = 0; rank < kPlayRanks; ++rank) {
        out.single[rank] = cost(by_order(rank), 0.6f);
        out.pair[rank] = cost(by_order(rank), 0.5f);
    }
    for (int rank = 0; rank < kRanks; ++rank) {
        out.triple[rank] = cost(by_order(rank), 0.4f);
        out.full_house[rank] = cost(by_order(rank), 0.4f);
    }
    const auto chain = [&](float* costs, int starts) {
        for (int s = 0; s < starts; ++s) costs[s] = cost(static_cast<float>(s + 1) / static_cast<float>(starts), 0.2f);
    };
    chain(out.plate, kPlateStarts);
    chain(out.tube, kTubeStarts);
    chain(out.straight, kRunStarts);
    for (int size = 0; size <= kMaxBomb; ++size) out.bomb[size] = -0.9f - 0.1f * static_cast<float>(size - kMinBomb);
    out.straight_flush = -1.05f;
    out.joker_bomb = -1.5f;
    return out;
}

Play rule3(const Sight& sight) {
    std::vector<Play> plays;
    list_candidates(sight, plays);
    if (plays.empty()) return {};
    const Costs costs = plain_costs(sight.level);
    Planner planner(costs, sight.level, kPlanNodes);
    const bool leading = sight.best_seat == kNobody;
    const bool over_partner = sight.best_seat == sight.partner();
    const float now = planner.cost(sight.hand);
    const int threat = leading ? kHandSize : sight.sizes[sight.best_seat];
    float best = leading ? kNever : 0;
    Play chosen;
    for (const Play& play : plays) {
        const Cards rest = sight.hand - play.cards;
        if (rest.empty()) return play;
        float gain = now - planner.cost(rest);
        if (!leading) gain += over_partner ? -0.6f : threat <= 5 ? 1.2f : threat <= 10 ? 0.6f : 0.35f;
        if (leading && is_one_play(rest, sight.level)) gain += 0.5f;
        if (gain > best) {
            best = gain;
            chosen = play;
        }
    }
    return chosen;
}

// --- rule4 ------------------------------------------------------------------------------------------------------------------

class Rule4 {
  public:
    Rule4(const Weights& weights, const Sight& sight)
        : w_(weights), sight_(sight), counting_(sight, weights), costs_(counting_.costs(weights)),
          planner_(costs_, sight.level, static_cast<int>(weights.nodes)) {}

    std::vector<Scored> scores();
    Prospect prospect(const Play& play, float now);
    float cost(const Cards& hand) { return planner_.cost(hand); }
    float hold(const Play& play) const { return counting_.hold(play); }

  private:
    float score(const Play& play, float now);
    float lead_worth(float rest_cost) const;
    float danger(int seat) const;
    float feeding(const Play& play, float wins) const;
    // Chance to play the hand out from the lead without losing a trick.
    float run_out(const Cards& hand, int depth);

    const Weights& w_;
    const Sight& sight_;
    Counting counting_;
    Costs costs_;
    Planner planner_;
};

float Rule4::danger(int seat) const {
    const int left = sight_.sizes[seat];
    return left <= 2 ? 1.0f : left <= 5 ? 0.8f : left <= 8 ? 0.5f : left <= 12 ? w_.danger_reach : 0.0f;
}

float Rule4::lead_worth(float rest_cost) const {
    const float near = std::clamp(2.0f - rest_cost, 0.0f, 2.0f) / 2.0f;
    return w_.lead + w_.lead_near_end * near;
}

float Rule4::feeding(const Play& play, float wins) const {
    float sum = 0;
    for (int seat : {next_seat(sight_.seat), partner_of(next_seat(sight_.seat))}) {
        if (sight_.sizes[seat] == play.size && !play.is_bomb()) sum -= w_.feed_opponent * (1 - wins);
    }
    const int left = sight_.sizes[sight_.partner()];
    if (left == play.size && play.type <= Type::Pair) sum += w_.feed_partner * (1 - wins);
    return sum;
}

float Rule4::run_out(const Cards& hand, int depth) {
    constexpr int kMostCards = 16;
    if (hand.empty() || is_one_play(hand, sight_.level)) return 1;
    if (depth == 0 || hand.size() > kMostCards) return 0;
    Sight inner = sight_;
    inner.hand = hand;
    inner.best = {};
    inner.best_seat = kNobody;
    std::vector<Play> plays;
    list_candidates(inner, plays);
    float best = 0;
    for (const Play& play : plays) {
        const float wins = counting_.hold(play);
        if (wins > best && wins > 0.5f) best = std::max(best, wins * run_out(hand - play.cards, depth - 1));
    }
    return best;
}

float Rule4::score(const Play& play, float now) {
    const Cards rest = sight_.hand - play.cards;
    if (rest.empty()) return kGoOut;
    const bool leading = sight_.best_seat == kNobody;
    const float wins = counting_.hold(play), after = planner_.cost(rest);
    float gain = now - after + wins * lead_worth(after);
    gain += w_.run_out * wins * run_out(rest, 2);
    if (leading) return gain + feeding(play, wins);
    if (sight_.best_seat == sight_.partner()) {
        return gain - w_.over_partner - counting_.hold(sight_.best) * (w_.lead + w_.lead_near_end) - w_.danger * danger(sight_.partner());
    }
    // The partner may still beat the play if he acts after us and before its owner.
    const bool partner_acts = next_seat(sight_.seat) != sight_.best_seat && sight_.sizes[sight_.partner()] > 0;
    return gain + w_.danger * danger(sight_.best_seat) * (partner_acts ? w_.partner_acts : 1.0f);
}

Prospect Rule4::prospect(const Play& play, float now) {
    Prospect out{};
    const Cards rest = sight_.hand - play.cards;
    out.plan = planner_.plan(rest);
    for (int i = 0; i < out.plan.count; ++i) {
        const float hold = counting_.hold(out.plan.groups[static_cast<size_t>(i)]);
        for (size_t step = 0; step < kHoldSteps.size(); ++step) out.losers[step] += hold < kHoldSteps[step];
    }
    out.after = out.plan.cost;
    out.gain = now - out.after;
    if (play.is_pass()) return out;
    out.hold = rest.empty() ? 1 : counting_.hold(play);
    out.run_out = rest.empty() ? 1 : run_out(rest, 1);
    return out;
}

std::vector<Scored> Rule4::scores() {
    std::vector<Play> plays;
    list_candidates(sight_, plays);
    const float now = planner_.cost(sight_.hand);
    std::vector<Scored> out;
    if (sight_.best_seat != kNobody) out.push_back({{}, 0});
    for (const Play& play : plays) out.push_back({play, score(play, now)});
    std::stable_sort(out.begin(), out.end(), [](const Scored& a, const Scored& b) { return a.score > b.score; });
    return out;
}

// --- tribute ----------------------------------------------------------------------------------------------------------------

Play exchange(int number, const Sight& sight) {
    const bool paying = sight.phase == Phase::Tribute;
    uint64_t kinds = paying ? tribute_kinds(sight.hand, sight.level) : return_kinds(sight.hand, sight.level, sight.no_return);
    const Costs costs = plain_costs(sight.level);
    Planner planner(costs, sight.level, kPlanNodes);
    int chosen = core::lowest(kinds);
    float best = kNever;
    for (; kinds && number > 2; kinds &= kinds - 1) {
        const int kind = core::lowest(kinds);
        Cards rest = sight.hand;
        rest.remove(kind);
        // Low cards help an opponent less; a partner is glad of a higher one.
        const float favour = sight.receiver == sight.partner() ? 0.01f : -0.01f;
        const float gain = -planner.cost(rest) + favour * static_cast<float>(order_of(rank_of(kind), sight.level));
        if (gain > best) {
            best = gain;
            chosen = kind;
        }
    }
    return exchange_play(paying ? Type::Tribute : Type::Return, chosen, sight.level);
}

}  // namespace

int flush_windows(const Cards& hand, int level) {
    int runs = 0;
    const uint64_t natural = hand.once & kSuitedKinds & ~(1ULL << wild_kind(level));
    for (int suit = 0; suit < kSuits; ++suit) {
        uint32_t ranks = core::gather_nibbles(natural >> suit) & kRankMask;
        ranks |= (ranks & 1) << kRanks;
        runs += core::popcount(ranks & ranks >> 1 & ranks >> 2 & ranks >> 3 & ranks >> 4 & ((1u << kRunStarts) - 1));
    }
    return runs;
}

float plan_cost(const Cards& hand, int level) {
    const Costs costs = plain_costs(level);
    return Planner(costs, level, kPlanNodes).cost(hand);
}

void prospects(const Sight& sight, std::span<const Play> plays, std::vector<Prospect>& out, float& best_hold) {
    const Weights weights;
    Rule4 rule(weights, sight);
    const float now = rule.cost(sight.hand);
    best_hold = sight.best_seat == kNobody ? 0 : rule.hold(sight.best);
    for (const Play& play : plays) out.push_back(rule.prospect(play, now));
}

void promising_plays(const Holding& holding, int pseudo, const Play* target, const Cards& hand, std::vector<Play>& out) {
    constexpr int kWildBadness = 1000, kBrokenPair = 100, kFlush = 10, kFullHouses = 2;
    const int level = holding.level();
    struct Best {
        int badness = 1 << 20;
        const Play* play = nullptr;
    };
    std::array<Best, kPlayRanks> best;
    std::vector<Play> all;
    holding.list(pseudo, target, all);
    for (const Play& play : all) {
        int badness = play.wilds * kWildBadness + play.size, slot = 0;
        if (play.type == Type::FullHouse) {
            const uint64_t rest = play.cards.once & ~(15ULL << kSuits * play.rank) & ~(1ULL << wild_kind(level));
            slot = rest ? rank_of(core::lowest(rest)) : level;
            badness += order_of(slot, level) + (slot < kRanks && holding.naturals(slot) != 2 ? kBrokenPair : 0);
        }
        badness -= kFlush * flush_windows(hand - play.cards, level);
        if (badness < best[slot].badness) best[slot] = {badness, &play};
    }
    std::sort(best.begin(), best.end(), [](const Best& a, const Best& b) { return a.badness < b.badness; });
    for (int i = 0; i < kFullHouses && best[i].play; ++i) out.push_back(*best[i].play);
}

Sight::Sight(const Round& round, int seat)
    : seat(seat), level(round.level()), phase(round.phase()), hand(round.status().hands[seat]), best(round.status().best),
      best_seat(round.status().best_seat), no_return(round.profile().no_return) {
    unseen = round.deck() - hand;
    for (int s = 0; s < kSeats; ++s) {
        sizes[s] = round.status().hands[s].size();
        unseen = unseen - round.status().played[s];
    }
    for (const Exchange& one : round.status().exchanges) {
        if (one.receiver == seat) receiver = one.payer;
    }
}

Play weighted_play(const Weights& weights, const Sight& sight) {
    if (sight.phase != Phase::Play) return exchange(kRuleBots, sight);
    return Rule4(weights, sight).scores().front().play;
}

std::vector<Scored> rule4_scores(const Sight& sight) {
    if (sight.phase != Phase::Play) return {};
    const Weights weights;
    return Rule4(weights, sight).scores();
}

namespace {

// The sparring partner of a place, from 0 on.
Weights sparring_weights(int place) {
    Weights weights;
    switch (place) {
        case 0:  // bold: bombs are there to be used, and the lead is worth much
            weights.keep_bomb = 0.35f;
            weights.lead = 0.6f;
            weights.danger = 1.2f;
            break;
        case 1:  // careful: keeps its bombs and fears those of others
            weights.keep_bomb = 0.65f;
            weights.lead = 0.4f;
            weights.bomb_fear = 0.2f;
            break;
        default:  // alone: has no partner
            weights.over_partner = 0;
            weights.feed_partner = 0;
    }
    return weights;
}

}  // namespace

Play bot_play(int number, const Sight& sight) {
    assert(number >= 1 && number <= kRuleBots + kSparringBots);
    if (sight.phase != Phase::Play) return exchange(number, sight);
    switch (number) {
        case 1: return rule1(sight);
        case 2: return rule2(sight);
        case 3: return rule3(sight);
        case kRuleBots: return weighted_play(Weights{}, sight);
        default: return weighted_play(sparring_weights(number - kRuleBots - 1), sight);
    }
}

}  // namespace mingpai::guandan
