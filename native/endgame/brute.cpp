#include "native/endgame/brute.hpp"

#include <algorithm>

#include "native/core/rng.hpp"
#include "native/endgame/solver.hpp"

namespace mingpai::endgame {
namespace {

int cards_in(const Position& position) {
    int cards = 0;
    for (Hand hand : position.hands) cards += doudizhu::card_count(hand);
    return cards;
}

}  // namespace

Answer BruteForce::solve(const Position& position, uint64_t limit) {
    nodes_ = 0;
    limit_ = limit;
    return visit(position, 0);
}

Answer BruteForce::visit(const Position& position, size_t depth) {
    if (position.is_over()) return to_answer(position.has_landlord_won());
    if (++nodes_ > limit_) return Answer::kUnknown;
    if (depth == lists_.size()) lists_.push_back(std::make_unique<MoveList>());
    MoveList& moves = *lists_[depth];
    position.legal_moves(rules_, moves);
    const Answer wanted = to_answer(position.is_landlords_turn());
    for (const Move& move : moves) {
        const Answer answer = visit(position.after(move), depth + 1);
        if (answer == wanted || answer == Answer::kUnknown) return answer;
    }
    return opposite(wanted);
}

Position random_position(int players, int max_cards, uint64_t seed) {
    core::Rng rng(seed);
    Position position;
    position.players = players;
    std::vector<int> deck;
    const auto fill = [&] {
        deck.clear();
        const bool is_whole = rng.below(3) == 0;
        const int low = static_cast<int>(rng.below(10)), width = 3 + static_cast<int>(rng.below(11));
        for (int rank = 0; rank < doudizhu::kRanks; ++rank) {
            const bool is_inside = rank >= low && rank < low + width;
            const bool is_top = rank >= doudizhu::kTwo && rng.below(2);
            if (is_whole || is_inside || is_top) deck.insert(deck.end(), doudizhu::count_of(doudizhu::kFullDeck, rank), rank);
        }
    };
    size_t needed;
    int sizes[kMaxPlayers];
    do {
        fill();
        needed = 0;
        for (int seat = 0; seat < players; ++seat) {
            sizes[seat] = 1 + static_cast<int>(rng.below(static_cast<uint32_t>(max_cards)));
            needed += static_cast<size_t>(sizes[seat]);
        }
    } while (deck.size() < needed);
    rng.shuffle(deck.data(), static_cast<uint32_t>(deck.size()));
    auto card = deck.begin();
    for (int seat = 0; seat < players; ++seat) {
        for (int i = 0; i < sizes[seat]; ++i) position.hands[seat] += doudizhu::cards_of(*card++);
    }
    position.turn = static_cast<uint8_t>(rng.below(static_cast<uint32_t>(players)));
    return position;
}

CheckReport cross_check(const CheckPlan& plan, const Rules& rules, const Pruning& pruning, core::Budget& budget) {
    constexpr size_t kMemory = size_t{64} << 20;
    CheckReport report;
    BruteForce brute(rules);
    Engine engine(kMemory, pruning);
    MoveList moves;
    const auto differs = [&](const Position& position) {
        const Answer truth = brute.solve(position, plan.brute_limit);
        if (truth == Answer::kUnknown) {
            ++report.skipped;
            return false;
        }
        ++(position.is_lead() && cards_in(position) == cards_in(engine.root()) ? report.positions : report.states);
        if (engine.search(budget).solve(position) == truth) return false;
        if (report.mismatches++ == 0 || cards_in(position) < cards_in(report.example)) report.example = position;
        return true;
    };
    for (uint64_t i = 0; i < plan.count && !budget.is_exhausted(); ++i) {
        const uint64_t seed = core::stream_seed(plan.seed, i);
        Position position = random_position(plan.players, plan.max_cards, seed);
        engine.set_root(position, rules);
        core::Rng rng(core::stream_seed(seed, 0));
        // The root, then states along a random game, most of them with a move to beat.
        while (!position.is_over() && !differs(position)) {
            position.legal_moves(rules, moves);
            position = position.after(moves[static_cast<int>(rng.below(static_cast<uint32_t>(moves.size())))]);
        }
    }
    return report;
}

}  // namespace mingpai::endgame
