// The betting of one hand of no-limit hold'em, by mingpai/games/holdem/RULES.md (numbers in comments are its clauses): whose turn
// it is, who is in, chips behind and in front. It knows no cards: the table keeps one beside them, the planner plays on with copies.
#pragma once
#include <array>
#include <bit>
#include <cstdint>

#include "native/holdem/cards.hpp"

namespace mingpai::holdem {

// Whole numbers of the smallest unit of the rules, so every split is exact.
using Chips = int64_t;

inline constexpr int kMaxSeats = kMaxPlayers;

enum class Street : uint8_t { kPreflop, kFlop, kTurn, kRiver, kOver };

// What happens to chips that do not divide evenly among the winners of a pot (8.5).
enum class Split : uint8_t {
    kBySeat,     // one unit each, from the first winner after the button on
    kFirst,      // all to the first winner after the button; pots are formed among the winning hands
    kDiscarded,  // taken off the table
};

struct TableRules {
    Split split = Split::kBySeat;
    Chips unit = 1;                      // units in a chip; bets are whole chips, or all-in
    bool short_opening_reopens = false;  // 5.7: an all-in below the minimum, if it is the first raise, lets others raise again
    bool posted_blind_counts = false;    // 3.5: a short big blind is called for what was posted
    bool small_blind_only_heads_up = false;  // 3.4: the seat without the button posts the small blind, nobody the big one
    bool may_fold_unbet = false;             // 5.2: fold without facing a bet
    bool is_always_open = false;       // 5.7: betting is always open, the least raise never falls
};

struct TableSetup {
    int seats = 0;
    int button = 0;
    Chips small_blind = 0, big_blind = 0, ante = 0;
    std::array<Chips, kMaxSeats> stacks{};  // 0: the seat is not dealt in
};

enum class ActionKind : uint8_t { kFold, kCheck, kCall, kRaise };

struct Action {
    ActionKind kind = ActionKind::kFold;
    Chips to = 0;  // kRaise: the seat's total for the street
    bool operator==(const Action&) const = default;
};

// What the seat to act may do.
struct Legal {
    bool fold = false, check = false, call = false, raise = false;
    Chips call_cost = 0;        // chips that a call puts in
    Chips min_to = 0, max_to = 0;  // totals for the street that a raise may name
};

// Seats that posted the blinds; -1: nobody.
struct Blinds {
    int8_t small = -1, big = -1;
};

constexpr uint16_t seat_bit(int seat) { return static_cast<uint16_t>(1u << seat); }
// The first seat of a set after `seat`; -1 when the set is empty.
constexpr int next_seat(int seat, uint16_t among, int seats) {
    for (int step = 1; step <= seats; ++step) {
        const int candidate = seat + step < seats ? seat + step : seat + step - seats;
        if (among & seat_bit(candidate)) return candidate;
    }
    return -1;
}

struct Betting {
    Street street = Street::kPreflop;
    int8_t to_act = -1;      // nobody: all have folded but one, or nobody can bet any more
    uint16_t dealt = 0;      // seats dealt in
    uint16_t live = 0;       // not folded
    uint16_t pending = 0;    // still to act on this street
    uint16_t acted = 0;      // have acted on this street
    Chips current_bet = 0;   // total for the street to stay in
    Chips raise_size = 0;    // largest raise of the street, at least the big blind
    Chips reopen_size = 0;   // what a seat that has acted must face to raise
    Chips least_to = 0;      // least raise where betting is always open
    std::array<Chips, kMaxSeats> stacks{}, bets{}, paid{};  // bets: this street; paid: the whole hand

    // Posts antes and blinds of a setup that is possible.
    Blinds begin(const TableSetup& setup, const TableRules& rules);

    bool is_over() const { return to_act < 0; }
    bool is_live(int seat) const { return live >> seat & 1; }
    // Live seats with chips behind.
    uint16_t able(int seats) const;
    // What a call costs the seat to act.
    Chips cost() const;
    // Chips in the middle and in front of the seats.
    Chips pot() const;

    Legal legal(const TableSetup& setup, const TableRules& rules) const;
    // Makes an action of the seat to act. It need not be legal where betting is closed to the seat, or a raise is small.
    void act(const TableSetup& setup, const TableRules& rules, const Action& action);

    bool operator==(const Betting&) const = default;

  private:
    void put(int seat, Chips amount);
    void post(int seat, Chips amount, bool is_ante);
    void open_street(const TableSetup& setup, const TableRules& rules);
    void end_street(const TableSetup& setup, const TableRules& rules);
};

}  // namespace mingpai::holdem
