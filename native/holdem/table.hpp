// One hand of no-limit hold'em at a table of two to ten seats: the betting with its cards, its history and who wins what, by
// mingpai/games/holdem/RULES.md; numbers in comments are its clauses.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "native/core/rng.hpp"
#include "native/holdem/betting.hpp"

namespace mingpai::holdem {

inline constexpr Card kUnknownCard = 255;

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
    struct Status : Betting {
        int8_t board_count = 0;  // cards of the board that lie open
        uint16_t shown = 0;      // showed their hands
        Chips discarded = 0;     // lost in splits
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
    bool is_over() const { return status_.is_over(); }
    bool is_live(int seat) const { return status_.is_live(seat); }
    int small_blind_seat() const { return blinds_.small; }
    int big_blind_seat() const { return blinds_.big; }
    // Chips in the middle and in front of the seats.
    Chips pot() const { return status_.pot(); }

    Legal legal() const { return status_.legal(setup_, rules_); }
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
    // Opens the cards of the street; shows hands and pays when the betting is over.
    void follow_betting();
    void finish();
    std::vector<Pot> pots_among(uint16_t live) const;
    void pay(const Pot& pot, std::array<Chips, kMaxSeats>& won);

    TableSetup setup_;
    TableRules rules_;
    Holes holes_;
    Board board_;
    Status status_;
    Blinds blinds_;
    std::vector<Pot> final_pots_;
    std::vector<Action> actions_;
    std::vector<int8_t> actors_;
    std::vector<Status> history_;
};

}  // namespace mingpai::holdem
