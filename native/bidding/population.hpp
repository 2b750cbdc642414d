// A population of players with a temper and a skill, whole games between them, and their log. Frozen: a signature of its lines
// is a test, and what is tuned is judged by it.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "native/bidding/raw.hpp"
#include "native/bidding/value.hpp"
#include "native/core/budget.hpp"
#include "native/ruleplay/duel.hpp"

namespace mingpai::bidding {

using core::Rng;
using ruleplay::World;

// A deal in which `hand` is at `seat` and the other cards are anywhere.
Deal deal_around(Hand hand, int seat, Rng& rng);

enum class Card : uint8_t { Rb, Rhcp, Greedy };  // the rule player behind the cards
inline constexpr int kCardPlayers = 3;

struct Member {
    std::string id;
    double bias = 0;      // how much a hand is over-rated, in logarithms of odds; under-rated below 0
    double noise = 0.3;   // scale of the logistic noise of every decision, the same unit
    Card card = Card::Rb;
    double slips = 0;     // chance that a move is any legal one
    double activity = 1;  // how often the player sits down, relative to the others
};

// Shares of the games of a log.
struct Shares {
    double call_rob = 0.5;     // bidding by call and rob; the rest bids scores
    double left = 0.01;        // a player is disconnected
    double cut = 0.01;         // the record ends before the game does
    double wrong_first = 0.01; // another seat than the landlord plays first
    double torn = 0.001;       // the line breaks off: no record at all
};

// The outcome of the card play of one deal with one landlord.
struct Outcome {
    bool landlord_won = false;
    uint8_t doublings = 0;
    std::array<Hand, kSeats> left{};  // what each seat holds at the end
};

struct Decided {
    BidSituation situation;
    uint8_t seat = 0;
    uint8_t value = 0;
};

class Population {
  public:
    Population(std::vector<Member> members, const Shares& shares, const ruleplay::Weights& greedy);

    size_t size() const { return members_.size(); }

    // The lines of games `first` to `first + games - 1` of a seed, each with its line end. They depend on the seed and the
    // number of a game alone. Empty when the budget ends.
    std::string simulate(uint64_t seed, int64_t first, int games, int threads, const Convention& convention,
                         core::Budget& budget);

    // Card play of deals with given members at the seats, once for each landlord: kSeats outcomes a deal.
    std::vector<Outcome> outcomes(const std::vector<Deal>& deals, const std::vector<std::array<int, kSeats>>& seats,
                                  uint64_t seed, core::Budget& budget);

    // Lives hands again: each is dealt `games` times to a player of `strong`, the other cards and players drawn anew. Counts
    // of the labels that cleaning would give, for each hand: [phase][value][label].
    using Labels = std::array<int32_t, kAskPhases * kBidValues * 2>;
    std::vector<Labels> relive(const std::vector<Hand>& hands, const std::vector<int>& strong, int games, uint64_t seed,
                               core::Budget& budget);

  private:
    class CardPlayers;

    int draw(Rng& rng) const;
    std::array<int, kSeats> seat_players(Rng& rng) const;
    int bid_of(const Member& member, const State& state, const BidSituation& situation, double value, Rng& rng) const;
    State auction(const Deal& deal, const std::array<int, kSeats>& players, bool call_rob, int first, Rng& rng,
                  std::vector<Decided>& decided) const;
    void game(uint64_t seed, int64_t number, CardPlayers& card_players, RawGame& out, bool& torn) const;

    std::vector<Member> members_;
    std::vector<double> activity_;  // running sums
    Shares shares_;
    ruleplay::Weights greedy_;
};

}  // namespace mingpai::bidding
