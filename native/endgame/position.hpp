// An open position: everybody's cards, the seat to move, the move to beat.
#pragma once
#include <array>
#include <cassert>
#include <cstdint>

#include "native/doudizhu/movegen.hpp"
#include "native/doudizhu/trick.hpp"

namespace mingpai::endgame {

using doudizhu::Hand;
using doudizhu::kLandlord;
using doudizhu::Move;
using doudizhu::MoveList;
using doudizhu::Rules;

inline constexpr int kMaxPlayers = 3;

// Seat 0 is the landlord and plays alone; with three players seat 1 follows him (down) and seat 2 precedes him (up). On a lead the
// owner is without meaning.
struct Position : doudizhu::Trick {
    int players = 2;
    std::array<Hand, kMaxPlayers> hands{};

    // Seats that may still answer, the mover included; 0 on a lead.
    int left_to_answer() const { return is_lead() ? 0 : players - 1 - passes(players); }
    bool is_over() const {
        for (int seat = 0; seat < players; ++seat) {
            if (hands[seat] == 0) return true;
        }
        return false;
    }
    // Does the landlord win a position that is over?
    bool has_landlord_won() const {
        assert(is_over());
        return hands[kLandlord] == 0;
    }
    bool is_landlords_turn() const { return turn == kLandlord; }

    void legal_moves(const Rules& rules, MoveList& out) const { doudizhu::legal_moves(hands[turn], last, rules, out); }

    Position after(const Move& move) const {
        assert(players <= kMaxPlayers && doudizhu::holds(hands[turn], move.cards));
        Position out = *this;
        out.hands[turn] -= move.cards;
        out.apply(move, players);
        return out;
    }
};

// Null for a position that can occur, else what is wrong with it.
const char* find_fault(const Position& position, const Rules& rules);

// What decides a position's value and its legal moves: equal for moves to beat that differ only in kickers.
struct StateKey {
    std::array<Hand, kMaxPlayers> hands{};
    uint32_t rest = 0;
    friend bool operator==(const StateKey&, const StateKey&) = default;
};
StateKey key_of(const Position& position);

struct StateKeyHash {
    size_t operator()(const StateKey& key) const;
};

}  // namespace mingpai::endgame
