#include "native/handsplit/uct.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

#include "native/core/rng.hpp"

namespace mingpai::handsplit {

namespace {

// Simulations between two looks at the clock.
constexpr int64_t kBatch = 256;

// A move in the tree: the root is the first node, a node is the row of moves that leads to it.
struct Node {
    Move move;
    int32_t parent = -1;
    uint32_t visits = 0;
    uint32_t chances = 0;  // simulations in which the move could have been chosen: its world allowed it
    float sum = 0;         // results for the side that made the move
};

// Nodes by parent and move: open addressing, never more than half full.
class Children {
  public:
    explicit Children(size_t nodes) : slots_(std::bit_ceil(2 * nodes + 2), -1) {}

    // Where the search for a move under a node begins; it is fetched from memory while other work goes on.
    size_t first(int32_t parent, const Move& move) const {
        const size_t at = hash(parent, move) & (slots_.size() - 1);
        __builtin_prefetch(&slots_[at]);
        return at;
    }

    // The slot of a move under a node: holds its index, or -1 when the node does not exist yet.
    int32_t& slot(const std::vector<Node>& nodes, int32_t parent, const Move& move) {
        return slot(nodes, parent, move, first(parent, move));
    }
    int32_t& slot(const std::vector<Node>& nodes, int32_t parent, const Move& move, size_t at) {
        while (slots_[at] >= 0) {
            const Node& node = nodes[static_cast<size_t>(slots_[at])];
            if (node.parent == parent && node.move == move) break;
            at = (at + 1) & (slots_.size() - 1);
        }
        return slots_[at];
    }

  private:
    static size_t hash(int32_t parent, const Move& move) {
        uint64_t state = move.cards ^ (static_cast<uint64_t>(parent) << 32) ^ (static_cast<uint64_t>(move.type) << 60);
        return core::splitmix64(state);
    }

    std::vector<int32_t> slots_;
};

// L_min of hands, the latest ones kept: the hands of a search come again and again.
class KnownTurns {
  public:
    explicit KnownTurns(const Splitter& splitter) : splitter_(splitter), entries_(size_t{1} << kBits, 0) {}

    int operator()(Hand hand) {
        uint64_t& entry = entries_[(hand * 0x9E3779B97F4A7C15ULL) >> (64 - kBits)];
        if (entry >> kTurnBits != hand || entry == 0) {
            entry = hand << kTurnBits | static_cast<uint64_t>(splitter_.min_turns(hand));
        }
        return static_cast<int>(entry & ((1u << kTurnBits) - 1));
    }

  private:
    // A hand is 4 bits a rank. A hand of 16 turns or more, all single cards, is at most 15 ranks: it cannot be.
    static constexpr int kBits = 15, kTurnBits = 4;
    static_assert(4 * doudizhu::kRanks + kTurnBits <= 64);

    const Splitter& splitter_;
    std::vector<uint64_t> entries_;
};

class Uct {
  public:
    Uct(const Situation& situation, const Splitter& splitter, std::vector<ScoredMove> moves, const UctSettings& settings,
        uint64_t seed)
        : situation_(situation), splitter_(splitter), settings_(settings), root_moves_(std::move(moves)),
          children_(static_cast<size_t>(settings.simulations) + root_moves_.size() + 1), turns_of_(splitter), rng_(seed) {
        assert(!root_moves_.empty());
        nodes_.reserve(static_cast<size_t>(settings.simulations) + root_moves_.size() + 1);
        nodes_.push_back({});
    }

    void run(core::Budget& budget) {
        for (; done_ < settings_.simulations; ++done_) {
            if (done_ > 0 && done_ % kBatch == 0 && budget.spend(kBatch)) return;
            simulate();
        }
    }

    SearchResult result() {
        SearchResult out;
        for (const ScoredMove& scored : root_moves_) {
            const int32_t at = children_.slot(nodes_, 0, scored.move);
            RootMove move{scored.move, scored.score, 0, 0};
            if (at >= 0) {
                move.visits = nodes_[static_cast<size_t>(at)].visits;
                move.value = mean(nodes_[static_cast<size_t>(at)]);
            }
            out.moves.push_back(move);
        }
        const auto earned = [&](const RootMove& move) {
            return move.visits == 0 ? -1.0f : static_cast<float>(move.value) + added(static_cast<float>(move.prior));
        };
        std::stable_sort(out.moves.begin(), out.moves.end(), [&](const RootMove& a, const RootMove& b) {
            return earned(a) != earned(b) ? earned(a) > earned(b) : a.visits > b.visits;
        });
        out.iterations = done_;
        out.nodes = static_cast<int64_t>(nodes_.size());
        return out;
    }

  private:
    void simulate() {
        World world = uniform_world(situation_, rng_);
        path_.assign(1, 0);
        roles_.clear();
        // 1. Selection, down to the first move that is not in the tree; 2. expansion by that move.
        for (bool is_new = false; !is_new && !world.is_over();) {
            list_candidates(world, path_.size() == 1);
            const Move move = candidates_[static_cast<size_t>(select(path_.back()))];
            int32_t& slot = children_.slot(nodes_, path_.back(), move);
            is_new = slot < 0;
            if (is_new) {
                slot = static_cast<int32_t>(nodes_.size());
                nodes_.push_back({.move = move, .parent = path_.back(), .chances = 1});
            }
            roles_.push_back(world.turn);
            path_.push_back(slot);
            world.play(move);
        }
        // 3. Simulation.
        while (!world.is_over()) world.play(random_move(world));
        // 4. Back-propagation: the farmers share the result.
        const float landlord = world.landlord_won() ? 1.0f : 0.0f;
        for (size_t i = 0; i < path_.size(); ++i) {
            Node& node = nodes_[static_cast<size_t>(path_[i])];
            ++node.visits;
            if (i > 0) node.sum += roles_[i - 1] == kLandlord ? landlord : 1 - landlord;
        }
    }

    // What the role to move may play in this world, by small partitions of the hand that it has in it.
    void list_candidates(const World& world, bool is_root) {
        candidates_.clear();
        if (is_root) {
            for (const ScoredMove& scored : root_moves_) candidates_.push_back(scored.move);
            return;
        }
        const Hand hand = world.hands[world.turn];
        doudizhu::legal_moves(hand, world.last, splitter_.rules(), legal_);
        const int most = turns_of_(hand) + settings_.slack;
        for (const Move& move : legal_) {
            if (move.is_pass() || 1 + turns_of_(hand - move.cards) <= most) {
                candidates_.push_back(move);
            }
        }
        assert(!candidates_.empty());
    }

    // UCB1 among the candidates that have been tried; one that has not comes first, any of them equally likely.
    int select(int32_t at) {
        int untried = 0, chosen = -1;
        float best = 0;
        find_children(at);
        for (int i = 0; i < static_cast<int>(candidates_.size()); ++i) {
            const int32_t child = found_[static_cast<size_t>(i)];
            if (child < 0) {
                if (rng_.below(static_cast<uint32_t>(++untried)) == 0) chosen = i;
                continue;
            }
            Node& node = nodes_[static_cast<size_t>(child)];
            ++node.chances;
            if (untried > 0) continue;
            const float worth = mean(node) + (at == 0 ? added(root_moves_[static_cast<size_t>(i)].score) : 0) +
                                settings_.exploration * std::sqrt(std::log(static_cast<float>(node.chances)) /
                                                                  static_cast<float>(node.visits));
            if (chosen < 0 || worth > best) {
                chosen = i;
                best = worth;
            }
        }
        return chosen;
    }

    // The node of each candidate, or -1. The table and the nodes lie far apart in memory: they are fetched all at once.
    void find_children(int32_t at) {
        firsts_.clear();
        found_.clear();
        for (const Move& move : candidates_) firsts_.push_back(children_.first(at, move));
        for (size_t i = 0; i < candidates_.size(); ++i) {
            found_.push_back(children_.slot(nodes_, at, candidates_[i], firsts_[i]));
            if (found_.back() >= 0) __builtin_prefetch(&nodes_[static_cast<size_t>(found_.back())]);
        }
    }

    static float mean(const Node& node) { return node.sum / static_cast<float>(node.visits); }

    float added(float score) const { return settings_.score_weight * score; }

    Move random_move(const World& world) {
        doudizhu::legal_moves(world.hands[world.turn], world.last, splitter_.rules(), legal_);
        return legal_[static_cast<int>(rng_.below(static_cast<uint32_t>(legal_.size())))];
    }

    const Situation& situation_;
    const Splitter& splitter_;
    const UctSettings settings_;
    std::vector<ScoredMove> root_moves_;
    std::vector<Node> nodes_;
    Children children_;
    KnownTurns turns_of_;
    core::Rng rng_;
    int64_t done_ = 0;
    MoveList legal_;
    std::vector<Move> candidates_;
    std::vector<size_t> firsts_;
    std::vector<int32_t> found_;
    std::vector<int32_t> path_;
    std::vector<uint8_t> roles_;
};

}  // namespace

SearchResult uct_search(const Situation& situation, const Splitter& splitter, const std::vector<ScoredMove>& moves,
                        const UctSettings& settings, uint64_t seed, core::Budget& budget) {
    std::vector<ScoredMove> roots = moves;
    if (roots.empty()) {
        const World& now = situation.now();
        for (const Move& move : splitter.less_split_moves(now.hands[now.turn], now.last, settings.slack)) {
            roots.push_back({move, 0});
        }
    }
    Uct search(situation, splitter, std::move(roots), settings, seed);
    search.run(budget);
    return search.result();
}

}  // namespace mingpai::handsplit
