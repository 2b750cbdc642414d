// A deal in play as the search sees it: all hands known (one sampled world), seats by role, small enough to copy for every
// roll-out. The rules of moves are those of native/doudizhu.
#pragma once
#include <array>
#include <cstdint>

#include "native/doudizhu/state.hpp"
#include "native/ruleplay/turns.hpp"

namespace mingpai::ruleplay {

// Roles in order of play: the landlord, the farmer after him, the farmer before him.
inline constexpr int kLandlord = 0;
inline constexpr int kDown = 1;
inline constexpr int kUp = 2;
inline constexpr int kRoles = doudizhu::kSeats;

constexpr int next_role(int role) { return doudizhu::next_seat(role); }
// The other farmer; of a farmer only.
constexpr int mate_of(int role) { return kDown + kUp - role; }
constexpr bool are_enemies(int role, int other) { return (role == kLandlord) != (other == kLandlord); }

struct World {
    std::array<Hand, kRoles> hands{};
    Move last;                          // the move to beat; a pass when the role to move leads
    std::array<uint8_t, kRoles> counts{};
    uint8_t turn = kLandlord;
    uint8_t owner = kLandlord;          // who played `last`
    uint8_t bombs = 0;                  // bombs and rockets played, before and after the root
    std::array<uint8_t, kRoles> plays{};  // moves of each role, passes not counted

    bool is_over() const { return counts[owner] == 0; }
    bool landlord_won() const { return owner == kLandlord; }

    void play(const Move& move) {
        if (!move.is_pass()) {
            hands[turn] -= move.cards;
            counts[turn] = static_cast<uint8_t>(counts[turn] - move.size);
            ++plays[turn];
            bombs = static_cast<uint8_t>(bombs + move.is_bomb());
            last = move;
            owner = turn;
        }
        turn = static_cast<uint8_t>(next_role(turn));
        if (turn == owner) last = Move{};
    }

    // Some enemy of the role to move can beat the move.
    bool enemies_can_beat(const Move& move, const Rules& rules) const {
        if (turn != kLandlord) return doudizhu::can_beat(hands[kLandlord], move, rules);
        return doudizhu::can_beat(hands[kDown], move, rules) || doudizhu::can_beat(hands[kUp], move, rules);
    }

    // How often the stake has doubled by the end: bombs, and spring or anti-spring, as far as the rules count them.
    int doublings(const Rules& rules) const {
        const bool spring = landlord_won() ? plays[kDown] + plays[kUp] == 0 : plays[kLandlord] <= 1;
        return (rules.bombs_double ? bombs : 0) + (rules.spring_doubles && spring);
    }
};

}  // namespace mingpai::ruleplay
