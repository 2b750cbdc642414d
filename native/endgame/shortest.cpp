#include "native/endgame/shortest.hpp"

namespace mingpai::endgame {

Answer ShortestWin::wins_within(const Position& position, int plies) {
    if (position.is_over()) return to_answer(position.has_landlord_won() == landlord_wins_);
    if (plies == 0) return Answer::kLost;
    const StateKey key = key_of(position);
    const Bounds known = known_[key];
    if (plies >= known.within) return Answer::kWon;
    if (plies <= known.not_within) return Answer::kLost;
    if (budget_.spend(1) || known_.size() > max_states_) return Answer::kUnknown;
    const Answer answer = decide(position, plies);
    Bounds& bounds = known_[key];
    if (answer == Answer::kWon) bounds.within = static_cast<uint8_t>(plies);
    if (answer == Answer::kLost) bounds.not_within = static_cast<uint8_t>(plies);
    return answer;
}

Answer ShortestWin::decide(const Position& position, int plies) {
    const bool is_winner = is_winners_turn(position);
    for (const Move& move : ordered_moves(position, rules_, search_)) {
        const Position child = position.after(move);
        if (is_winner && !child.is_over()) {
            const Answer verdict = search_.solve(child);
            if (verdict == Answer::kUnknown) return verdict;
            if (verdict != to_answer(landlord_wins_)) continue;
        }
        const Answer answer = wins_within(child, plies - 1);
        if (answer == Answer::kUnknown || answer == to_answer(is_winner)) return answer;
    }
    return to_answer(!is_winner);
}

std::vector<Ply> ShortestWin::line(const Position& root) {
    search_.resume();
    search_.set_limit(Search::kNoLimit);
    int plies = 1;
    for (Answer answer = Answer::kLost; answer == Answer::kLost; plies += answer == Answer::kLost) {
        if (plies == kNoBound) return {};
        answer = wins_within(root, plies);
        if (answer == Answer::kUnknown) return {};
    }
    std::vector<Ply> line;
    for (Position position = root; !position.is_over(); --plies) {
        const bool is_winner = is_winners_turn(position);
        std::vector<Move> choices;
        for (const Move& move : ordered_moves(position, rules_, search_)) {
            const Position child = position.after(move);
            if (is_winner && !child.is_over() && search_.solve(child) != to_answer(landlord_wins_)) continue;
            // The winner takes a move that keeps the distance, the loser one that leaves no shorter one.
            const Answer wanted = to_answer(is_winner);
            const Answer answer = wins_within(child, is_winner ? plies - 1 : plies - 2);
            if (answer == Answer::kUnknown) return {};
            if (answer == wanted) {
                choices.push_back(move);
                break;
            }
        }
        if (choices.empty()) return {};
        line.push_back({position.turn, choices.front()});
        position = position.after(choices.front());
    }
    return line;
}

}  // namespace mingpai::endgame
