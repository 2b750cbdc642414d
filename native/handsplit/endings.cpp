#include "native/handsplit/endings.hpp"

#include <algorithm>
#include <cmath>

namespace mingpai::handsplit {

using doudizhu::card_count;
using doudizhu::cards_of;
using doudizhu::count_of;
using doudizhu::kRanks;

namespace {

// Adds the ways to take `needed` cards of ranks from `rank` up; false when they become more than `limit`.
bool add_hands(Hand hidden, int rank, int needed, Hand hand, size_t limit, std::vector<Hand>& out) {
    if (needed == 0) {
        out.push_back(hand);
        return out.size() <= limit;
    }
    if (rank == kRanks) return true;
    for (int copies = 0; copies <= std::min(needed, count_of(hidden, rank)); ++copies) {
        if (!add_hands(hidden, rank + 1, needed - copies, hand + cards_of(rank, static_cast<uint64_t>(copies)), limit, out)) {
            return false;
        }
    }
    return true;
}

// The number of ways to choose the cards of a hand from the hidden ones.
double ways(Hand hidden, Hand hand) {
    double product = 1;
    for (int rank = 0; rank < kRanks; ++rank) {
        product *= doudizhu::choose(count_of(hidden, rank), count_of(hand, rank));
    }
    return product;
}

endgame::Position position_of(const World& world) {
    endgame::Position position;
    static_cast<doudizhu::Trick&>(position) = world;
    position.players = kRoles;
    position.hands = world.hands;
    return position;
}

int roll_out_plies(World world, Policy& policy) {
    int plies = 0;
    for (; !world.is_over(); ++plies) world.play(policy.move(world, true));
    return plies;
}

}  // namespace

std::vector<Hand> possible_first_hands(const Situation& situation, int limit) {
    const Hand known = situation.known_of_landlord(), hidden = situation.unseen() - known;
    const Hand given = situation.first() == kLandlord ? known : 0;
    const int needed = situation.now().counts[situation.first()] - card_count(given);
    std::vector<Hand> out;
    if (!add_hands(hidden, 0, needed, given, static_cast<size_t>(limit), out)) out.clear();
    return out;
}

std::optional<Ending> prove_ending(const Situation& situation, const Worlds* worlds, const std::vector<Move>& candidates,
                                   const EndingSettings& settings, Policy& policy, endgame::Engine& engine,
                                   core::Budget& budget) {
    const World& now = situation.now();
    if (now.counts[0] + now.counts[1] + now.counts[2] > settings.max_cards) return std::nullopt;
    const std::vector<Hand> hands = possible_first_hands(situation, settings.max_worlds);
    if (hands.empty()) return std::nullopt;

    // 1. How likely each world is.
    const Hand known = situation.known_of_landlord(), hidden = situation.unseen() - known;
    const Hand given = situation.first() == kLandlord ? known : 0;
    std::vector<double> chances;
    double sum = 0;
    for (const Hand hand : hands) {
        const double ratio = worlds ? std::exp(worlds->log_ratio(situation, hand, policy)) : 1;
        chances.push_back(ratio * ways(hidden, hand - given));
        sum += chances.back();
    }

    // 2. Every candidate in every world.
    Ending ending;
    ending.worlds = static_cast<int>(hands.size());
    for (const Move& move : candidates) ending.moves.push_back({move, 0, 0});
    const bool is_landlord = now.turn == kLandlord;
    for (size_t w = 0; w < hands.size(); ++w) {
        const World world = situation.world_with(hands[w]);
        const endgame::Position root = position_of(world);
        engine.set_root(root, situation.rules());
        for (Proved& proved : ending.moves) {
            const endgame::Position after = root.after(proved.move);
            bool landlord_wins = after.is_over() && after.has_landlord_won();
            if (!after.is_over()) {
                const uint64_t before = budget.used();
                const endgame::Answer answer = engine.solve(after, settings.nodes, budget);
                ending.nodes += budget.used() - before;
                if (answer == endgame::Answer::kUnknown || ending.nodes > settings.all_nodes) return std::nullopt;
                landlord_wins = answer == endgame::Answer::kWon;
            }
            if (landlord_wins != is_landlord) continue;
            World played = world;
            played.play(proved.move);
            proved.won += chances[w] / sum;
            proved.plies += chances[w] / sum * roll_out_plies(played, policy);
        }
    }

    // 3. The surest first; among equals the shortest.
    for (Proved& proved : ending.moves) {
        if (proved.won > 0) proved.plies /= proved.won;
    }
    constexpr double kGrain = 1e9;  // sums of the same chances in another order are the same
    const auto grains = [](double x) { return std::llround(x * kGrain); };
    std::stable_sort(ending.moves.begin(), ending.moves.end(), [&](const Proved& a, const Proved& b) {
        return grains(a.won) != grains(b.won) ? grains(a.won) > grains(b.won) : grains(a.plies) < grains(b.plies);
    });
    return ending;
}

}  // namespace mingpai::handsplit
