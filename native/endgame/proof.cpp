#include "native/endgame/proof.hpp"

#include <cmath>
#include <limits>

namespace mingpai::endgame {
namespace {

constexpr float kNever = std::numeric_limits<float>::infinity();
// Sums stop here, so that only a proof is infinite.
constexpr float kMost = 1e30f;
// What an entry of the map costs besides its edges, about.
constexpr size_t kEntryBytes = 160;

bool is_landlords(const State& state) { return state.mover == kLandlord; }

}  // namespace

size_t StateHash::operator()(const State& state) const {
    uint64_t x = static_cast<uint64_t>(state.mover) | static_cast<uint64_t>(state.left) << 8 |
                 static_cast<uint64_t>(state.cls) << 16 | static_cast<uint64_t>(state.threshold) << 24;
    for (Hand hand : state.hands) {
        x = (x ^ hand) * 0x9E3779B97F4A7C15ULL;
        x ^= x >> 32;
    }
    return static_cast<size_t>(x);
}

ProofTree::Numbers ProofTree::decided(bool landlord_wins) {
    return landlord_wins ? Numbers{0, kNever} : Numbers{kNever, 0};
}

ProofTree::Numbers ProofTree::first_numbers(float logit, int cards) const {
    const float disproof = std::clamp(std::exp(settings_.trust * logit / 2), settings_.least, 1 / settings_.least);
    const float way = std::exp(settings_.card * static_cast<float>(cards));
    return {way / disproof, way * disproof};
}

size_t ProofTree::bytes_of(const Node& node) { return kEntryBytes + node.edges.capacity() * sizeof(Edge); }

// The landlord needs one choice of his own and all of the farmers'.
ProofTree::Numbers ProofTree::sum_up(const Entry& entry) {
    const bool is_own = is_landlords(entry.first);
    float least = kNever, sum = 0, most = 0;
    for (const Edge& edge : entry.second.edges) {
        least = std::min(least, is_own ? edge.numbers.proof : edge.numbers.disproof);
        const float one = is_own ? edge.numbers.disproof : edge.numbers.proof;
        sum += one;
        most = std::max(most, one);
    }
    if (most < kNever) sum = std::min(most + settings_.others * (sum - most), kMost);
    return is_own ? Numbers{least, sum} : Numbers{sum, least};
}

size_t ProofTree::best_edge(const Entry& entry) {
    const bool is_own = is_landlords(entry.first);
    const std::vector<Edge>& edges = entry.second.edges;
    size_t best = 0;
    float least = kNever;
    for (size_t i = 0; i < edges.size(); ++i) {
        const float own = is_own ? edges[i].numbers.proof : edges[i].numbers.disproof;
        const float number = own * static_cast<float>(1 + edges[i].workers);
        if (number < least) least = number, best = i;
    }
    return best;
}

void ProofTree::clear() {
    nodes_.clear();
    bytes_ = 0;
    leaves_ = collections_ = 0;
    keep_visits_ = 1;
}

bool ProofTree::descend(Entry& root, Search& search, std::vector<Step>& path, State& leaf) {
    path.clear();
    for (Entry* entry = &root; entry->second.numbers.answer() == Answer::kUnknown;) {
        const size_t best = best_edge(*entry);
        path.push_back({entry, best});
        leaf = search.after(entry->first, entry->second.edges[best].choice);
        const auto next = nodes_.find(leaf);
        if (next == nodes_.end()) {
            for (Step& step : path) {
                ++step.entry->second.workers;
                ++step.entry->second.edges[step.edge].workers;
            }
            return true;
        }
        entry = &*next;
        if (entry->second.numbers.answer() == Answer::kUnknown) continue;
        // Decided on another way here: tell the path and begin again.
        update(path, entry->second.numbers, search);
        path.clear();
        entry = &root;
    }
    return false;
}

ProofTree::Node ProofTree::visit(const State& leaf, std::span<const Made> history, Search& search, Judge& judge) {
    Node node;
    node.visits = 1;
    search.trim();
    search.set_limit(settings_.leaf_nodes);
    const Answer answer = search.solve(leaf);
    if (answer != Answer::kUnknown) {
        node.numbers = decided(answer == Answer::kWon);
        return node;
    }
    if (search.is_halted()) return node;
    static thread_local std::vector<Choice> choices;
    static thread_local std::vector<float> logits;
    search.list_choices(leaf, choices);
    judge.value(history, leaf, choices, logits);
    node.edges.reserve(choices.size());
    int cards = 0;
    for (Hand hand : leaf.hands) cards += doudizhu::card_count(hand);
    for (size_t i = 0; i < choices.size(); ++i) {
        const bool goes_out = !choices[i].is_pass() && choices[i].cards == leaf.hands[leaf.mover];
        const int left = cards - doudizhu::card_count(choices[i].cards);
        node.edges.push_back({choices[i], goes_out ? decided(is_landlords(leaf)) : first_numbers(logits[i], left)});
    }
    return node;
}

void ProofTree::decide(Entry& entry, Search& search) {
    Node& node = entry.second;
    search.record(entry.first, node.numbers.answer() == Answer::kWon, node.visits * settings_.leaf_nodes);
    if (node.workers) return;  // others still hold its edges
    bytes_ -= bytes_of(node);
    const Answer wanted = to_answer(is_landlords(entry.first));
    std::vector<Edge> kept;
    for (const Edge& edge : node.edges) {
        if (kept.empty() && edge.numbers.answer() == wanted) kept.push_back(edge);
    }
    node.edges = std::move(kept);
    bytes_ += bytes_of(node);
}

void ProofTree::update(std::vector<Step>& path, Numbers numbers, Search& search) {
    for (size_t i = path.size(); i-- > 0;) {
        Entry& entry = *path[i].entry;
        Node& node = entry.second;
        if (node.numbers.answer() == Answer::kUnknown) {
            node.edges[path[i].edge].numbers = numbers;
            node.numbers = sum_up(entry);
            if (node.numbers.answer() != Answer::kUnknown) decide(entry, search);
        }
        numbers = node.numbers;
    }
}

void ProofTree::attach(const State& leaf, Node node, Search& search, std::vector<Step>& path) {
    for (Step& step : path) {
        ++step.entry->second.visits;
        --step.entry->second.workers;
        --step.entry->second.edges[step.edge].workers;
    }
    if (search.is_halted() && node.edges.empty() && node.numbers.answer() == Answer::kUnknown) return;
    ++leaves_;
    const auto [place, is_new] = nodes_.try_emplace(leaf, std::move(node));
    Entry& entry = *place;
    if (is_new) {
        bytes_ += bytes_of(entry.second);
        if (!entry.second.edges.empty()) entry.second.numbers = sum_up(entry);
        // No choice at all: lost for the mover.
        else if (entry.second.numbers.answer() == Answer::kUnknown) entry.second.numbers = decided(!is_landlords(leaf));
    }
    update(path, entry.second.numbers, search);
    if (bytes_ > max_bytes_) collect();
}

// Forgets the states that cost least to reach again, until half of the memory is free. Their numbers stay in the edges above.
void ProofTree::collect() {
    ++collections_;
    while (bytes_ > max_bytes_ / 2 && keep_visits_ < std::numeric_limits<uint32_t>::max() / 2) {
        for (auto it = nodes_.begin(); it != nodes_.end();) {
            if (it->second.workers || it->second.visits > keep_visits_) {
                ++it;
                continue;
            }
            bytes_ -= bytes_of(it->second);
            it = nodes_.erase(it);
        }
        keep_visits_ *= 2;
    }
    keep_visits_ = 1;
}

Answer ProofTree::prove(const Position& position, Search& search, Judge& judge) {
    judge.reset(position);
    const State state = search.state_of(position);
    std::vector<Step> path;
    std::unique_lock lock(mutex_);
    if (!nodes_.contains(state)) {
        lock.unlock();
        Node node = visit(state, {}, search, judge);
        lock.lock();
        attach(state, std::move(node), search, path);
    }
    const auto start = nodes_.find(state);
    if (start == nodes_.end()) return Answer::kUnknown;
    Entry& root = *start;
    ++root.second.workers;
    std::vector<Made> history;
    State leaf;
    while (!search.is_halted() && descend(root, search, path, leaf)) {
        history.clear();
        for (const Step& step : path) {
            history.push_back({step.entry->first.mover, step.entry->second.edges[step.edge].choice});
        }
        lock.unlock();
        Node node = visit(leaf, history, search, judge);
        lock.lock();
        attach(leaf, std::move(node), search, path);
    }
    --root.second.workers;
    search.set_limit(Search::kNoLimit);
    return root.second.numbers.answer();
}

std::optional<Choice> ProofTree::winning_choice(const Position& position, Search& search) {
    const std::lock_guard lock(mutex_);
    const auto node = nodes_.find(search.state_of(position));
    if (node == nodes_.end()) return std::nullopt;
    const Answer wanted = to_answer(is_landlords(node->first));
    for (const Edge& edge : node->second.edges) {
        if (edge.numbers.answer() == wanted) return edge.choice;
    }
    return std::nullopt;
}

}  // namespace mingpai::endgame
