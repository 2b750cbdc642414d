// Many deals played side by side, so that one network call decides all of them: features of all legal moves of all deals
// are written in one call, the chosen moves are made in another. Forced moves are made without asking.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "native/core/rng.hpp"
#include "native/doudizhu/rules.hpp"
#include "native/endgame/solver.hpp"
#include "native/mcm/features.hpp"
#include "native/mcm/turns.hpp"

namespace mingpai::mcm {

// The two numbers the network gives for a move, and the two returns it learns.
enum ValueColumn { kWinColumn, kPointsColumn, kValueColumns };

// The latest decisions with their returns; the oldest are overwritten.
class Samples {
  public:
    explicit Samples(size_t capacity, RowSizes sizes = kClosedRows);

    void add(const uint8_t* state, const uint8_t* move, float win, float points);
    size_t capacity() const { return capacity_; }
    size_t size() const { return added_ < capacity_ ? added_ : capacity_; }
    uint64_t added() const { return added_; }
    const RowSizes& sizes() const { return sizes_; }

    std::vector<uint8_t> states, moves;  // a row of each decision
    std::vector<float> wins;             // return in [0, 1]: the probability that the side of the mover wins
    std::vector<float> points;           // return for a farmer's stake at the time of the decision, from the mover's side

  private:
    size_t capacity_;
    RowSizes sizes_;
    uint64_t added_ = 0;
};

struct BatchSettings {
    int tables = 0;
    uint64_t seed = 0;
    std::vector<doudizhu::Rules> rules;  // each deal draws one of them
    double bid_share = 0;     // deals whose landlord is chosen by strength
    double points_share = 0;  // deals played for points
    bool deals_again = true;  // whether a finished table gets a new deal
    RowSizes rows = kClosedRows;  // kOpenRows: with the hands of the others
    int most_doublings = 3;  // returns in points are cut at 2^N stakes: rare rows of doublings would rule the squared error
    int exact_cards = 0;  // from so many cards in all hands on a move's return is what the solver proves of it
};

struct BatchCounts {
    uint64_t deals = 0;      // finished
    uint64_t decisions = 0;  // choices among more than one move
    uint64_t options = 0;    // legal moves in them
    uint64_t moves = 0;      // all moves made, forced ones included
    uint64_t landlord_wins = 0;
    uint64_t bombs = 0;
    uint64_t proved = 0;  // decisions whose return the solver gave
};

class Batch {
  public:
    // Decisions are kept in `samples` when it is given; it must have rows of the same sizes and outlive the batch.
    Batch(const BatchSettings& settings, Samples* samples);
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;

    int tables() const { return static_cast<int>(seats_.size()); }
    // Legal moves of all tables that wait for a decision.
    int options() const { return offsets_.back(); }
    // Row of the first move of each table, and the number of rows; a finished table has none.
    const std::vector<int32_t>& offsets() const { return offsets_; }
    // The role to move at each table; -1 when it is over.
    std::vector<int8_t> turns() const;
    const OpenTable& table(int i) const { return seats_[i].table; }
    const std::vector<Move>& moves(int i) const { return seats_[i].moves; }
    const BatchCounts& counts() const { return counts_; }
    // Of the deal at a table.
    const doudizhu::Rules& rules(int i) const { return *seats_[i].rules; }
    // What the deal at a table is played for.
    Objective objective(int i) const { return seats_[i].objective; }
    const RowSizes& rows() const { return settings_.rows; }

    // Writes a row for each table (zero when over) and a row for each legal move.
    void observe(uint8_t* states, uint8_t* moves);
    // Makes the best move of each table by the column of its objective, or with chance `explore` any move. `values` has
    // kValueColumns numbers for each move: the logit of winning, and points. `states` and `moves` as written by observe.
    // Returns are mixed with the value of each later decision of the same seat by `lambda`, and cut at explored moves: the value
    // by `judged`, which may be `values` or those of another network.
    void act(const float* values, const float* judged, const uint8_t* states, const uint8_t* moves, float explore, float lambda);
    // Makes the given move of each table (its index among the legal moves; ignored where the table is over).
    void play(std::span<const int32_t> choices);

  private:
    struct Step {
        uint8_t role;
        uint8_t doublings;  // of the stake, before the move
        bool explored;
        float win, points;  // values of the best move
        std::optional<bool> proved;  // whether the side of the mover wins after the move, with best play of all
        bool is_calm;                // nothing can double any more: points are wins
    };
    struct Seat {
        OpenTable table;
        Objective objective = Objective::Win;
        const doudizhu::Rules* rules = nullptr;
        core::Rng rng{0};
        std::vector<Move> moves;
        std::vector<Step> steps;
        std::vector<uint8_t> rows;  // state and move of each step
    };

    void deal_new(Seat& seat);
    // Makes forced moves; false when the deal ended.
    bool advance(Seat& seat);
    void make(Seat& seat, int choice);
    int choose(Seat& seat, const float* values, float explore, int* best);
    void record(Seat& seat, const float* value, int choice, bool explored, const uint8_t* state, const uint8_t* move);
    // What the solver proves of a move, where few cards are left and the deal is played to win: also for points, once they are wins.
    std::optional<bool> proved_result(const Seat& seat, const Move& move);
    void finish(Seat& seat);
    void give_returns(Seat& seat);
    void update_offsets();

    BatchSettings settings_;
    Samples* samples_ = nullptr;
    std::unique_ptr<endgame::Engine> solver_;  // when exact_cards > 0
    float lambda_ = 1;
    std::vector<Seat> seats_;
    std::vector<int32_t> offsets_;
    BatchCounts counts_;
    TurnCache turns_;
};

}  // namespace mingpai::mcm
