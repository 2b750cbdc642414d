#include "native/regret/abstraction.hpp"

#include <algorithm>
#include <cassert>

#include "native/handreading/strength.hpp"
#include "native/handreading/styles.hpp"

namespace mingpai::regret {

using namespace holdem;

namespace {

constexpr std::array<double, kPrices - 2> kPriceLimits = {0.28, 0.37};    // cost of a call by the pot after it
constexpr std::array<double, kDepths - 1> kDepthLimits = {0.7, 2.0, 5.0};  // chips left by the pot
constexpr int kEquitySamples = 160;
constexpr int kMostRaises = 4;         // on a street; then only calls and folds
constexpr double kCommitted = 0.7;     // a raise of this share of the chips is all of them

template <size_t kCount>
int steps_above(const std::array<double, kCount>& limits, double value) {
    return static_cast<int>(std::count_if(limits.begin(), limits.end(), [&](double limit) { return value > limit; }));
}

// Raises on the street at hand, and who raised last in the hand.
struct Raised {
    int count = 0, leader = -1;

    explicit Raised(const Table& table) {
        for (size_t i = 0; i < table.actions().size(); ++i) {
            if (table.actions()[i].kind != ActionKind::kRaise) continue;
            leader = table.actor(i);
            count += table.street_of(i) == table.status().street;
        }
    }
};

// Nobody with chips acts after the seat on this street, raises aside.
bool is_last(const Table& table, int seat) {
    const Table::Status& status = table.status();
    const int seats = table.setup().seats;
    const int first = status.street == Street::kPreflop ? table.big_blind_seat() : table.setup().button;
    const int own = (seat - first - 1 + seats) % seats;
    for (int s = 0; s < seats; ++s) {
        if (s != seat && (status.live >> s & 1) && status.stacks[s] > 0 && (s - first - 1 + seats) % seats > own) return false;
    }
    return true;
}

// Chips that can still be won or lost: the seat's own, or the deepest opponent's.
Chips left_to_play(const Table& table, int seat) {
    const Table::Status& status = table.status();
    Chips most = 0;
    for (int s = 0; s < table.setup().seats; ++s) {
        if (s != seat && (status.live >> s & 1)) most = std::max(most, status.stacks[s]);
    }
    return std::min(most, status.stacks[seat]);
}

void put_raise(Scene& scene, Choice choice, const Table& table, const Legal& legal, double share) {
    assert(legal.raise && legal.min_to <= legal.max_to);
    const double pot = static_cast<double>(table.pot() + legal.call_cost);
    const Chips unit = table.rules().unit;
    const Chips wanted = (table.status().current_bet + static_cast<Chips>(share * pot)) / unit * unit;
    const Chips to = std::clamp(wanted, legal.min_to, legal.max_to);
    if (static_cast<double>(to) >= kCommitted * static_cast<double>(legal.max_to)) return;
    scene.actions[static_cast<size_t>(choice)] = {ActionKind::kRaise, to};
    scene.is_legal[static_cast<size_t>(choice)] = true;
}

void put_actions(Scene& scene, const Table& table, const Legal& legal, int raises, const SmallGame& game) {
    scene.is_legal[0] = !legal.check;
    scene.actions[0] = {ActionKind::kFold, 0};
    scene.is_legal[1] = true;
    scene.actions[1] = {legal.check ? ActionKind::kCheck : ActionKind::kCall, 0};
    if (!legal.raise || raises >= kMostRaises) return;
    put_raise(scene, Choice::kSmall, table, legal, game.raises[0]);
    put_raise(scene, Choice::kLarge, table, legal, game.raises[1]);
    if (scene.is_legal[2] && scene.is_legal[3] && scene.actions[2] == scene.actions[3]) scene.is_legal[3] = false;
    scene.actions[4] = {ActionKind::kRaise, legal.max_to};
    scene.is_legal[4] = true;
}

}  // namespace

int strength_class(CardSet hand, CardSet board, const SmallGame& game) {
    assert(core::popcount(hand) == 2 && !(hand & board));
    if (!board) {
        const double place = handreading::starting_places()[combo_of(static_cast<Card>(core::lowest(hand)), static_cast<Card>(core::highest(hand)))];
        return kStrengths - 1 - steps_above(game.places, place);
    }
    core::Rng rng(core::stream_seed(hand, board));
    return steps_above(game.equities, handreading::hand_equity(hand, board, kEquitySamples, rng));
}

Scene scene_of(const Table& table, const SmallGame& game) {
    assert(!table.is_over());
    const Table::Status& status = table.status();
    const int seat = status.to_act;
    const Legal legal = table.legal();
    const Raised raised(table);
    const double pot = static_cast<double>(table.pot()), cost = static_cast<double>(legal.call_cost);
    const int price = cost > 0 ? 1 + steps_above(kPriceLimits, cost / (pot + cost)) : 0;
    const int depth = steps_above(kDepthLimits, static_cast<double>(left_to_play(table, seat)) / std::max(pot, 1.0));
    const int leader = raised.leader < 0 ? 0 : raised.leader == seat ? 1 : 2;
    Scene scene;
    int row = static_cast<int>(status.street) * kStrengths;
    row = row * kPrices + price;
    row = row * kRaises + std::min(raised.count, kRaises - 1);
    row = row * kPositions + is_last(table, seat);
    row = row * kDepths + depth;
    row = row * kLeaders + leader;
    scene.row = row * kPlayers + (core::popcount(status.live) > 2);
    assert(scene.row >= 0 && scene.row + (kStrengths - 1) * kStrengthStep < kRows);
    put_actions(scene, table, legal, raised.count, game);
    return scene;
}

}  // namespace mingpai::regret
