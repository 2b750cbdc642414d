// A deal of Dou Dizhu in progress: bidding, bottom cards, play, score. Clause numbers are those of
// mingpai/games/doudizhu/RULES.md.
#pragma once
#include <array>
#include <cassert>
#include <cstdint>
#include <type_traits>

#include "native/core/rng.hpp"
#include "native/doudizhu/movegen.hpp"
#include "native/doudizhu/trick.hpp"

namespace mingpai::doudizhu {

enum class Phase : uint8_t { Bid, Play, Over };

inline constexpr int kMaxBid = 3;

// The cards of a deal before the bidding. Endgames may have fewer cards and no bottom.
struct Deal {
    std::array<Hand, kSeats> hands{};
    Hand bottom = 0;

    friend bool operator==(const Deal&, const Deal&) = default;
};
// A shuffled deck, 17 cards each and three at the bottom.
Deal shuffled_deal(core::Rng& rng);

// Everything about a deal but the cards. What a move changes here is restored from a copy by undo. In the bidding the turn is
// that of the seat to bid; landlord and owner are nobody until there is one. At the end the winner has the turn.
struct Status : Trick {
    Phase phase = Phase::Bid;
    uint8_t first = 0;                     // seat that bids first
    uint8_t bid = 0;                       // highest bid; with call and rob: 1, doubled by each rob
    uint8_t bidder = kNobody;              // seat of the highest bid, or of the last call or rob
    uint8_t bids_made = 0;                 // bids so far, refusals included
    uint8_t refusals = 0;                  // since the highest bid
    uint8_t caller = kNobody;              // call and rob: seat that called
    uint8_t declined = 0;                  // call and rob: bit per seat that did not call
    uint8_t asked = 0;                     // call and rob: bit per seat that has been asked to rob

    Status() { landlord = owner = kNobody; }
    friend bool operator==(const Status&, const Status&) = default;
};

struct View;

struct State {
    std::array<Hand, kSeats> hands{};   // what each seat holds now
    std::array<Hand, kSeats> played{};  // what each seat has played
    Hand bottom = 0;                    // the bottom cards, also after the landlord took them
    Rules rules;
    Status status;

    // A deal at its first bid. With Bidding::None seat `first` is the landlord at once.
    static State start(const Deal& deal, const Rules& rules, int first = 0);
    // A deal without bidding: `landlord` takes the bottom cards and leads; `bid` is what he is taken to have bid.
    static State start_play(const Deal& deal, const Rules& rules, int landlord, int bid = 1);

    bool is_over() const { return status.phase == Phase::Over; }
    int to_move() const { return status.turn; }
    int role(int seat) const { return status.role(seat); }

    // Bit b is set when a bid of b is legal.
    uint32_t legal_bids() const;
    // Makes a legal bid; returns what undo_bid needs.
    Status bid(int value);
    void undo_bid(const Status& before);

    void legal_moves(MoveList& out) const { doudizhu::legal_moves(hands[status.turn], status.last, rules, out); }
    bool is_legal(const Move& move) const {
        return doudizhu::is_legal(hands[status.turn], move, status.last, rules);
    }
    // Makes a legal move; returns what undo_play needs.
    Status play(const Move& move);
    void undo_play(const Move& move, const Status& before);

    // The deal this state comes from.
    Deal deal() const;

    // The side that went out; only when over and not void.
    bool landlord_won() const { return status.landlord_won(); }
    bool is_void() const { return is_over() && status.landlord == kNobody; }
    // Spring or anti-spring; only when over.
    bool is_spring() const { return status.landlord != kNobody && status.is_spring(); }
    // Points of each seat; only when over. They sum to zero but with unit scores.
    std::array<int32_t, kSeats> points() const;

    View view(int seat) const;

    // Whole-state check: every card in one place, the turn and the trick as the phase wants them. For debug builds.
    bool is_consistent() const;

    friend bool operator==(const State&, const State&) = default;

  private:
    void finish_bidding();
    void next_of_call_rob();
};
static_assert(sizeof(Status) == 32);
static_assert(sizeof(State) < 256);
static_assert(std::is_trivially_copyable_v<State>);

// What one seat may know of a state.
struct View {
    Hand hand = 0;                      // its own cards
    std::array<Hand, kSeats> played{};  // what each seat has played
    Hand bottom = 0;                    // the bottom cards; 0 while they are face down
    std::array<uint8_t, kSeats> counts{};  // cards that each seat holds
    uint8_t bottom_count = 0;           // bottom cards still face down
    uint8_t seat = 0;                   // who looks
    Rules rules;
    Status status;

    // Bottom cards that the landlord must still hold, if another seat looks: those of a rank he has not played as often as the
    // bottom had it.
    Hand known_of_landlord() const;
    // Cards whose place is unknown to the seat, out of `deck`.
    Hand unseen(Hand deck = kFullDeck) const;
    // Whether the stake may still double, as far as the seat can tell: a spring, or a bomb in its hand or in another.
    bool may_double(Hand deck = kFullDeck) const;
    // True when a state with these hands (and bottom cards) looks like this to the seat.
    bool agrees(const std::array<Hand, kSeats>& hands, Hand bottom, Hand deck = kFullDeck) const;
    // The state with these hands, which must agree.
    State with_hands(const std::array<Hand, kSeats>& hands, Hand bottom) const;
    // A state that agrees with the view, every way to place the unseen cards being equally likely.
    State sample(core::Rng& rng, Hand deck = kFullDeck) const;

    friend bool operator==(const View&, const View&) = default;
};
static_assert(std::is_trivially_copyable_v<View>);

}  // namespace mingpai::doudizhu
