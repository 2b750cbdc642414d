// One hand of no-limit hold'em at a table of two to ten seats, by mingpai/games/holdem/RULES.md; numbers in comments are its
// clauses. Chips are whole numbers of the smallest unit of the rules, so every split is exact.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "native/core/rng.hpp"
#include "native/holdem/cards.hpp"

namespace mingpai::holdem {

using Chips = int64_t;

inline constexpr int kMaxSeats = kMaxPlayers;
inline constexpr Card kUnknownCard = 255;

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

struct Pot {
    Chips amount = 0;
    uint32_t seats = 0;    // who can win it, as bits
    uint32_t winners = 0;  // who did; 0 while the hand is not over
};

using Holes = std::array<std::array<Card, 2>, kMaxSeats>;
using Board = std::array<Card, kBoardCards>;

class Table {
  public:
    // Everything that changes in the course of a hand; undo keeps copies of it.
    struct Status {
        Street street = Street::kPreflop;
        int8_t to_act = -1;
        int8_t board_count = 0;  // cards of the board that lie open
        uint16_t dealt = 0;      // seats dealt in
        uint16_t live = 0;       // not folded
        uint16_t pending = 0;    // still to act on this street
        uint16_t acted = 0;      // have acted on this street
        uint16_t shown = 0;      // showed their hands
        Chips current_bet = 0;   // total for the street to stay in
        Chips raise_size = 0;    // largest raise of the street, at least the big blind
        Chips reopen_size = 0;   // what a seat that has acted must face to raise
        Chips least_to = 0;      // least raise where betting is always open
        Chips discarded = 0;     // lost in splits
        std::array<Chips, kMaxSeats> stacks{}, bets{}, paid{};  // bets: this street; paid: the whole hand
        bool operator==(const Status&) const = default;
    };

    // Posts antes and blinds. Throws std::invalid_argument for an impossible setup or cards.
    Table(const TableSetup& setup, const TableRules& rules, const Holes& holes, const Board& board);

    const TableSetup& setup() const { return setup_; }
    const TableRules& rules() const { return rules_; }
    const Status& status() const { return status_; }
    const Holes& holes() const { return holes_; }
    // All five cards, also those not yet open.
    const Board& board() const { return board_; }
    bool is_over() const { return status_.to_act < 0; }
    bool is_live(int seat) const { return status_.live >> seat & 1; }
    int small_blind_seat() const { return small_blind_seat_; }
    int big_blind_seat() const { return big_blind_seat_; }
    // Chips in the middle and in front of the seats.
    Chips pot() const;

    Legal legal() const;
    // Why the action is illegal here, as a code of the catalogue of reasons; null when it is legal.
    const char* why_illegal(const Action& action) const;
    // Throws std::invalid_argument with that code.
    void act(const Action& action);
    void undo();
    const std::vector<Action>& actions() const { return actions_; }
    int actor(size_t action) const { return actors_[action]; }
    // The street on which an action was made.
    Street street_of(size_t action) const { return history_[action].street; }

    // The pots as they stand, the main pot first; uncalled chips are in none. Winners once the hand is over.
    std::vector<Pot> pots() const;
    // Chips won (or lost, below 0) by each seat; only when over.
    std::array<Chips, kMaxSeats> payoffs() const;

    // The table without what `seat` may not know: hands not shown, cards not open.
    Table masked(int seat) const;
    // Replaces unknown cards by cards that lie nowhere, uniformly.
    Table filled(core::Rng& rng) const;
    // The cards known in this (masked) table.
    CardSet known_cards() const;
    // The same hand with other cards in place of the unknown ones: given hands first, the board uniformly.
    Table with_holes(const Holes& holes, core::Rng& rng) const;

    // Whole-state check: chips conserved, bets consistent, the seat to act able to act. For tests and debug builds.
    bool is_consistent() const;

  private:
    int next_seat(int seat, uint16_t among) const;
    void post(int seat, Chips amount, bool is_ante);
    void begin_hand();
    void begin_street(int first);
    void end_street();
    void finish();
    std::vector<Pot> pots_among(uint16_t live) const;
    void pay(const Pot& pot, std::array<Chips, kMaxSeats>& won);
    Chips effective_stack(int seat) const;
    void put(int seat, Chips amount);

    TableSetup setup_;
    TableRules rules_;
    Holes holes_;
    Board board_;
    Status status_;
    int8_t small_blind_seat_ = -1, big_blind_seat_ = -1;
    std::vector<Pot> final_pots_;
    std::vector<Action> actions_;
    std::vector<int8_t> actors_;
    std::vector<Status> history_;
};

}  // namespace mingpai::holdem
