// Many tables side by side, so that one network call decides at all of them: rows and options are written in one call, the
// chosen pseudo-actions are played in another. Forced passes, the exchange of tribute and native bots play by themselves.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "native/abduction/encoding.hpp"
#include "native/abduction/options.hpp"
#include "native/guandan/batch.hpp"

namespace mingpai::abduction {

// Who plays a team: a native player (0 random, rule bots and sparring partners) or a network by number, from kNetwork on.
inline constexpr int kNetwork = 8;
static_assert(guandan::kRuleBots + guandan::kSparringBots < kNetwork);
inline constexpr int8_t kOpen = 127;
inline constexpr int kVariants = 3;

struct TableSettings {
    int tables = 0;
    uint64_t seed = 0;
    const guandan::Profile* profile = &guandan::kProfiles[0];
    RuleWeights weights{};
    bool facts = true;        // whether options carry facts
    bool exchange = false;    // whether networks are asked in the exchange too, or rule4 gives their cards
    float gamma = 0.996f;
    float lambda = 0.98f;
    uint8_t blind = 0;        // networks (bits) whose options get facts as if no card had been seen
    uint8_t varied = 0;       // networks (bits) that choose among kVariants concrete plays of each pseudo-action
};

// Decisions of finished rounds, in the order they finished; the reader clears it. Ragged: options of decision i are
// [offsets[i], offsets[i + 1]).
struct Samples {
    std::vector<uint8_t> rows, open, hidden;  // kRowSize, kOpenSize, kEstimateSize each
    std::vector<int32_t> offsets{0};
    std::vector<uint8_t> pseudo;       // of each option
    std::vector<float> facts;          // kFacts of each option
    std::vector<uint8_t> marks;        // kMarks of each option
    std::vector<float> worth;          // of each option, as the player of the network found it; 0 where it did not look
    std::vector<int32_t> choice;       // place among the options
    std::vector<float> log_prob;       // of the choice when it was made
    std::vector<float> value;          // of the judge when it was made
    std::vector<float> advantage;      // generalised advantage over the seat's later decisions
    std::vector<int8_t> score;         // of the seat's team at the end of the round
    std::vector<int16_t> left;         // decisions of the seat from this one to the end, itself included

    size_t size() const { return choice.size(); }
    void clear();
};

struct TableCounts {
    uint64_t rounds = 0;     // finished
    uint64_t decisions = 0;  // choices of networks among more than one option
    uint64_t moves = 0;      // all plays
    int64_t points = 0;      // sum of the scores of team 0
};

// A finished match from the side of the first player of its pair.
struct Finished {
    int32_t pair;
    int8_t swapped;   // 1: the first player had seats 1 and 3
    guandan::MatchScore score;
};

class Tables {
  public:
    // Rounds of random level and tribute, dealt anew without end: team t of table i is played by players[i][t].
    Tables(const TableSettings& settings, std::vector<std::array<int, 2>> players);
    // Whole matches, `pairs` times two with the seats swapped, as guandan::duel_matches plays them: the cards depend on the
    // seed, the pair and the round only.
    Tables(const TableSettings& settings, std::array<int, 2> players, int first_pair, int pairs);

    // One round at each table, from a position on to its end. A position in the exchange goes on with
    // what rule4 gives.
    Tables(const TableSettings& settings, const std::vector<guandan::Round>& positions, std::array<int, 2> players = {kNetwork, kNetwork});

    // All tables of some that play one round each, in order, so that one network call decides at all of them. Not empty.
    static Tables joined(std::span<const Tables* const> parts);

    int size() const { return static_cast<int>(seats_.size()); }
    // Of each table that played one round: the score of team 0; kOpen while it goes on.
    std::span<const int8_t> scores() const { return scores_; }
    // The table that each waiting one is.
    std::span<const int32_t> places() const { return waiting_; }
    // Tables that wait for a network; 0 when all matches are over.
    int waiting() const { return static_cast<int>(waiting_.size()); }
    // Whether a waiting table is in the exchange: its options are cards to give, which have neither pseudo-action nor facts.
    bool in_exchange(int waiting) const { return round(waiting).phase() != guandan::Phase::Play; }
    // The network of each waiting table, its seat to move, and its first option; one more offset at the end.
    std::span<const int32_t> networks() const { return networks_; }
    std::span<const int32_t> offsets() const { return offsets_; }
    int option_count() const { return offsets_.back(); }
    const guandan::Round& round(int waiting) const { return seats_[waiting_[waiting]].round; }
    const Options& options(int waiting) const { return seats_[waiting_[waiting]].options; }

    // Rows of the waiting tables and their options. Any pointer may be null.
    void observe(uint8_t* rows, uint8_t* open, uint8_t* hidden, uint8_t* pseudo, float* facts, uint8_t* marks) const;
    // Finds the facts of the options of some waiting tables anew, by an estimate of the hands for each (kEstimateSize numbers).
    void inform(std::span<const int32_t> waiting, const float* estimates);
    // The place among the options of what a native player would play at each waiting table; -1 if it is none of them.
    void advise(int player, int32_t* choices);
    // The position after some options of the waiting tables (places among all options, rising), forced passes played: an open row, seen
    // by the seat then to move, the sign of its team for the mover, and the score of the mover's team where the round is over (else 0).
    void look_ahead(std::span<const int32_t> options, uint8_t* open, float* sign, float* score) const;
    // Plays a choice at every waiting table. With log-probabilities and values (both or none) the decisions of the first network are kept, with what
    // each option is worth where that is given. `facts`: whether the options of the next positions get theirs.
    void play(std::span<const int32_t> choices, const float* log_prob, const float* values, const float* worth = nullptr, bool facts = true);
    // A table for each (waiting table, option), after the option and with the same hands, to be played on by networks alone.
    Tables branches(std::span<const int32_t> waiting, std::span<const int32_t> options) const;

    Samples& samples() { return samples_; }
    const TableCounts& counts() const { return counts_; }
    const std::vector<Finished>& finished() const { return finished_; }

  private:
    struct Memory {
        int8_t seat;
        int32_t choice;
        float log_prob, value;
        size_t first, options;  // in the table's ragged columns
    };
    struct Seat {
        guandan::Round round;
        std::array<int, 2> players;
        core::Rng rng{0};
        Options options;
        std::vector<Memory> memory;
        Samples kept;                   // rows of the round in hand
        int32_t pair = -1;              // of a match; -1 otherwise
        int8_t swapped = 0;
        std::optional<guandan::Match> match;
        guandan::MatchScore score{};
        bool over = false;
        int32_t place = -1;             // of a table that plays one round; -1 otherwise
        mutable std::optional<OpenPlans> plans = std::nullopt;  // of the position, once somebody asked
        const OpenPlans& open_plans() const { return plans ? *plans : plans.emplace(round); }
    };
    explicit Tables(const TableSettings& settings) : settings_(settings) {}
    void begin_round(Seat& seat);
    // Plays what needs no network; false when the table is over.
    bool advance(Seat& seat);
    // Options of a seat in the exchange; whether there is a choice.
    bool list_gifts(Seat& seat) const;
    void apply(Seat& seat, const guandan::Play& play);
    bool end_round(Seat& seat);
    void remember(Seat& seat, int choice, float log_prob, float value, const float* worth);
    void give_returns(Seat& seat);
    void find_waiting();

    TableSettings settings_;
    uint64_t match_seed_ = 0;
    std::vector<Seat> seats_;
    std::vector<int32_t> waiting_, networks_, offsets_{0};
    Samples samples_;
    TableCounts counts_;
    std::vector<Finished> finished_;
    std::vector<int8_t> scores_;
};

}  // namespace mingpai::abduction
