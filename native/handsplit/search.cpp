#include "native/handsplit/search.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <thread>

namespace mingpai::handsplit {

using doudizhu::cards_of;
using doudizhu::count_of;
using doudizhu::kRanks;

namespace {

// Iterations between two looks at the clock and at the standings.
constexpr int64_t kBatch = 32;
// Iterations of one worker before the choice may be called clear, and visits of a rival before its mean counts.
constexpr int64_t kLeastIterations = 512;
constexpr double kLeastVisits = 8;
// Standard deviation of results that are 1 or 0: what the exploration and the confidence reckon with.
constexpr double kSpreadOfWins = 0.5;

// What one side gets, for the landlord: 1 or 0; in points 0.5 +- half the stake, which is the same while nothing doubles.
float landlord_result(bool won, int doublings, bool points) {
    if (!points) return won ? 1.0f : 0.0f;
    assert(doublings >= 0);
    const float half = 0.5f * static_cast<float>(1 << doublings);
    return won ? 0.5f + half : 0.5f - half;
}

// Scores to probabilities: softmax, mixed with the uniform distribution.
void to_priors(float* values, int count, float temperature, float floor) {
    const float top = *std::max_element(values, values + count);
    float sum = 0;
    for (int i = 0; i < count; ++i) sum += values[i] = std::exp((values[i] - top) / temperature);
    for (int i = 0; i < count; ++i) values[i] = floor / static_cast<float>(count) + (1 - floor) * values[i] / sum;
}

struct Node {
    Move move;
    int32_t child = -1, sibling = -1;
    int32_t visits = 0;
    int32_t chances = 0;  // iterations in which the move could have been chosen
    float sum = 0;        // results for the side that made the move
    float landlord = 0;   // results for the landlord
};

// One worker: a tree, a policy with its caches, a stream of random numbers.
class Worker {
  public:
    Worker(const Situation& situation, const Worlds* worlds, const SearchSettings& settings,
           const std::vector<RootMove>& root_moves, Policy& policy, uint64_t seed)
        : situation_(situation), worlds_(worlds), settings_(settings), root_moves_(root_moves), policy_(policy), rng_(seed) {
        nodes_.push_back({});
        exploration_ = settings.exploration;
        root_doublings_ = situation.now().bomb_doublings(situation.rules());
    }

    void run(int64_t iterations, core::Budget& budget) {
        for (int64_t done = 0; done < iterations; ++done) {
            if (done > 0 && done % kBatch == 0) {
                if (budget.spend(static_cast<uint64_t>(kBatch))) break;
                if (settings_.points) measure_spread();
                if (settings_.early_stop && is_clear(iterations - done)) {
                    stopped_early = true;
                    break;
                }
            }
            iterate();
            ++iterations_done;
        }
    }

    // Adds the visits and summed results of the children of the root to `out`, which has the order of the root moves.
    void add_to(std::vector<RootMove>& out) const {
        for (int32_t c = nodes_[0].child; c >= 0; c = nodes_[static_cast<size_t>(c)].sibling) {
            const Node& node = nodes_[static_cast<size_t>(c)];
            const auto total = std::find_if(out.begin(), out.end(), [&](const RootMove& r) { return r.move == node.move; });
            assert(total != out.end() && node.visits > 0);
            total->visits += node.visits;
            total->value += static_cast<double>(node.sum);
        }
    }

    int64_t iterations_done = 0;
    bool stopped_early = false;
    size_t node_count() const { return nodes_.size(); }

  private:
    World draw_world() {
        if (!worlds_) return uniform_world(situation_, rng_);
        return situation_.world_with(worlds_->first_hand(worlds_->draw(rng_)));
    }

    void iterate() {
        World world = draw_world();
        path_.clear();
        path_.push_back(0);
        movers_.clear();
        int32_t at = 0;
        for (int depth = 0; depth < settings_.depth; ++depth) {
            // 1. Selection: the candidates of this world at this node, weighed by mean, prior and visits.
            const int role = world.turn;
            if (depth > 0) {
                Move finish;
                if (policy_.evaluator().finishing_move(world.hands[role], world.last, finish)) {
                    world.play(finish);
                    break;
                }
            }
            list_candidates(world, depth == 0);
            assert(!world.is_over() && !candidates_.empty());
            const int chosen = select(world, at);
            // 2. Expansion: one node an iteration.
            bool is_new = false;
            int32_t next = children_[chosen];
            const Move move = candidates_[chosen];
            if (next < 0) {
                is_new = true;
                next = static_cast<int32_t>(nodes_.size());
                nodes_.push_back({.move = move, .sibling = nodes_[static_cast<size_t>(at)].child, .chances = 1});
                nodes_[static_cast<size_t>(at)].child = next;
            }
            world.play(move);
            movers_.push_back(static_cast<uint8_t>(role));
            path_.push_back(next);
            at = next;
            if (world.is_over() || is_new) break;
        }
        assert(path_.size() == movers_.size() + 1);
        // 3. Simulation.
        policy_.roll_out(world, settings_.sees_world);
        assert(world.is_over());
        const float result = landlord_result(world.landlord_won(), world.doublings(situation_.rules()) - root_doublings_,
                                             settings_.points);
        // 4. Back-propagation: farmers share the result.
        squares_ += static_cast<double>(result) * static_cast<double>(result);
        for (size_t i = 0; i < path_.size(); ++i) {
            Node& node = nodes_[static_cast<size_t>(path_[i])];
            ++node.visits;
            node.landlord += result;
            if (i > 0) node.sum += movers_[i - 1] == kLandlord ? result : 1 - result;
        }
    }

    // Points spread wider than wins, and so must what is weighed against them.
    void measure_spread() {
        const double visits = nodes_[0].visits, mean = static_cast<double>(nodes_[0].landlord) / visits;
        spread_ = std::max(kSpreadOfWins, std::sqrt(std::max(0.0, squares_ / visits - mean * mean)));
        exploration_ = settings_.exploration * static_cast<float>(spread_ / kSpreadOfWins);
    }

    void list_candidates(const World& world, bool is_root) {
        if (is_root) {
            candidates_.clear();
            for (size_t i = 0; i < root_moves_.size(); ++i) {
                candidates_.add(root_moves_[i].move);
                priors_[i] = root_moves_[i].prior;
            }
            return;
        }
        const Hand hand = world.hands[world.turn];
        Evaluator& evaluator = policy_.evaluator();
        if (world.last.is_pass()) {
            policy_.lean_leads(hand, candidates_);
        } else {
            policy_.lean_follows(hand, world.last, candidates_);
        }
        if (settings_.slack >= 0 && !candidates_.empty()) {
            const int most = evaluator.turns(hand) + settings_.slack;
            int kept = 0;
            for (int i = 0; i < candidates_.size(); ++i) {
                const Hand left = hand - candidates_[i].cards;
                if (1 + (left ? evaluator.turns(left) : 0) <= most) candidates_[kept++] = candidates_[i];
            }
            candidates_.resize(kept);
        }
        if (!world.last.is_pass()) candidates_.add(Move{});
        for (int i = 0; i < candidates_.size(); ++i) priors_[i] = policy_.score(world, candidates_[i]);
        cut_to(settings_.tree_width);
        to_priors(priors_, candidates_.size(), settings_.prior_temperature, settings_.prior_floor);
    }

    // Keeps the candidates of the best scores.
    void cut_to(int width) {
        if (candidates_.size() <= width) return;
        assert(width > 0);
        int order[ShortList::kCapacity];
        for (int i = 0; i < candidates_.size(); ++i) order[i] = i;
        std::stable_sort(order, order + candidates_.size(), [&](int a, int b) { return priors_[a] > priors_[b]; });
        ShortList kept;
        float scores[ShortList::kCapacity];
        for (int i = 0; i < width; ++i) {
            kept.add(candidates_[order[i]]);
            scores[i] = priors_[order[i]];
        }
        candidates_.clear();
        for (int i = 0; i < width; ++i) {
            candidates_.add(kept[i]);
            priors_[i] = scores[i];
        }
    }

    int select(const World& world, int32_t at) {
        const Node& parent = nodes_[static_cast<size_t>(at)];
        // An unvisited move is taken to be as good as the node so far.
        float unvisited = 0.5f;
        if (parent.visits > 0) {
            unvisited = parent.landlord / static_cast<float>(parent.visits);
            if (world.turn != kLandlord) unvisited = 1 - unvisited;
        }
        const float parent_root = std::sqrt(static_cast<float>(parent.visits) + 1);
        int best = 0;
        float best_worth = 0;
        for (int i = 0; i < candidates_.size(); ++i) {
            children_[i] = find_child(at, candidates_[i]);
            float worth = unvisited + exploration_ * priors_[i] * parent_root;
            if (children_[i] >= 0) {
                Node& child = nodes_[static_cast<size_t>(children_[i])];
                assert(child.visits > 0 && child.chances >= child.visits);
                ++child.chances;
                const float visits = static_cast<float>(child.visits);
                worth = child.sum / visits +
                        exploration_ * priors_[i] * std::sqrt(static_cast<float>(child.chances)) / (1 + visits);
            }
            if (i == 0 || worth > best_worth) {
                best = i;
                best_worth = worth;
            }
        }
        return best;
    }

    int32_t find_child(int32_t at, const Move& move) const {
        for (int32_t c = nodes_[static_cast<size_t>(at)].child; c >= 0; c = nodes_[static_cast<size_t>(c)].sibling) {
            if (nodes_[static_cast<size_t>(c)].move == move) return c;
        }
        return -1;
    }

    // True when the most visited move can no longer be overtaken, or is better than every other by the confidence asked for.
    bool is_clear(int64_t iterations_left) const {
        const Node* first = nullptr;
        const Node* second = nullptr;
        for (int32_t c = nodes_[0].child; c >= 0; c = nodes_[static_cast<size_t>(c)].sibling) {
            const Node& node = nodes_[static_cast<size_t>(c)];
            if (!first || node.visits > first->visits) {
                second = first;
                first = &node;
            } else if (!second || node.visits > second->visits) {
                second = &node;
            }
        }
        if (!first || root_moves_.size() < 2) return first != nullptr;
        const int64_t lead = first->visits - (second ? second->visits : 0);
        if (lead > iterations_left) return true;
        if (iterations_done < kLeastIterations || !second) return false;
        const double mean = static_cast<double>(first->sum) / first->visits;
        for (int32_t c = nodes_[0].child; c >= 0; c = nodes_[static_cast<size_t>(c)].sibling) {
            const Node& node = nodes_[static_cast<size_t>(c)];
            if (&node == first) continue;
            const double visits = node.visits;
            const double error = spread_ * std::sqrt(1 / visits + 1.0 / first->visits);
            if (visits < kLeastVisits || mean - static_cast<double>(node.sum) / visits < settings_.confidence * error) {
                return false;
            }
        }
        return true;
    }

    const Situation& situation_;
    const Worlds* worlds_;
    const SearchSettings& settings_;
    const std::vector<RootMove>& root_moves_;
    Policy& policy_;
    core::Rng rng_;
    int root_doublings_ = 0;
    double squares_ = 0;  // of the results
    double spread_ = kSpreadOfWins;
    float exploration_;
    std::vector<Node> nodes_;
    std::vector<int32_t> path_;
    std::vector<uint8_t> movers_;
    ShortList candidates_;
    float priors_[ShortList::kCapacity];
    int32_t children_[ShortList::kCapacity];
};

}  // namespace

World uniform_world(const Situation& situation, core::Rng& rng) {
    const Hand known = situation.known_of_landlord(), hidden = situation.unseen() - known;
    uint8_t cards[doudizhu::kDeckCards];
    uint32_t count = 0;
    for (int rank = 0; rank < kRanks; ++rank) {
        for (int copy = 0; copy < count_of(hidden, rank); ++copy) cards[count++] = static_cast<uint8_t>(rank);
    }
    Hand first = situation.first() == kLandlord ? known : 0;
    const uint32_t needed = static_cast<uint32_t>(situation.now().counts[situation.first()] - doudizhu::card_count(first));
    assert(needed <= count);
    for (uint32_t i = 0; i < needed; ++i) {
        std::swap(cards[i], cards[i + rng.below(count - i)]);
        first += cards_of(cards[i]);
    }
    return situation.world_with(first);
}

Searcher::Searcher(const Rules& rules, const Weights& weights) : rules_(rules), weights_(weights) { policy_of(0); }
Searcher::~Searcher() = default;

Policy& Searcher::policy_of(int worker) {
    while (static_cast<int>(policies_.size()) <= worker) policies_.push_back(std::make_unique<Policy>(rules_, weights_));
    return *policies_[static_cast<size_t>(worker)];
}

std::vector<RootMove> Searcher::candidates(const Situation& situation, const SearchSettings& settings) {
    const World& world = situation.now();
    const Hand hand = world.hands[world.turn];
    MoveList legal;
    doudizhu::legal_moves(hand, world.last, rules_, legal);
    Evaluator& evaluator = policy().evaluator();
    const int most = evaluator.turns(hand) + settings.slack;
    std::vector<RootMove> out;
    for (const Move& move : legal) {
        const Hand left = hand - move.cards;
        const bool fits = settings.slack < 0 || move.is_pass() || left == 0 || 1 + evaluator.turns(left) <= most;
        if (fits) out.push_back({move, policy().score(world, move), 0, 0});
    }
    std::stable_sort(out.begin(), out.end(), [](const RootMove& a, const RootMove& b) { return a.prior > b.prior; });
    const size_t width = static_cast<size_t>(std::clamp(settings.width, 1, ShortList::kCapacity));
    if (out.size() > width) {
        const auto pass = std::find_if(out.begin(), out.end(), [](const RootMove& r) { return r.move.is_pass(); });
        if (pass != out.end() && pass >= out.begin() + static_cast<ptrdiff_t>(width)) std::swap(out[width - 1], *pass);
        out.resize(width);
    }
    std::vector<float> scores;
    for (const RootMove& root : out) scores.push_back(root.prior);
    to_priors(scores.data(), static_cast<int>(scores.size()), settings.prior_temperature, settings.prior_floor);
    for (size_t i = 0; i < out.size(); ++i) out[i].prior = scores[i];
    return out;
}

SearchResult Searcher::search(const Situation& situation, const Worlds* worlds, const SearchSettings& settings,
                              uint64_t seed, core::Budget& budget) {
    SearchResult result;
    result.moves = candidates(situation, settings);
    const std::vector<RootMove> roots = result.moves;
    const int threads = std::max(1, settings.threads);
    std::vector<std::unique_ptr<Worker>> workers;
    for (int t = 0; t < threads; ++t) {
        workers.push_back(std::make_unique<Worker>(situation, worlds, settings, roots, policy_of(t),
                                                   core::stream_seed(seed, static_cast<uint64_t>(t))));
    }
    const auto share = [&](int t) { return settings.iterations * (t + 1) / threads - settings.iterations * t / threads; };
    std::vector<std::thread> others;
    for (int t = 1; t < threads; ++t) {
        others.emplace_back([&, t] { workers[static_cast<size_t>(t)]->run(share(t), budget); });
    }
    workers[0]->run(share(0), budget);
    for (std::thread& other : others) other.join();
    for (const auto& worker : workers) {
        worker->add_to(result.moves);
        result.iterations += worker->iterations_done;
        result.nodes += static_cast<int64_t>(worker->node_count());
        result.stopped_early |= worker->stopped_early;
    }
    for (RootMove& root : result.moves) root.value = root.visits > 0 ? root.value / static_cast<double>(root.visits) : 0;
    std::stable_sort(result.moves.begin(), result.moves.end(), [](const RootMove& a, const RootMove& b) {
        if (a.visits != b.visits) return a.visits > b.visits;
        return a.value != b.value ? a.value > b.value : a.prior > b.prior;
    });
    return result;
}

}  // namespace mingpai::handsplit
