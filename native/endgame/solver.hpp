// The solver's face: verdicts, winning moves, lines, under a budget and with several threads.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "native/core/budget.hpp"
#include "native/endgame/judge.hpp"
#include "native/endgame/position.hpp"
#include "native/endgame/proof.hpp"
#include "native/endgame/search.hpp"
#include "native/endgame/answer_table.hpp"

namespace mingpai::endgame {

std::unique_ptr<Search> make_search(int players, AnswerTable& table, core::Budget& budget, size_t max_hand_bytes,
                                    const Pruning& pruning, const std::atomic<bool>* stop);

// A table and one search, kept for many questions about positions that follow from one root. Roots may change; each change
// forgets what was learnt. For agents that ask often: nothing is allocated anew for a small root.
class Engine {
  public:
    // With `judges`, which may be missing and must outlive the engine, `prove` is guided by them.
    explicit Engine(size_t memory, const Pruning& pruning = {}, const JudgeMaker* judges = nullptr);

    void set_root(const Position& root, const Rules& rules);
    const Position& root() const { return root_; }
    const Rules& rules() const { return rules_; }
    AnswerTable& table() { return table_; }
    // The search, from now on under this budget, which must outlive its use.
    Search& search(core::Budget& budget);

    // Does the landlord win? The position must follow from the root. Unknown when `nodes` did not suffice.
    Answer solve(const Position& position, uint64_t nodes, core::Budget& budget);
    // The same without a limit but the budget's: a short search first, then a guided proof where a judge knows such positions.
    // What was learnt of the root before is used.
    Answer prove(const Position& position, core::Budget& budget);
    // The move that alone wins for the side to move; none if no move or several win, or `nodes` for a move did not suffice.
    std::optional<Move> only_winning_move(const Position& position, uint64_t nodes, core::Budget& budget);

  private:
    Pruning pruning_;
    const JudgeMaker* judges_;
    size_t max_hand_bytes_;
    AnswerTable table_;
    ProofTree tree_;
    std::unique_ptr<Judge> judge_;
    Position root_;
    Rules rules_;
    bool is_fresh_ = true;  // the search has not seen the root yet
    std::unique_ptr<Search> searches_[kMaxPlayers + 1];  // by number of players
};

enum class Ask : uint8_t {
    kFirst,  // the verdict, and the first winning move in root order
    kAny,    // the verdict, and the winning move found first
    kAll,    // the verdict of every move
};

struct Options {
    Ask ask = Ask::kFirst;
    int threads = 1;
    size_t memory = size_t{256} << 20;  // bytes for the table and the hands of all threads
    bool line = true;                   // look for a line of play
    bool shortest = false;              // the line is a shortest forced win
    bool values = false;                // the shortest forced win after every root move: with Ask::kAll
    Pruning pruning;
    uint64_t first_round = 100'000;  // nodes for each root move before any gets more, and before other threads join
    const JudgeMaker* judges = nullptr;  // guides the proof where it knows such positions; the verdict does not depend on it
    uint64_t short_run = 200'000;        // nodes of a plain search before a guided proof
    ProofSettings proof;
};

struct Ply {
    int seat;
    Move move;
};

struct RootMove {
    Move move;
    Answer answer = Answer::kUnknown;  // for the side to move
    std::vector<Ply> line{};           // with Options::values: the move and the shortest forced win after it; empty if not found
};

// Why something that was asked is not known.
enum class Stop : uint8_t {
    kNone,  // all of it is
    kMemory,
    kNodes,
    kTime,
    kCancelled,
};

struct Result {
    Answer landlord_wins = Answer::kUnknown;
    std::vector<RootMove> moves;  // every legal move of the root, in the order in which they are tried
    std::vector<Ply> line;        // best play of the winners against stubborn defence, as far as the budget lasted
    bool is_line_shortest = false;
    Stop stopped_by = Stop::kNone;  // of the verdict, or with Ask::kAll of any move
    uint64_t nodes = 0;
    double seconds = 0;
    size_t bytes = 0;     // memory taken by the table and the tree
    uint64_t leaves = 0;  // of the guided proof; 0 when the short run sufficed or nobody guided
};

// The position must be without fault (find_fault).
Result solve(const Position& position, const Rules& rules, const Options& options, core::Budget& budget);

// Legal moves in the order in which the solver tries them: few turns left first, passes and bombs late.
std::vector<Move> ordered_moves(const Position& position, const Rules& rules, Search& search);

}  // namespace mingpai::endgame
