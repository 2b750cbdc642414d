// The network plays out what it would consider: each candidate on the same worlds of the belief, all seats playing what the
// network finds best from what that seat can see. Many deals are played side by side, so that the network values all their
// decisions together. Candidates that are clearly behind are dropped between rounds.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "native/core/budget.hpp"
#include "native/mcm/batch.hpp"
#include "native/mcm/network.hpp"
#include "native/mcm/position.hpp"
#include "native/mcm/reading.hpp"
#include "native/ruleplay/policy.hpp"

namespace mingpai::mcm {

struct PlayoutSettings {
    int worlds = 64;           // worlds that each candidate is played out on, at most
    int round = 8;             // worlds of a round, after which candidates may be dropped
    int width = 5;             // candidates at most
    float margin = 1;          // how far below the best a candidate may be valued: logits, or half stakes
    float trust = 16;          // the network's own value counts as so many worlds
    float judge_trust = 0;     // the judge's mean over the worlds counts as so many worlds
    bool judges_read = false;  // whether the judge values all worlds that were read, by weight; else those that were drawn of them
    bool plays_out = true;     // false: the network, the hints and the judge decide
    int depth = 0;             // decisions of a playout after which the judge values it; 0: to the end of the deal
    float clear = 2;           // standard errors of the paired difference that drop a candidate
    bool points = false;       // maximise points instead of the probability to win
    int threads = 1;           // the worlds of a round are shared among them; they change no result
    ReadingSettings reading{}; // how the belief is read again before
};

// What something else makes of a move: a tree search.
struct Hint {
    Move move;
    double value = 0;   // in the unit of the results
    double weight = 0;  // counts as so many worlds
    bool is_candidate = false;  // to be played out, whatever the network thinks of it
};

struct PlayedMove {
    Move move;
    double network = 0;  // the network's value: probability to win, or stakes of a farmer now
    double value = 0;    // mean result of the worlds played, the network's value and the hint counted in
    int worlds = 0;      // worlds played; 0 for a move that was no candidate
};

struct PlayoutResult {
    std::vector<PlayedMove> moves;  // all legal moves, best first: most worlds, then the best value
    int64_t playouts = 0;
    int64_t decisions = 0;  // of the network, in all playouts
};

// Plays deals to the end, the network choosing for every seat among the moves that do not break up its hand. Deals that one
// side has won for certain are finished by the rule player. One for each thread.
class NetworkPlayer {
  public:
    NetworkPlayer(const Network& network, const Network* judge, const doudizhu::Rules& rules, const ruleplay::Weights& weights)
        : network_(network), judge_(judge), policy_(rules, weights) {}

    // A deal to be played, and what became of it.
    struct Deal {
        OpenTable table;
        // What the landlord can expect of a deal that was left before its end: the chance to win, or stakes of a farmer as they
        // are now. Empty when it is over.
        std::optional<float> landlord_value{};
    };

    // Every deal to its end, for `depth` decisions if that is not 0, or for wins until the network is as good as sure. Stops early
    // when the budget is used up; false then.
    bool play_out(std::vector<Deal>& deals, Objective objective, int depth, core::Budget& budget);
    // The values of the legal moves of a position, as Network::values gives them.
    std::vector<float> values(const Position& position, Objective objective);
    TurnCache& turns() { return turns_; }
    int64_t decisions = 0;

  private:
    // Moves that need no network; then lists what it may choose from. False when the deal is over.
    bool advance(OpenTable& table);
    // The judge values each deal after the move that was chosen for it.
    void judge(const std::vector<Deal*>& deals, const std::vector<Move>& chosen, Objective objective);

    const Network& network_;
    const Network* judge_;  // sees all hands; missing where every deal is played to its end
    ruleplay::Policy policy_;
    doudizhu::MoveList list_;
    std::vector<Move> sensible_, options_, chosen_;
    TurnCache turns_;
    Questions questions_;
    Network::Scratch scratch_;
    std::vector<float> values_;
};

// What a deal that was played out is worth to a role: the chance to win, or points in stakes after `doublings_before` doublings.
double result_of(const NetworkPlayer::Deal& deal, int role, int doublings_before, const doudizhu::Rules& rules, bool points);

class PlayoutSearcher {
  public:
    // `network` values the legal moves; `player`, which may be smaller, plays the worlds out; `judge`, an open network that may
    // be missing, values the candidates in each world.
    PlayoutSearcher(std::shared_ptr<const Network> network, std::shared_ptr<const Network> player,
                    std::shared_ptr<const Network> judge, const doudizhu::Rules& rules, const ruleplay::Weights& weights);
    PlayoutSearcher(const PlayoutSearcher&) = delete;
    PlayoutSearcher& operator=(const PlayoutSearcher&) = delete;

    // `hints` add to what the network and the worlds say of a move, and may make it a candidate. Deterministic for a seed unless
    // the budget cuts it.
    PlayoutResult search(const ruleplay::Situation& situation, const std::vector<WeighedHand>& belief, const std::vector<Hint>& hints,
                         const PlayoutSettings& settings, uint64_t seed, core::Budget& budget);

  private:
    NetworkPlayer& player_of(int worker);
    // The worlds of the belief that the reading weighs again; all of them, as they are, where nothing is read.
    std::vector<WeighedHand> read_hands(const ruleplay::Situation& situation, const std::vector<WeighedHand>& belief,
                                        const ReadingSettings& reading, core::Rng& rng, core::Budget& budget);
    // What the judge thinks of some moves on average over the worlds, in the unit of the results.
    std::vector<double> judged(const ruleplay::Situation& situation, const Position& position, const std::vector<Move>& moves,
                               const std::vector<WeighedHand>& hands, bool points);

    std::shared_ptr<const Network> network_, player_, judge_;
    doudizhu::Rules rules_;
    ruleplay::Weights weights_;
    NetworkPlayer chooser_;  // `network` alone
    Reader reader_;        // `player` alone
    std::vector<std::unique_ptr<NetworkPlayer>> players_;
};

// The position that the seat of a situation decides, as the network reads it.
Position position_of(const ruleplay::Situation& situation);

}  // namespace mingpai::mcm
