#include "native/endgame/strategy.hpp"

#include <algorithm>
#include <memory>

namespace mingpai::endgame {
namespace {

// A move's place among the legal moves, low seven bits first.
void put(std::vector<uint8_t>& bytes, uint32_t value) {
    for (; value >= 128; value >>= 7) bytes.push_back(static_cast<uint8_t>(value | 128));
    bytes.push_back(static_cast<uint8_t>(value));
}

std::optional<uint32_t> get(const std::vector<uint8_t>& bytes, size_t& at) {
    constexpr int kMostBits = 28;
    uint32_t value = 0;
    for (int shift = 0; shift < kMostBits; shift += 7) {
        if (at == bytes.size()) return std::nullopt;
        const uint8_t byte = bytes[at++];
        value |= static_cast<uint32_t>(byte & 127) << shift;
        if (byte < 128) return value;
    }
    return std::nullopt;
}

// A fixed order that does not depend on how the rules engine lists moves.
std::vector<Move> sorted_moves(const Position& position, const Rules& rules) {
    static thread_local MoveList list;
    position.legal_moves(rules, list);
    std::vector<Move> moves(list.begin(), list.end());
    std::sort(moves.begin(), moves.end(), [](const Move& a, const Move& b) {
        if (a.type != b.type) return a.type < b.type;
        if (a.length != b.length) return a.length < b.length;
        if (a.rank != b.rank) return a.rank < b.rank;
        return a.cards < b.cards;
    });
    return moves;
}

}  // namespace

template <class Choose>
bool Strategy::walk(const Position& position, Choose choose) {
    if (position.is_over()) return position.has_landlord_won() == landlord_wins_;
    const StateKey key = key_of(position);
    if (is_winners_turn(position)) {
        if (replies_.contains(key)) return true;
        const std::vector<Move> moves = sorted_moves(position, rules_);
        const std::optional<uint32_t> index = choose(position, moves);
        if (!index || *index >= moves.size()) return false;
        put(bytes_, *index);
        replies_.emplace(key, moves[*index]);
        return walk(position.after(moves[*index]), choose);
    }
    if (!seen_.emplace(key, true).second) return true;
    for (const Move& move : sorted_moves(position, rules_)) {
        if (!walk(position.after(move), choose)) return false;
    }
    return true;
}

std::optional<Strategy> Strategy::build(const Position& root, const Rules& rules, bool landlord_wins, size_t memory,
                                        size_t max_positions, core::Budget& budget) {
    Engine engine(memory);
    engine.set_root(root, rules);
    Search& search = engine.search(budget);
    Strategy out(root, rules, landlord_wins);
    const Answer wanted = to_answer(landlord_wins);
    const auto choose = [&](const Position& position, const std::vector<Move>& moves) -> std::optional<uint32_t> {
        if (out.replies_.size() >= max_positions) return std::nullopt;
        for (const Move& move : ordered_moves(position, rules, search)) {
            if (search.solve_move(position, move) == wanted) {
                return static_cast<uint32_t>(std::find(moves.begin(), moves.end(), move) - moves.begin());
            }
            if (search.is_halted()) return std::nullopt;
        }
        return std::nullopt;
    };
    if (!out.walk(root, choose)) return std::nullopt;
    out.seen_.clear();
    return out;
}

std::optional<Strategy> Strategy::read(const Position& root, const Rules& rules, bool landlord_wins,
                                       const std::vector<uint8_t>& bytes) {
    Strategy out(root, rules, landlord_wins);
    size_t at = 0;
    const bool is_sound = out.walk(root, [&](const Position&, const std::vector<Move>&) { return get(bytes, at); });
    if (!is_sound || at != bytes.size()) return std::nullopt;
    out.seen_.clear();
    return out;
}

std::vector<uint8_t> Strategy::write() const { return bytes_; }

std::optional<Move> Strategy::reply(const Position& position) const {
    const auto reply = replies_.find(key_of(position));
    return reply == replies_.end() ? std::nullopt : std::optional(reply->second);
}

}  // namespace mingpai::endgame
