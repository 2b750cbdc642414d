#include "native/ruleplay/opponents.hpp"

#include <algorithm>

namespace mingpai::ruleplay {

using doudizhu::count_of;

namespace {

constexpr int kTen = 7, kTwo = doudizhu::kTwo;
// Cards of an enemy at which he is about to go out, and at which bombs are due.
constexpr int kDangerCards = 5, kBombCards = 3, kStopCards = 2;
// With at most this many turns left, control cards and bombs are used to run.
constexpr int kRunTurns = 3, kBombTurns = 2;
// In units of rank: a bomb is spent last, a mate about to go out is fed first, an enemy about to go out never if avoidable.
constexpr float kBombCost = 100, kFeedCost = 60, kGiftCost = 50;
constexpr float kKickerCost = 0.1f;
// A turn more in hand weighs as much as this many ranks; a high card in front of a last card, twice its rank.
constexpr float kTurnCost = 4, kHighCardGain = 2;

int enemy_cards(const World& world) {
    if (world.turn != kLandlord) return world.counts[kLandlord];
    return std::min(world.counts[kDown], world.counts[kUp]);
}

// The sum of the ranks of the kickers: low kickers are cheap.
int kicker_ranks(const Move& move) {
    const Hand kickers = move.cards - move.body();
    int sum = 0;
    for (int rank = 0; rank < doudizhu::kRanks; ++rank) sum += rank * count_of(kickers, rank);
    return sum;
}

float follow_cost(const Move& move) {
    return (move.is_bomb() ? kBombCost : 0) + static_cast<float>(move.rank) +
           kKickerCost * static_cast<float>(kicker_ranks(move));
}

}  // namespace

Seen seen_in(const World& world) {
    Seen seen{world, 0};
    for (int role = 0; role < kRoles; ++role) {
        if (role == world.turn) continue;
        seen.unseen += world.hands[role];
        seen.world.hands[role] = 0;
    }
    return seen;
}

bool whole_hand_move(Hand hand, const Move& last, const Rules& rules, Move& out) {
    for (const Move& reading : doudizhu::classify(hand, rules)) {
        if (!last.is_pass() && !doudizhu::beats(reading, last)) continue;
        out = reading;
        return true;
    }
    return false;
}

Move RuleBased::move(const Seen& seen) const {
    Move finish;
    if (whole_hand_move(seen.hand(), seen.world.last, splitter_.rules(), finish)) return finish;
    return seen.world.last.is_pass() ? active(seen) : passive(seen);
}

// Nobody can beat the move, even if one player held all unseen cards, and what is left goes out at once.
bool RuleBased::wins_next(const Seen& seen, const Move& move) const {
    return splitter_.min_turns(seen.hand() - move.cards) == 1 && !doudizhu::can_beat(seen.unseen, move, splitter_.rules());
}

float RuleBased::lead_cost(const Seen& seen, const Move& move) const {
    const World& world = seen.world;
    const int top = move.rank + move.length - 1;
    float cost = static_cast<float>(top - doudizhu::card_count(move.body())) + kKickerCost * static_cast<float>(kicker_ranks(move));
    if (move.is_bomb()) cost += kBombCost;
    const int enemy = enemy_cards(world);
    const bool gift = (move.type == Type::Single && enemy == 1) || (move.type == Type::Pair && enemy == 2);
    if (gift) cost += kGiftCost - kHighCardGain * static_cast<float>(move.rank);  // if it must be, the highest
    if (world.turn == kDown && !gift) {
        const int mate = world.counts[kUp];
        if ((move.type == Type::Single && mate == 1) || (move.type == Type::Pair && mate == 2)) cost -= kFeedCost;
    }
    return cost;
}

// Active strategy: from the partitions of fewest turns, the cheapest part; a sure win first.
Move RuleBased::active(const Seen& seen) const {
    MoveList legal;
    doudizhu::lead_moves(seen.hand(), splitter_.rules(), legal);
    const int turns = splitter_.min_turns(seen.hand());
    const bool feeds = seen.world.turn == kDown && seen.world.counts[kUp] == 1;
    Move best;
    float best_cost = 0;
    for (const Move& move : legal) {
        const int slack = feeds && move.type == Type::Single ? 1 : 0;  // a mate with one card is worth a turn
        if (!splitter_.is_in_small_partition(seen.hand(), move, turns, slack)) continue;
        if (turns == 2 && wins_next(seen, move)) return move;
        const float cost = lead_cost(seen, move);
        if (best.is_pass() || cost < best_cost) {
            best = move;
            best_cost = cost;
        }
    }
    return best;
}

Move RuleBased::passive(const Seen& seen) const {
    MoveList legal;
    doudizhu::follow_moves(seen.hand(), seen.world.last, splitter_.rules(), legal);
    for (const Move& move : legal) {
        if (!move.is_pass() && wins_next(seen, move)) return move;
    }
    return are_enemies(seen.world.turn, seen.world.owner) ? over_enemy(seen, legal) : over_mate(seen, legal);
}

// Passive strategy against an enemy: the cheapest move that costs no turn; control cards and bombs only when it matters.
Move RuleBased::over_enemy(const Seen& seen, const MoveList& legal) const {
    const World& world = seen.world;
    const int turns = splitter_.min_turns(seen.hand());
    const int left = world.counts[world.owner];
    const bool danger = left <= kDangerCards;
    Move best;
    float best_cost = 0;
    for (const Move& move : legal) {
        if (move.is_pass()) continue;
        const int after = splitter_.min_turns(seen.hand() - move.cards);
        if (move.is_bomb()) {
            if (left > kBombCards && after > kBombTurns) continue;
        } else {
            if (after > turns - 1 + danger) continue;
            const bool control = move.rank >= kTwo && move.length == 1;
            if (control && !danger && turns > kRunTurns && world.last.rank < kTen) continue;
        }
        float cost = follow_cost(move) + kTurnCost * static_cast<float>(after);
        if (left == 1 && move.type == Type::Single) cost -= kHighCardGain * static_cast<float>(move.rank);  // the highest stops him
        if (best.is_pass() || cost < best_cost) {
            best = move;
            best_cost = cost;
        }
    }
    return best;
}

// Passive strategy behind the mate: let his move stand, but raise a low single or pair in front of the landlord.
Move RuleBased::over_mate(const Seen& seen, const MoveList& legal) const {
    const World& world = seen.world;
    const Move& last = world.last;
    const bool small = last.type == Type::Single || last.type == Type::Pair;
    if (world.turn != kUp || !small || last.rank >= kTen || world.counts[world.owner] <= kBombCards) return Move{};
    const int turns = splitter_.min_turns(seen.hand());
    for (const Move& move : legal) {
        if (move.is_pass() || move.is_bomb() || move.rank < kTen || move.rank >= kTwo) continue;
        if (splitter_.min_turns(seen.hand() - move.cards) < turns) return move;
    }
    return Move{};
}

// Value of what a move leaves; a pass leaves everything.
float RemainingValue::after(const Seen& seen, const Move& move) {
    return evaluator_.worth(seen.hand() - move.cards).value;
}

Move RemainingValue::move(const Seen& seen) {
    const World& world = seen.world;
    Move best;
    if (whole_hand_move(seen.hand(), world.last, evaluator_.rules(), best)) return best;
    MoveList legal;
    doudizhu::legal_moves(seen.hand(), world.last, evaluator_.rules(), legal);
    best = Move{};
    const bool leads = world.last.is_pass();
    const bool over_mate = !leads && !are_enemies(world.turn, world.owner);
    const bool stop = !leads && !over_mate && world.counts[world.owner] <= kStopCards;
    float best_value = leads || stop ? -1e9f : after(seen, best);
    for (const Move& move : legal) {
        if (move.is_pass()) continue;
        const Hand left = seen.hand() - move.cards;
        const bool last_turn = evaluator_.worth(left).is_one_move;
        if (last_turn && !doudizhu::can_beat(seen.unseen, move, evaluator_.rules())) return move;
        if (over_mate) continue;
        float value = after(seen, move);
        const int enemy = enemy_cards(world);
        const bool gift = leads && ((move.type == Type::Single && enemy == 1) || (move.type == Type::Pair && enemy == 2));
        if (gift) value -= kGiftCost - kHighCardGain * static_cast<float>(move.rank);
        if (value > best_value) {
            best = move;
            best_value = value;
        }
    }
    return best;
}

}  // namespace mingpai::ruleplay
