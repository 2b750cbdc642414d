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
size_t hand_share(size_t memory, int threads) { return memory / 4 / static_cast<size_t>(threads); }
// A guided proof takes its tree from the table's share.
size_t tree_share(size_t memory) { return memory / 8; }
size_t guided_table_share(size_t memory) { return table_share(memory) - tree_share(memory); }

constexpr uint64_t kShortRun = 200'000;

Answer for_side(const Position& position, Answer landlord) {
    return position.is_landlords_turn() ? landlord : opposite(landlord);
}

// The moves of the root, shared by threads: who works on which, and what is still worth knowing.
class RootWork {
  public:
    RootWork(const std::vector<Move>& moves, Ask ask) : ask_(ask), is_taken_(moves.size()), round_(moves.size()) {
        for (const Move& move : moves) moves_.push_back({move, Answer::kUnknown, {}});
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
    // For one thread: the next move that is worth knowing; none when the rest follows.
    std::optional<size_t> next_needed() const {
        for (size_t i = 0; i < moves_.size(); ++i) {
            if (is_needed(i)) return i;
        }
        return std::nullopt;
    }
    void set(size_t index, Answer answer) { moves_[index].answer = answer; }
    void set_all(Answer answer) {
        for (RootMove& move : moves_) move.answer = answer;
    }
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

// Everything that works on one position: the plain search of this thread, and where a judge knows such positions a proof-number
// tree with the searches and judges of all threads. Answers are the landlord's.
class Workshop {
  public:
    Workshop(const Position& root, const Rules& rules, const Options& options, AnswerTable& table, core::Budget& budget)
        : root_(root), rules_(rules), options_(options), table_(table), budget_(budget),
          is_guided_(options.judges && options.judges->knows(root.players)), threads_(std::max(1, options.threads)),
          tree_(options.proof, tree_share(options.memory)) {
        benches_.push_back(make_bench());
    }

    bool is_guided() const { return is_guided_; }
    Search& search() { return *benches_.front().search; }
    std::atomic<bool>& stop() { return *benches_.front().stop; }
    const ProofTree& tree() const { return tree_; }
    bool is_out_of_memory() const {
        return std::any_of(benches_.begin(), benches_.end(), [](const Bench& bench) { return bench.search->is_out_of_memory(); });
    }
    uint64_t nodes() const {
        uint64_t sum = 0;
        for (const Bench& bench : benches_) sum += bench.search->nodes();
        return sum;
    }

    // A plain search of `nodes` nodes, then the tree until the position is decided or the budget is spent.
    Answer prove(const Position& position, uint64_t nodes) {
        if (position.is_over()) return to_answer(position.has_landlord_won());
        search().resume();
        search().set_limit(is_guided_ ? nodes : Search::kNoLimit);
        const Answer answer = search().solve(position);
        search().set_limit(Search::kNoLimit);
        if (answer != Answer::kUnknown || !is_guided_ || search().is_halted()) return answer;
        return prove_by_tree(position);
    }

    // A winning move of a decided position in which the side to move wins, `moves` in the order to try; none when the budget is spent.
    std::optional<Move> winning_move(const Position& position, const std::vector<Move>& moves) {
        const Answer wanted = to_answer(position.is_landlords_turn());
        search().resume();
        if (is_guided_) {
            if (const auto choice = tree_.winning_choice(position, search())) return find(*choice, moves);
        }
        for (uint64_t limit = kFirstLook; !search().is_halted(); limit *= kLookGrowth) {
            for (const Move& move : moves) {
                search().set_limit(limit);
                const Answer answer = search().solve_move(position, move);
                search().set_limit(Search::kNoLimit);
                if (answer == wanted) return move;
            }
            if (is_guided_ && limit > options_.short_run && prove_by_tree(position) == wanted) {
                if (const auto choice = tree_.winning_choice(position, search())) return find(*choice, moves);
            }
        }
        return std::nullopt;
    }

    static std::optional<Move> find(const Choice& choice, const std::vector<Move>& moves) {
        const Move wanted = move_of(choice.cards, choice.cls, choice.rank);
        const auto move = std::find(moves.begin(), moves.end(), wanted);
        return move == moves.end() ? std::nullopt : std::optional(*move);
    }

  private:
    static constexpr uint64_t kFirstLook = 2000, kLookGrowth = 8;

    struct Bench {
        std::unique_ptr<std::atomic<bool>> stop;
        std::unique_ptr<Search> search;
        std::unique_ptr<Judge> judge;
    };
    Bench make_bench() {
        Bench bench;
        bench.stop = std::make_unique<std::atomic<bool>>(false);
        bench.search = make_search(root_.players, table_, budget_, hand_share(options_.memory, threads_), options_.pruning,
                                   bench.stop.get());
        bench.search->reset(root_, rules_);
        if (is_guided_) bench.judge = options_.judges->make();
        return bench;
    }

    Answer prove_by_tree(const Position& position) {
        if (threads_ > 1) table_.grow_to_limit();
        while (static_cast<int>(benches_.size()) < threads_) benches_.push_back(make_bench());
        std::vector<std::thread> others;
        for (size_t i = 1; i < benches_.size(); ++i) {
            others.emplace_back([this, i, &position] {
                benches_[i].search->resume();
                tree_.prove(position, *benches_[i].search, *benches_[i].judge);
            });
        }
        const Answer answer = tree_.prove(position, search(), *benches_.front().judge);
        for (std::thread& other : others) other.join();
        return answer;
    }

    const Position& root_;
    const Rules& rules_;
    const Options& options_;
    AnswerTable& table_;
    core::Budget& budget_;
    bool is_guided_;
    int threads_;
    ProofTree tree_;
    std::vector<Bench> benches_;
};

// The verdict first, then what is still asked of single moves.
void work_guided(RootWork& work, const Position& position, Workshop& workshop, const Options& options) {
    const Answer verdict = for_side(position, workshop.prove(position, options.short_run));
    if (verdict == Answer::kUnknown) return;
    if (verdict == Answer::kLost) return work.set_all(Answer::kLost);
    std::vector<Move> moves;
    for (const RootMove& move : work.moves()) moves.push_back(move.move);
    if (const auto winner = workshop.winning_move(position, moves)) {
        work.set(static_cast<size_t>(std::find(moves.begin(), moves.end(), *winner) - moves.begin()), Answer::kWon);
    }
    while (const auto index = work.next_needed()) {
        const Answer answer = for_side(position, workshop.prove(position.after(moves[*index]), options.short_run));
        if (answer == Answer::kUnknown) return;
        work.set(*index, answer);
    }
}

// Root moves in rounds, the other threads on those that stay open.
void work_plain(RootWork& work, const Position& position, const Rules& rules, Workshop& workshop, AnswerTable& table,
                const Options& options, core::Budget& budget, uint64_t& nodes, std::atomic<bool>& is_out_of_memory) {
    const int threads = std::max(1, options.threads);
    work_on(work, position, workshop.search(), workshop.stop(), options.first_round, threads > 1);
    if (threads == 1 || !work.next_needed()) return;
    table.grow_to_limit();
    std::atomic<uint64_t> spent{0};
    std::vector<std::thread> others;
    for (int i = 1; i < threads; ++i) {
        others.emplace_back([&] {
            std::atomic<bool> own_stop{false};
            const auto own = make_search(position.players, table, budget, hand_share(options.memory, threads), options.pruning,
                                         &own_stop);
            own->reset(position, rules);
            work_on(work, position, *own, own_stop, options.first_round, false);
            spent += own->nodes();
            if (own->is_out_of_memory()) is_out_of_memory = true;
        });
    }
    work_on(work, position, workshop.search(), workshop.stop(), options.first_round, false);
    for (std::thread& other : others) other.join();
    nodes += spent;
}

// After every decided root move the shortest forced win of whoever wins then, against the longest defence.
void find_values(const Position& root, const Rules& rules, Workshop& workshop, const Options& options, core::Budget& budget,
                 std::vector<RootMove>& moves) {
    ShortestWin landlords(workshop.search(), rules, true, options.memory / 8, budget);
    ShortestWin farmers(workshop.search(), rules, false, options.memory / 8, budget);
    for (RootMove& move : moves) {
        if (move.answer == Answer::kUnknown) continue;
        const Position next = root.after(move.move);
        const bool landlord_wins = for_side(root, move.answer) == Answer::kWon;
        const std::vector<Ply> rest = next.is_over() ? std::vector<Ply>{} : (landlord_wins ? landlords : farmers).line(next);
        if (rest.empty() && !next.is_over()) continue;
        move.line = {{root.turn, move.move}};
        move.line.insert(move.line.end(), rest.begin(), rest.end());
    }
}

// Why the position, or with Ask::kAll one of its moves, stays open.
Stop find_stop(const Result& result, Ask ask, const core::Budget& budget, bool is_out_of_memory) {
    const auto is_open = [](const RootMove& move) { return move.answer == Answer::kUnknown; };
    const bool asks_more = ask == Ask::kAll && std::any_of(result.moves.begin(), result.moves.end(), is_open);
    if (result.landlord_wins != Answer::kUnknown && !asks_more) return Stop::kNone;
    if (budget.is_cancelled()) return Stop::kCancelled;
    if (budget.is_exhausted()) return budget.is_late() ? Stop::kTime : Stop::kNodes;
    return is_out_of_memory ? Stop::kMemory : Stop::kNone;
}

// One line of play: a winning move where there is one, else the move the solver would try first.
void find_line(const Position& root, const Rules& rules, Workshop& workshop, Result& result) {
    for (Position position = root; !position.is_over(); position = position.after(result.line.back().move)) {
        const std::vector<Move> moves = ordered_moves(position, rules, workshop.search());
        std::optional<Move> chosen = moves.front();
        if (result.landlord_wins == to_answer(position.is_landlords_turn())) {
            const auto is_won = [](const RootMove& move) { return move.answer == Answer::kWon; };
            chosen = result.line.empty() ? std::find_if(result.moves.begin(), result.moves.end(), is_won)->move
                                         : workshop.winning_move(position, moves);
        }
        if (!chosen) return;
        result.line.push_back({position.turn, *chosen});
    }
}

}  // namespace

std::unique_ptr<Search> make_search(int players, AnswerTable& table, core::Budget& budget, size_t max_hand_bytes,
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

Engine::Engine(size_t memory, const Pruning& pruning, const JudgeMaker* judges)
    : pruning_(pruning), judges_(judges), max_hand_bytes_(hand_share(memory, 1)),
      table_(judges ? guided_table_share(memory) : table_share(memory)), tree_({}, tree_share(memory)),
      judge_(judges ? judges->make() : nullptr) {}

void Engine::set_root(const Position& root, const Rules& rules) {
    root_ = root;
    rules_ = rules;
    table_.clear();
    tree_.clear();
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

Answer Engine::prove(const Position& position, core::Budget& budget) {
    const bool is_guided = judges_ && judges_->knows(position.players);
    const Answer answer = solve(position, is_guided ? kShortRun : Search::kNoLimit, budget);
    if (answer != Answer::kUnknown || !is_guided || search(budget).is_halted()) return answer;
    return tree_.prove(position, search(budget), *judge_);
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
    const bool is_guided = options.judges && options.judges->knows(position.players);
    AnswerTable table(is_guided ? guided_table_share(options.memory) : table_share(options.memory));
    Workshop workshop(position, rules, options, table, budget);
    RootWork work(ordered_moves(position, rules, workshop.search()), options.ask);
    Result result;
    std::atomic<bool> is_out_of_memory{false};
    if (is_guided) {
        work_guided(work, position, workshop, options);
    } else {
        work_plain(work, position, rules, workshop, table, options, budget, result.nodes, is_out_of_memory);
    }

    // The verdict, and a line while the budget lasts.
    const Answer verdict = work.verdict();
    result.landlord_wins = for_side(position, verdict);
    result.moves = std::move(work.moves());
    result.stopped_by = find_stop(result, options.ask, budget, is_out_of_memory || workshop.is_out_of_memory());
    if (options.line && verdict != Answer::kUnknown) {
        workshop.stop().store(false);
        if (options.shortest) {
            ShortestWin shortest(workshop.search(), rules, result.landlord_wins == Answer::kWon, options.memory / 4, budget);
            result.line = shortest.line(position);
            result.is_line_shortest = !result.line.empty();
        }
        if (result.line.empty()) find_line(position, rules, workshop, result);
    }
    if (options.values) find_values(position, rules, workshop, options, budget, result.moves);
    result.nodes += workshop.nodes();
    result.seconds = budget.seconds();
    result.bytes = table.bytes() + workshop.tree().bytes();
    result.leaves = workshop.tree().leaves();
    return result;
}

}  // namespace mingpai::endgame
