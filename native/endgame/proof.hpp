// A proof-number tree above the search. A leaf is searched under a small node limit; one that stays open is expanded, and its
// children begin with proof and disproof numbers that a judge guesses. The tree grows where the least is missing to a proof, so
// that a hard deal is decided along the easiest way instead of in the order of moves. Only searches and the rules decide.
#pragma once
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "native/endgame/judge.hpp"
#include "native/endgame/search.hpp"

namespace mingpai::endgame {

// Settings that were measured; results do not depend on them.
struct ProofSettings {
    uint64_t leaf_nodes = 500;  // of the search for a leaf
    float trust = 3.5f;         // a logit of x starts at a proof number of exp(-trust * x / 2), and its inverse as disproof number
    float least = 1e-4f;        // the smallest first number
    float others = 0.3f;        // where all choices must be proved: the hardest counts whole, the others count so much
    float card = 0.1f;          // both numbers grow by exp(card) for each card that is still held: a long way is a costly way
};

struct StateHash {
    size_t operator()(const State& state) const;
};

// Shared by threads; each brings its own search and judge.
class ProofTree {
  public:
    ProofTree(const ProofSettings& settings, size_t max_bytes) : settings_(settings), max_bytes_(max_bytes) {}

    void clear();
    // Does the landlord win? Works until that is decided or the search is halted. Several threads may work on one position.
    Answer prove(const Position& position, Search& search, Judge& judge);
    // The choice that decides a decided position for the side to move; none when all lose or nothing is known.
    std::optional<Choice> winning_choice(const Position& position, Search& search);
    size_t bytes() const { return bytes_; }
    uint64_t leaves() const { return leaves_; }
    uint64_t collections() const { return collections_; }

  private:
    // Numbers for the landlord: how much is missing to prove that he wins, and that he loses. A 0 is a proof.
    struct Numbers {
        float proof = 1, disproof = 1;
        Answer answer() const { return proof == 0 ? Answer::kWon : disproof == 0 ? Answer::kLost : Answer::kUnknown; }
    };
    struct Edge {
        Choice choice;
        Numbers numbers;  // as they were when the edge was last used
        uint16_t workers = 0;
    };
    struct Node {
        Numbers numbers;
        uint32_t visits = 0;
        uint32_t workers = 0;
        std::vector<Edge> edges;  // once it is decided only the winning one, if any
    };
    using Entry = std::unordered_map<State, Node, StateHash>::value_type;
    struct Step {
        Entry* entry;
        size_t edge;
    };

    static Numbers decided(bool landlord_wins);
    // Of a position in which so many cards are left, by the judge's logit.
    Numbers first_numbers(float logit, int cards) const;
    Numbers sum_up(const Entry& entry);
    static size_t best_edge(const Entry& entry);
    static size_t bytes_of(const Node& node);

    // Goes down from the root to a state that is not in the tree; false when none is free or the root is decided.
    bool descend(Entry& root, Search& search, std::vector<Step>& path, State& leaf);
    // Searches the leaf, and expands it if that does not decide it.
    Node visit(const State& leaf, std::span<const Made> history, Search& search, Judge& judge);
    void attach(const State& leaf, Node node, Search& search, std::vector<Step>& path);
    void update(std::vector<Step>& path, Numbers numbers, Search& search);
    void decide(Entry& entry, Search& search);
    void collect();

    ProofSettings settings_;
    size_t max_bytes_;
    std::mutex mutex_;
    std::unordered_map<State, Node, StateHash> nodes_;
    size_t bytes_ = 0;
    uint64_t leaves_ = 0, collections_ = 0;
    uint32_t keep_visits_ = 1;
};

}  // namespace mingpai::endgame
