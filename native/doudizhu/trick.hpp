// The course of the card play, all but the cards: whose turn it is, what lies on the table, what has been counted for the stake.
// Whoever plays Dou Dizhu (the game, the searches, the self-play tables, the endgame solver) keeps one of these beside its hands.
#pragma once
#include <array>
#include <cassert>
#include <cstdint>

#include "native/doudizhu/rules.hpp"

namespace mingpai::doudizhu {

// Roles in order of play: the landlord, the farmer after him, the farmer before him. Seats are numbered in the same order.
inline constexpr int kLandlord = 0;
inline constexpr int kDown = 1;
inline constexpr int kUp = 2;
inline constexpr int kRoles = kSeats;
// No seat: nobody has bid, nobody is landlord.
inline constexpr uint8_t kNobody = 255;

constexpr int next_seat(int seat) { return seat == kSeats - 1 ? 0 : seat + 1; }
constexpr int previous_seat(int seat) { return seat == 0 ? kSeats - 1 : seat - 1; }
constexpr int role_of(int seat, int landlord) { return (seat - landlord + kSeats) % kSeats; }
constexpr int next_role(int role) { return next_seat(role); }
constexpr int previous_role(int role) { return previous_seat(role); }
// The other farmer; of a farmer only.
constexpr int mate_of(int role) { return kDown + kUp - role; }
constexpr bool are_enemies(int role, int other) { return (role == kLandlord) != (other == kLandlord); }

struct Trick {
    Move last;                     // the move to beat; a pass when the seat to move leads
    uint8_t turn = kLandlord;      // seat to move
    uint8_t owner = kLandlord;     // seat that played the last move other than a pass: the winner, once he is out
    uint8_t landlord = kLandlord;  // seat of the landlord; where seats are roles, the first
    uint8_t bombs = 0;             // bombs and rockets played
    std::array<uint8_t, 2> plays{};  // moves of the landlord and of the farmers, passes not counted

    bool is_lead() const { return last.is_pass(); }
    int role(int seat) const { return role_of(seat, landlord); }
    // Passes since the move to beat.
    int passes(int players = kSeats) const { return is_lead() ? 0 : (turn - owner - 1 + players) % players; }

    // True when the move may follow, as far as the table tells: a lead, a pass on a move, or a move that beats it.
    bool accepts(const Move& move) const { return move.is_pass() ? !is_lead() : is_lead() || beats(move, last); }
    // Makes the move of the seat to move.
    void apply(const Move& move, int players = kSeats) {
        assert(turn < players && accepts(move));
        const auto next = static_cast<uint8_t>(turn + 1 == players ? 0 : turn + 1);
        if (move.is_pass()) {
            if (next == owner) last = Move{};
        } else {
            last = move;
            owner = turn;
            bombs = static_cast<uint8_t>(bombs + move.is_bomb());
            ++plays[turn != landlord];
        }
        turn = next;
        assert(turn != owner || is_lead());
    }

    // The following are questions about a deal that is over.
    bool landlord_won() const { return owner == landlord; }
    // Spring: no farmer played a card; anti-spring: the landlord played one move only.
    bool is_spring() const { return landlord_won() ? plays[1] == 0 : plays[0] <= 1; }
    // How often the stake has doubled, as far as the rules count it: bombs, and spring or anti-spring.
    int doublings(const Rules& rules) const {
        assert(owner < kSeats && plays[owner != landlord] > 0);
        return bomb_doublings(rules) + (rules.counts_springs() && is_spring());
    }
    // The same before the end: of the bombs alone.
    int bomb_doublings(const Rules& rules) const { return rules.counts_bombs() ? bombs : 0; }
    // Before the end: whether it may still become a spring or an anti-spring.
    bool may_be_spring() const { return plays[0] <= 1 || plays[1] == 0; }

    friend bool operator==(const Trick&, const Trick&) = default;
};
static_assert(sizeof(Trick) == 24);

}  // namespace mingpai::doudizhu
