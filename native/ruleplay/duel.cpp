#include "native/ruleplay/duel.hpp"

namespace mingpai::ruleplay {
namespace {

class HeuristicPlayer : public Player {
  public:
    HeuristicPlayer(const Rules& rules, const Weights& weights) : policy_(rules, weights) {}
    Move move(const Seen& seen) override { return policy_.move(seen.world, false); }

  private:
    Policy policy_;
};

class RuleBasedPlayer : public Player {
  public:
    explicit RuleBasedPlayer(const Rules& rules) : rules_(rules) {}
    Move move(const Seen& seen) override { return rules_.move(seen); }

  private:
    RuleBased rules_;
};

class RemainingValuePlayer : public Player {
  public:
    explicit RemainingValuePlayer(const Rules& rules) : values_(rules) {}
    Move move(const Seen& seen) override { return values_.move(seen); }

  private:
    RemainingValue values_;
};

bool landlord_wins(World world, Player& landlord, Player& farmers) {
    while (!world.is_over()) {
        Player& player = world.turn == kLandlord ? landlord : farmers;
        world.play(player.move(seen_in(world)));
    }
    return world.landlord_won();
}

}  // namespace

std::unique_ptr<Player> heuristic_player(const Rules& rules, const Weights& weights) {
    return std::make_unique<HeuristicPlayer>(rules, weights);
}
std::unique_ptr<Player> rule_based_player(const Rules& rules) { return std::make_unique<RuleBasedPlayer>(rules); }
std::unique_ptr<Player> remaining_value_player(const Rules& rules) { return std::make_unique<RemainingValuePlayer>(rules); }

World world_of(const doudizhu::Deal& deal, int landlord) {
    World world;
    for (int role = 0; role < kRoles; ++role) world.hands[role] = deal.hands[(landlord + role) % kRoles];
    world.hands[kLandlord] += deal.bottom;
    for (int role = 0; role < kRoles; ++role) {
        world.counts[role] = static_cast<uint8_t>(doudizhu::card_count(world.hands[role]));
    }
    return world;
}

World shuffled_world(core::Rng& rng) { return world_of(doudizhu::shuffled_deal(rng), 0); }

std::vector<DuelScore> duel(Player& first, Player& second, int deals, uint64_t seed, core::Budget& budget) {
    std::vector<DuelScore> scores;
    for (int i = 0; i < deals && !budget.spend(1); ++i) {
        core::Rng rng(core::stream_seed(seed, static_cast<uint64_t>(i)));
        const World world = shuffled_world(rng);
        scores.push_back({landlord_wins(world, first, second), !landlord_wins(world, second, first)});
    }
    return scores;
}

}  // namespace mingpai::ruleplay
