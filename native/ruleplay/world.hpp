// A deal in play as the search sees it: all hands known (one sampled world), seats by role, small enough to copy for every
// roll-out. The rules of moves are those of native/doudizhu.
#pragma once
#include <array>
#include <cassert>
#include <cstdint>

#include "native/doudizhu/trick.hpp"
#include "native/ruleplay/turns.hpp"

namespace mingpai::ruleplay {

using doudizhu::are_enemies;
using doudizhu::kDown;
using doudizhu::kLandlord;
using doudizhu::kRoles;
using doudizhu::kUp;
using doudizhu::mate_of;
using doudizhu::next_role;

struct World : doudizhu::Trick {
    std::array<Hand, kRoles> hands{};
    std::array<uint8_t, kRoles> counts{};

    bool is_over() const { return counts[owner] == 0; }

    void play(const Move& move) {
        assert(!is_over() && counts[turn] >= move.size);
        if (!move.is_pass()) {  // half of the moves of a roll-out are passes: they touch no hand
            hands[turn] -= move.cards;
            counts[turn] = static_cast<uint8_t>(counts[turn] - move.size);
        }
        apply(move);
    }

    // Some enemy of the role to move can beat the move.
    bool enemies_can_beat(const Move& move, const Rules& rules) const {
        if (turn != kLandlord) return doudizhu::can_beat(hands[kLandlord], move, rules);
        return doudizhu::can_beat(hands[kDown], move, rules) || doudizhu::can_beat(hands[kUp], move, rules);
    }
};

}  // namespace mingpai::ruleplay
