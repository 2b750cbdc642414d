#include "native/abduction/options.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace mingpai::abduction {

using namespace guandan;

namespace {

constexpr float kCostScale = 0.25f;  // plans cost up to about eight leads
constexpr int kFewCards = 12;        // an opponent with more is no danger yet

void write_facts(const Sight& sight, const Play& play, const Prospect& prospect, float best_hold, float* out) {
    const auto set = [&](Fact fact, float value) { out[static_cast<int>(fact)] = value; };
    assert(sight.hand.contains(play.cards));
    const Cards rest = sight.hand - play.cards;
    const bool leading = sight.best_seat == kNobody, own = sight.best_seat == sight.partner();
    set(Fact::Gain, prospect.gain * kCostScale);
    set(Fact::After, prospect.after * kCostScale);
    set(Fact::Hold, prospect.hold);
    set(Fact::RunOut, prospect.run_out);
    set(Fact::GoesOut, rest.empty());
    set(Fact::OneLeft, !rest.empty() && !play.is_pass() && Holding(rest, sight.level).is_one_play());
    set(Fact::Wilds, play.wilds * 0.5f);
    set(Fact::Bomb, play.is_bomb());
    set(Fact::Pass, play.is_pass());
    set(Fact::Leading, leading);
    set(Fact::OverPartner, own);
    int fed = 0;
    for (int seat : {next_seat(sight.seat), partner_of(next_seat(sight.seat))}) fed += sight.sizes[seat] == play.size;
    const bool plain = !play.is_pass() && !play.is_bomb();
    set(Fact::FeedsOpponent, plain ? static_cast<float>(fed) * 0.5f : 0);
    set(Fact::FeedsPartner, plain && sight.sizes[sight.partner()] == play.size);
    if (!leading && !own) {
        const int left = sight.sizes[sight.best_seat];
        set(Fact::Danger, left > kFewCards ? 0 : 1 - static_cast<float>(left) / (kFewCards + 1));
    }
    set(Fact::BestHolds, best_hold);
    set(Fact::Size, static_cast<float>(play.size) / kMaxBomb);
    if (!play.is_pass()) set(Fact::Strength, static_cast<float>(strength(play.type, play.rank, sight.level)) / (kOrders - 1));
    set(Fact::Left, static_cast<float>(rest.size()) / kHandSize);
}

constexpr float kHigherSteps[marks::kHoldPlaces] = {0.25f, 0.5f, 1, 1.5f, 2, 2.5f, 3, 4, 5, 6, 8, 10};  // expected higher groups
constexpr float kDecay = 0.33f;  // from a chance to hold back to the expected number

void write_plan(const Prospect& prospect, int level, uint8_t* out) {
    const Plan& plan = prospect.plan;
    for (int i = 0; i < plan.count; ++i) {
        const Group& group = plan.groups[static_cast<size_t>(i)];
        if (group.type < Type::Bomb) ++out[marks::kPlanGroups + static_cast<int>(group.type) * kOrders + strength(group.type, group.rank, level)];
        else if (group.type == Type::Bomb) ++out[marks::kPlanBombs + group.size];
        else ++out[group.type == Type::StraightFlush ? marks::kPlanFlush : marks::kPlanJokers];
    }
    std::fill_n(out + marks::kPlanCount, std::min(plan.count, marks::kCountPlaces), uint8_t{1});
    for (size_t step = 0; step < kHoldSteps.size(); ++step) {
        std::fill_n(out + marks::kPlanLosers + static_cast<int>(step) * marks::kLoserPlaces, std::min<int>(prospect.losers[step], marks::kLoserPlaces), uint8_t{1});
    }
    const auto steps = static_cast<int>((plan.cost - kLowestCost) / kCostStep);
    if (plan.count) std::fill_n(out + marks::kPlanCost, std::clamp(steps, 0, marks::kCostPlaces), uint8_t{1});
}

void write_marks(const Sight& sight, const Play& play, const Prospect& prospect, uint8_t* out) {
    out[marks::kType + static_cast<int>(play.type)] = 1;
    if (!play.is_pass()) {
        out[marks::kStrength + strength(play.type, play.rank, sight.level)] = 1;
        out[marks::kSize + play.size] = 1;
        std::fill_n(out + marks::kWilds, play.wilds, uint8_t{1});
        const float higher = -std::log(std::max(prospect.hold, 1e-6f)) / kDecay;
        for (int i = 0; i < marks::kHoldPlaces; ++i) out[marks::kHigher + i] = higher >= kHigherSteps[i];
    }
    const Cards rest = sight.hand - play.cards;
    const Holding holding(rest, sight.level);
    for (int copies = 1; copies <= kMostGroup; ++copies) {
        uint8_t* to = out + marks::kRest + (copies - 1) * marks::kSuitedOrders;
        for (uint32_t ranks = holding.at_least(copies); ranks; ranks &= ranks - 1) to[order_of(core::lowest(ranks), sight.level)] = 1;
    }
    std::fill_n(out + marks::kRestJokers, rest.count(kSmallJoker), uint8_t{1});
    std::fill_n(out + marks::kRestJokers + kCopies, rest.count(kBigJoker), uint8_t{1});
    std::fill_n(out + marks::kRestWilds, holding.wilds(), uint8_t{1});
    out[marks::kRestSize + rest.size()] = 1;
    write_plan(prospect, sight.level, out);
}

}  // namespace

void list_options(const Round& round, const RuleWeights& weights, Options& out, int variants) {
    assert(!round.is_over() && round.phase() == Phase::Play);
    out.plays.clear();
    out.pseudo.clear();
    out.facts.clear();
    out.marks.clear();
    const Cards& hand = round.status().hands[round.turn()];
    const Holding holding(hand, round.level());
    const Play* target = round.is_leading() ? nullptr : &round.status().best;
    const Mask mask = target ? holding.follow_mask(*target) : holding.lead_mask();
    const Judge judge(hand, round.level());
    std::vector<Play> candidates;
    mask.each([&](int index) {
        candidates.clear();
        holding.list(index, target, candidates);
        for (const size_t i : least_inconsistent(judge, candidates, weights, variants)) {
            out.plays.push_back(candidates[i]);
            out.pseudo.push_back(static_cast<uint8_t>(index));
        }
    });
    assert(!out.plays.empty() && out.plays.size() == out.pseudo.size());
}

void add_facts(const Round& round, Options& options, bool blind, const float* estimate) {
    Sight sight(round, round.turn());
    if (blind) sight.unseen = round.deck();
    sight.estimate = estimate;
    std::vector<Prospect> outlooks;
    outlooks.reserve(options.size());
    float best_hold = 0;
    prospects(sight, options.plays, outlooks, best_hold);
    assert(outlooks.size() == options.size());
    options.facts.assign(options.size() * kFacts, 0.0f);
    options.marks.assign(options.size() * kMarks, uint8_t{0});
    for (size_t i = 0; i < options.size(); ++i) {
        write_facts(sight, options.plays[i], outlooks[i], best_hold, options.facts.data() + i * kFacts);
        write_marks(sight, options.plays[i], outlooks[i], options.marks.data() + i * kMarks);
    }
}

}  // namespace mingpai::abduction
