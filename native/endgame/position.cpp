#include "native/endgame/position.hpp"

#include <cassert>

namespace mingpai::endgame {

const char* find_fault(const Position& position, const Rules& rules) {
    if (position.players != 2 && position.players != 3) return "two or three players";
    Hand all = 0;
    for (int seat = 0; seat < position.players; ++seat) {
        const Hand hand = position.hands[seat];
        if (!doudizhu::is_hand(hand)) return "a hand has at most four cards of a rank and one of each joker";
        if (hand == 0) return "every hand has at least one card";
        if (doudizhu::card_count(hand) > doudizhu::kMaxHandCards) return "a hand has at most 20 cards";
        all += hand;
    }
    if (!position.is_lead()) all += position.last.cards;
    for (int rank = 0; rank < doudizhu::kRanks; ++rank) {
        if (doudizhu::count_of(all, rank) > doudizhu::count_of(doudizhu::kFullDeck, rank)) {
            return "the hands and the last move together are at most one deck";
        }
    }
    if (position.turn >= position.players) return "the seat to move is one of the players";
    if (position.is_lead()) return nullptr;
    if (position.owner >= position.players) return "the last move was made by one of the players";
    if (position.owner == position.turn) return "the seat to move is not the one that made the last move";
    if (!doudizhu::is_legal(position.last.cards, position.last, Move{}, rules)) return "the last move exists under the rules";
    return nullptr;
}

StateKey key_of(const Position& position) {
    assert(position.turn < position.players);
    StateKey key;
    key.hands = position.hands;
    const Move& last = position.last;
    key.rest = static_cast<uint32_t>(position.turn) | static_cast<uint32_t>(position.left_to_answer()) << 2 |
               static_cast<uint32_t>(last.type) << 4 | static_cast<uint32_t>(last.rank) << 12 |
               static_cast<uint32_t>(last.length) << 16;
    return key;
}

size_t StateKeyHash::operator()(const StateKey& key) const {
    uint64_t x = key.rest;
    for (Hand hand : key.hands) {
        x = (x ^ hand) * 0x9E3779B97F4A7C15ULL;
        x ^= x >> 32;
    }
    return static_cast<size_t>(x);
}

}  // namespace mingpai::endgame
