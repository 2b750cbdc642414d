#include "native/mcm/position.hpp"

#include <cassert>
#include <stdexcept>
#include <string>

#include "native/doudizhu/movegen.hpp"
#include "native/mcm/turns.hpp"

namespace mingpai::mcm {

using namespace doudizhu;

namespace {

Hand gone_cards(const Play& play) { return play.played[0] + play.played[1] + play.played[2]; }

void verify_move(const Play& play, const Move& move) {
    const std::string where = "move " + std::to_string(play.moves) + " of the history";
    if (move.is_pass() && play.last.is_pass()) throw std::invalid_argument(where + " is a pass on a lead");
    if (!move.is_pass() && !play.last.is_pass() && !beats(move, play.last)) {
        throw std::invalid_argument(where + " does not beat the one before it");
    }
    if (!is_hand(move.cards) || !holds(play.deck - gone_cards(play), move.cards)) {
        throw std::invalid_argument(where + " has cards that are not left");
    }
}

void verify_seen(const Play& play, const Seen& seen) {
    if (play.turn != seen.role) throw std::invalid_argument("role " + std::to_string(seen.role) + " is not to move");
    if (!is_hand(seen.hand) || !holds(play.deck - gone_cards(play), seen.hand)) {
        throw std::invalid_argument("the hand has cards that are not left");
    }
    for (int role = 0; role < kRoles; ++role) {
        if (seen.counts[role] == 0 || play.dealt[role] > kMaxHandCards) {
            throw std::invalid_argument("role " + std::to_string(role) + " holds no cards, or was dealt more than 20");
        }
    }
    if (card_count(seen.hand) != seen.counts[seen.role]) throw std::invalid_argument("the hand and its count differ");
}

}  // namespace

Position::Position(const Seen& seen, std::span<const Move> made, const Rules& of)
    : play(seen.bottom), hand(seen.hand), rules(of), history(made.begin(), made.end()) {
    const int back = static_cast<int>(history.size() % kRoles);
    play.turn = static_cast<uint8_t>((seen.role + kRoles - back) % kRoles);
    play.deck = seen.deck;
    for (const Move& move : history) {
        verify_move(play, move);
        play.apply(move);
    }
    for (int role = 0; role < kRoles; ++role) {
        play.dealt[role] = static_cast<uint8_t>(seen.counts[role] + card_count(play.played[role]));
    }
    verify_seen(play, seen);
    MoveList list;
    legal_moves(hand, play.last, rules, list);
    moves.assign(list.begin(), list.end());
    assert(!moves.empty());
}

void Position::observe(Objective objective, uint8_t* state, uint8_t* move_rows) const {
    const SeatView view{play, hand, objective, rules};
    const Hand unseen = view.unseen();
    const Odds odds = view.odds(unseen);
    assert(play.cards_left(play.turn) == card_count(hand));
    const int hand_turns = estimated_turns(hand);
    view.write_state(state, hand_turns);
    for (const Move& move : moves) {
        view.write_move(move, unseen, odds, hand_turns, estimated_turns(hand - move.cards), move_rows);
        move_rows += kMoveSize;
    }
}

}  // namespace mingpai::mcm
