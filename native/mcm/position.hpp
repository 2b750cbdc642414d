// Features of single decisions, for agents: the same rows as a batch writes, from what one seat has seen.
#pragma once
#include <span>
#include <vector>

#include "native/doudizhu/rules.hpp"
#include "native/mcm/features.hpp"

namespace mingpai::mcm {

// What a seat has seen of a deal.
struct Seen {
    int role = kLandlord;                  // whose turn it is and whose hand it is
    Hand hand = 0;
    Hand bottom = 0;                       // the bottom cards as they were turned up
    std::array<uint8_t, kRoles> counts{};  // cards each role holds now
    Hand deck = doudizhu::kFullDeck;       // all cards of the deal
};

struct Position {
    Play play;
    Hand hand = 0;
    doudizhu::Rules rules;
    std::vector<Move> history;  // all moves of the deal
    std::vector<Move> moves;    // legal moves, in the order of the generator

    // The position after `history`, all moves of the deal. Throws std::invalid_argument where they do not fit together.
    Position(const Seen& seen, std::span<const Move> history, const doudizhu::Rules& rules);

    // Writes one row of kStateSize and moves.size() rows of kMoveSize.
    void observe(Objective objective, uint8_t* state, uint8_t* move_rows) const;
};

}  // namespace mingpai::mcm
