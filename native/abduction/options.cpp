#include "native/abduction/options.hpp"

#include <algorithm>

#include "native/guandan/bots.hpp"

namespace mingpai::abduction {

using namespace guandan;

namespace {

constexpr float kCostScale = 0.25f;  // plans cost up to about eight leads
constexpr int kFewCards = 12;        // an opponent with more is no danger yet

void write_facts(const Sight& sight, const Play& play, const Prospect& prospect, float best_hold, float* out) {
    const auto set = [&](Fact fact, float value) { out[static_cast<int>(fact)] = value; };
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

}  // namespace

void list_options(const Round& round, const RuleWeights& weights, Options& out) {
    out.plays.clear();
    out.pseudo.clear();
    out.facts.clear();
    const Cards& hand = round.table().hands[round.turn()];
    const Holding holding(hand, round.level());
    const Play* target = round.is_leading() ? nullptr : &round.table().best;
    const Mask mask = target ? holding.follow_mask(*target) : holding.lead_mask();
    const Judge judge(hand, round.level());
    std::vector<Play> candidates;
    mask.each([&](int index) {
        candidates.clear();
        holding.list(index, target, candidates);
        out.plays.push_back(candidates[least_inconsistent(judge, candidates, weights)]);
        out.pseudo.push_back(static_cast<uint8_t>(index));
    });
}

void add_facts(const Round& round, Options& options) {
    const Sight sight(round, round.turn());
    std::vector<Prospect> found;
    float best_hold = 0;
    prospects(sight, options.plays, found, best_hold);
    options.facts.assign(options.size() * kFacts, 0.0f);
    for (size_t i = 0; i < options.size(); ++i) {
        write_facts(sight, options.plays[i], found[i], best_hold, options.facts.data() + i * kFacts);
    }
}

}  // namespace mingpai::abduction
