// One round: the exchange of tribute, then tricks until the order of finishing is known. Do and undo.
#pragma once
#include <vector>

#include "native/guandan/moves.hpp"
#include "native/guandan/rules.hpp"

namespace mingpai::guandan {

enum class Phase : uint8_t { Tribute, Return, Play, Over };

// One card handed from a loser to a winner, and the card given back. Cards are kinds, kNobody until chosen.
struct Exchange {
    int8_t payer = kNobody;
    int8_t receiver = kNobody;
    int8_t tribute = kNobody;
    int8_t returned = kNobody;
    friend bool operator==(const Exchange&, const Exchange&) = default;
};

// Everything that changes during a round but the list of steps; plain data, so that undo is a copy.
struct RoundStatus {
    std::array<Cards, kSeats> hands{};
    std::array<Cards, kSeats> played{};   // since the first trick; tribute is not a play
    Play best;                            // the play to beat; a pass when leading
    int8_t best_seat = kNobody;           // who made it
    int8_t turn = 0;                      // whose decision is next
    int8_t leader = 0;                    // who led the current trick
    Phase phase = Phase::Play;
    std::array<int8_t, kSeats> order{};   // seats in order of finishing; complete once the round is over
    int8_t finished = 0;                  // how many seats have played their last card
    std::array<Exchange, 2> exchanges{};  // by payer: the seat after the first, then the other
    int8_t exchange_count = 0;            // 0, 1 or 2
    bool resisted = false;                // the losers held both big jokers: no tribute
};

struct Step {
    int8_t seat;
    Play play;
};

class Round {
  public:
    // A round without tribute, led by `leader`.
    Round(const Profile& profile, const std::array<Cards, kSeats>& hands, int level, int leader);
    // A round after another one, whose seats finished in `previous` order: tribute first.
    Round(const Profile& profile, const std::array<Cards, kSeats>& hands, int level, const std::array<int8_t, kSeats>& previous);

    const Profile& profile() const { return *profile_; }
    int level() const { return level_; }
    // All cards of the deal, known to everybody: the double deck, but in endgames.
    const Cards& deck() const { return deck_; }
    const RoundStatus& status() const { return status_; }
    const std::vector<Step>& steps() const { return steps_; }
    int turn() const { return status_.turn; }
    Phase phase() const { return status_.phase; }
    bool is_over() const { return status_.phase == Phase::Over; }
    bool is_leading() const { return status_.best_seat == kNobody; }
    // Order of finishing of the round before; kNobody in the first place if there was none.
    const std::array<int8_t, kSeats>& previous() const { return previous_; }
    // Who led the first trick of a round without tribute; kNobody otherwise.
    int first_leader() const { return first_leader_; }

    // The pseudo-actions of the seat to play; empty outside Phase::Play.
    Mask legal_mask() const;
    // Appends every legal play of the seat whose turn it is, tribute and return included.
    void legal_plays(std::vector<Play>& out) const;
    // Appends the concrete plays of one pseudo-action.
    void plays_of(int pseudo, std::vector<Play>& out) const;
    // nullptr if the play is legal now, else the code of the rule it breaks: finished, tribute_first, return_first,
    // not_held, must_lead, does_not_beat, no_combination, tribute_highest, return_low.
    const char* why_illegal(const Play& play) const;

    // The play must be legal.
    void apply(const Play& play);
    // Takes the last step back; can_undo() must hold.
    void undo();
    bool can_undo() const { return !snapshots_.empty(); }
    // Forgets the past, so that steps before this one cannot be undone; speeds up copies.
    void forget() { snapshots_.clear(); }

    // +3, +2 or +1 for the winners, the opposite for the losers; the round must be over.
    int score(int seat) const;
    // nullptr if every invariant holds, else the one that does not.
    const char* inconsistency() const;

    // A copy with other hands for the seats: sizes must stay. For search: the steps before cannot be undone.
    Round with_hands(const std::array<Cards, kSeats>& hands) const;
    // The same, played again from its start, so that everything can be undone. The hands must agree with the exchange.
    Round world(const std::array<Cards, kSeats>& hands) const;
    // A round of the same setup from its start, whose hands will be `hands` after the exchanges and plays of `open`.
    Round restarted(const std::array<Cards, kSeats>& hands, const RoundStatus& open) const;
    // The hands as dealt.
    std::array<Cards, kSeats> dealt() const;

  private:
    Holding own_holding() const;  // the cards of the seat to play, as the profile reads them
    void begin_tribute();
    void choose_tribute(int kind);
    void pair_tributes();
    void choose_return(int kind);
    void start_tricks(int leader);
    void finish(int seat);
    void pass_turn(int from);
    void tribute_choices(std::vector<Play>& out) const;
    void return_choices(std::vector<Play>& out) const;
    Exchange& open_exchange();  // the one whose receiver has to give a card back now

    const Profile* profile_;
    int level_;
    int first_leader_ = kNobody;
    Cards deck_;
    std::array<int8_t, kSeats> previous_;
    RoundStatus status_;
    std::vector<Step> steps_;
    std::vector<RoundStatus> snapshots_;
};

// The play that pays or gives back a card.
inline Play exchange_play(Type type, int kind, int level) {
    return {type, static_cast<uint8_t>(rank_of(kind)), 1, 0, static_cast<uint8_t>(level), {1ULL << kind, 0}};
}

// Who receives which tribute, once all are chosen (clauses 7.1 and 7.4).
void assign_receivers(const Profile& profile, int level, const std::array<int8_t, kSeats>& previous, int count,
                      std::array<Exchange, 2>& exchanges);
// Payers of the round after one that ended in this order, into `exchanges`; their number.
int assign_payers(const std::array<int8_t, kSeats>& previous, std::array<Exchange, 2>& exchanges);

// Points of the winners by the order of finishing: 3, 2 or 1.
int points(const std::array<int8_t, kSeats>& order);

// Kinds that may be paid as tribute, and given back, from a hand at a level.
uint64_t tribute_kinds(const Cards& hand, int level);
uint64_t return_kinds(const Cards& hand, int level, NoReturn fallback);
// Kinds that the return rule allows: 2 to 10, no level card.
uint64_t returnable(int level);

}  // namespace mingpai::guandan
