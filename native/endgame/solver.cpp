#include "native/endgame/solver.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "native/endgame/ordering.hpp"
#include "native/endgame/shortest.hpp"
#include "native/endgame/three.hpp"
#include "native/endgame/two.hpp"

namespace mingpai::endgame {
namespace {

// The table gets most of the memory; the hands, which grow with the work, the rest.
size_t table_share(size_t memory) { return memory / 4 * 3; }
size_t hand_share(size_t memory, int threads) { return (memory - table_share(memory)) / static_cast<size_t>(threads); }

Answer for_side(const Position& position, Answer landlord) {
    return position.is_landlords_turn() ? landlord : opposite(landlord);
}

// The moves of the root, shared by threads: who works on which, and what is still worth knowing.
class RootWork {
  public:
    RootWork(const std::vector<Move>& moves, Ask ask) : ask_(ask), is_taken_(moves.size()), round_(moves.size()) {
        for (const Move& move : moves) moves_.push_back({move, Answer::kUnknown});
    }

    struct Task {
        size_t index;
        int round;
    };
    // The next move to work on: the lowest round first, then root order. None when nothing is left to start.
    std::optional<Task> take(std::atomic<bool>& stop) {
        std::unique_lock lock(mutex_);
        for (;;) {
            size_t best = moves_.size();
            bool is_waiting = false;
            for (size_t i = 0; i < moves_.size(); ++i) {
                if (!is_needed(i)) continue;
                if (is_taken_[i]) {
                    is_waiting = true;
                } else if (best == moves_.size() || round_[i] < round_[best]) {
                    best = i;
                }
            }
            if (best < moves_.size()) {
                is_taken_[best] = true;
                stop.store(false, std::memory_order_relaxed);
                active_.push_back({best, &stop});
                return Task{best, round_[best]};
            }
            if (!is_waiting || is_closed_) return std::nullopt;
            changed_.wait(lock);
        }
    }
    void give_back(const Task& task, Answer answer) {
        std::lock_guard lock(mutex_);
        is_taken_[task.index] = false;
        ++round_[task.index];
        if (answer != Answer::kUnknown) moves_[task.index].answer = answer;
        std::erase_if(active_, [&](const auto& worker) { return worker.first == task.index; });
        for (auto& [index, stop] : active_) {
            if (!is_needed(index)) stop->store(true, std::memory_order_relaxed);
        }
        changed_.notify_all();
    }
    void close() {
        std::lock_guard lock(mutex_);
        is_closed_ = true;
        for (auto& [index, stop] : active_) stop->store(true, std::memory_order_relaxed);
        changed_.notify_all();
    }
    bool is_open() const { return !is_closed_; }
    std::vector<RootMove>& moves() { return moves_; }

    Answer verdict() const {
        bool is_unknown = false;
        for (const RootMove& move : moves_) {
            if (move.answer == Answer::kWon) return Answer::kWon;
            is_unknown = is_unknown || move.answer == Answer::kUnknown;
        }
        return is_unknown ? Answer::kUnknown : Answer::kLost;
    }

  private:
    bool is_needed(size_t index) const {
        if (is_closed_ || moves_[index].answer != Answer::kUnknown) return false;
        if (ask_ == Ask::kAll) return true;
        for (size_t i = 0; i < moves_.size(); ++i) {
            if (moves_[i].answer == Answer::kWon) return ask_ == Ask::kFirst && index < i;
        }
        return true;
    }

    Ask ask_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<RootMove> moves_;
    std::vector<bool> is_taken_;
    std::vector<int> round_;
    std::vector<std::pair<size_t, std::atomic<bool>*>> active_;
    std::atomic<bool> is_closed_{false};
};

// Each root move gets the nodes of the first round, then in turn kRoundGrowth times as many, with all that was learnt in the
// table.
constexpr uint64_t kRoundGrowth = 4;

uint64_t round_limit(int round, uint64_t first) {
    uint64_t limit = first;
    for (int i = 0; i < round && limit < Search::kNoLimit / kRoundGrowth; ++i) limit *= kRoundGrowth;
    return limit;
}

// Works until nothing is left or the budget is spent; with `only_first_round`, until a move needs a second round.
void work_on(RootWork& work, const Position& position, Search& search, std::atomic<bool>& stop, uint64_t first_round,
             bool only_first_round) {
    while (const auto task = work.take(stop)) {
        if (only_first_round && task->round > 0) {
            work.give_back(*task, Answer::kUnknown);
            return;
        }
        search.resume();
        search.set_limit(round_limit(task->round, first_round));
        const Answer answer = search.solve_move(position, work.moves()[task->index].move);
        const bool is_stopped = stop.load(std::memory_order_relaxed);
        work.give_back(*task, for_side(position, answer));
        if (search.is_halted() && !is_stopped) return work.close();
    }
}

// One line of play: a winning move where there is one, else the move the solver would try first.
void find_line(const Position& root, const Rules& rules, Search& search, Result& result) {
    search.resume();
    search.set_limit(Search::kNoLimit);
    for (Position position = root; !position.is_over(); position = position.after(result.line.back().move)) {
        std::vector<Move> moves = ordered_moves(position, rules, search);
        const Answer wanted = to_answer(position.is_landlords_turn());
        const bool is_winner = result.landlord_wins == wanted;
        if (is_winner && result.line.empty()) {
            const auto is_won = [](const RootMove& move) { return move.answer == Answer::kWon; };
            moves = {std::find_if(result.moves.begin(), result.moves.end(), is_won)->move};
        }
        const auto is_good = [&](const Move& move) { return !is_winner || search.solve_move(position, move) == wanted; };
        const auto chosen = std::find_if(moves.begin(), moves.end(), is_good);
        if (search.is_halted()) return;
        result.line.push_back({position.turn, *chosen});
    }
    result.is_line_whole = true;
}

}  // namespace

std::unique_ptr<Search> make_search(int players, Table& table, core::Budget& budget, size_t max_hand_bytes,
                                    const Pruning& pruning, const std::atomic<bool>* stop) {
    if (players == 2) return std::make_unique<TwoHanded>(table, budget, max_hand_bytes, pruning, stop);
    return std::make_unique<ThreeHanded>(table, budget, max_hand_bytes, pruning, stop);
}

std::vector<Move> ordered_moves(const Position& position, const Rules& rules, Search& search) {
    static thread_local MoveList list;
    position.legal_moves(rules, list);
    const auto score = [&](const Move& move) -> int {
        if (move.is_pass()) return kPassScore;
        const int turns = search.turns(position.turn, position.hands[position.turn] - move.cards);
        const Class cls = class_of(move);
        if (position.is_lead()) return lead_score(turns, {0, cls, move.rank, move.size, false});
        if (cls == kBomb && class_of(position.last) != kBomb) return kBombReplyScore - move.rank;
        return follow_score(turns, move.rank);
    };
    std::vector<std::pair<int, Move>> scored;
    for (const Move& move : list) scored.emplace_back(-score(move), move);
    std::stable_sort(scored.begin(), scored.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Move> out;
    for (const auto& [_, move] : scored) out.push_back(move);
    return out;
}

Engine::Engine(size_t memory, const Pruning& pruning)
    : pruning_(pruning), max_hand_bytes_(hand_share(memory, 1)), table_(table_share(memory)) {}

void Engine::set_root(const Position& root, const Rules& rules) {
    root_ = root;
    rules_ = rules;
    table_.clear();
    is_fresh_ = true;
}

Search& Engine::search(core::Budget& budget) {
    auto& search = searches_[root_.players];
    if (!search) search = make_search(root_.players, table_, budget, max_hand_bytes_, pruning_, nullptr);
    if (is_fresh_) search->reset(root_, rules_);
    is_fresh_ = false;
    search->set_budget(budget);
    search->resume();
    return *search;
}

Answer Engine::solve(const Position& position, uint64_t nodes, core::Budget& budget) {
    if (position.is_over()) return to_answer(position.has_landlord_won());
    Search& asked = search(budget);
    asked.set_limit(nodes);
    const Answer answer = asked.solve(position);
    asked.set_limit(Search::kNoLimit);
    return answer;
}

std::optional<Move> Engine::only_winning_move(const Position& position, uint64_t nodes, core::Budget& budget) {
    std::optional<Move> winner;
    const Answer wanted = to_answer(position.is_landlords_turn());
    for (const Move& move : ordered_moves(position, rules_, search(budget))) {
        const Answer answer = solve(position.after(move), nodes, budget);
        if (answer == Answer::kUnknown || (answer == wanted && winner)) return std::nullopt;
        if (answer == wanted) winner = move;
    }
    return winner;
}

Result solve(const Position& position, const Rules& rules, const Options& options, core::Budget& budget) {
    const int threads = std::max(1, options.threads);
    const size_t hand_bytes = hand_share(options.memory, threads);
    Table table(table_share(options.memory));
    std::atomic<bool> stop{false};
    const auto search = make_search(position.players, table, budget, hand_bytes, options.pruning, &stop);
    search->reset(position, rules);

    // 1. One thread and a small table: enough for most positions.
    RootWork work(ordered_moves(position, rules, *search), options.ask);
    work_on(work, position, *search, stop, options.first_round, threads > 1);

    // 2. All threads on the moves that are still open, with one table.
    Result result;
    if (threads > 1 && work.is_open()) {
        table.grow_to_limit();
        std::atomic<uint64_t> nodes{0};
        std::vector<std::thread> others;
        for (int i = 1; i < threads; ++i) {
            others.emplace_back([&] {
                std::atomic<bool> own_stop{false};
                const auto own = make_search(position.players, table, budget, hand_bytes, options.pruning, &own_stop);
                own->reset(position, rules);
                work_on(work, position, *own, own_stop, options.first_round, false);
                nodes += own->nodes();
            });
        }
        work_on(work, position, *search, stop, options.first_round, false);
        for (std::thread& other : others) other.join();
        result.nodes += nodes;
    }

    // 3. The verdict, and a line while the budget lasts.
    const Answer verdict = work.verdict();
    result.landlord_wins = for_side(position, verdict);
    result.moves = std::move(work.moves());
    if (options.line && verdict != Answer::kUnknown) {
        if (options.shortest) {
            ShortestWin shortest(*search, rules, budget);
            result.line = shortest.line(position, result.landlord_wins == Answer::kWon);
            result.is_line_shortest = result.is_line_whole = !result.line.empty();
        }
        stop.store(false);
        if (result.line.empty()) find_line(position, rules, *search, result);
    }
    result.nodes += search->nodes();
    result.seconds = budget.seconds();
    result.bytes = table.bytes();
    return result;
}

}  // namespace mingpai::endgame
