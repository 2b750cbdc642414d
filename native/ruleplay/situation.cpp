#include "native/ruleplay/situation.hpp"

#include <cassert>
#include <stdexcept>

namespace mingpai::ruleplay {

using doudizhu::card_count;
using doudizhu::holds;
using doudizhu::without;

Situation::Situation(const Rules& rules, int role, Hand hand, std::array<uint8_t, kRoles> counts, Hand bottom, Hand deck,
                     std::vector<Observed> moves)
    : rules_(rules), role_(role), bottom_(bottom), moves_(std::move(moves)) {
    if (role < 0 || role >= kRoles) throw std::invalid_argument("role: expected 0, 1 or 2");
    World world;
    world.counts = counts;
    for (const Observed& seen : moves_) {
        world.counts[seen.role] = static_cast<uint8_t>(world.counts[seen.role] + seen.move.size);
    }
    std::array<Hand, kRoles> played{};
    for (const Observed& seen : moves_) {
        if (seen.role != world.turn) throw std::invalid_argument("moves: a role moves out of turn");
        if (!world.accepts(seen.move)) throw std::invalid_argument("moves: a move does not beat the one before it");
        before_.push_back(world);
        played_.push_back(played);
        played[seen.role] += seen.move.cards;
        world.play(seen.move);
        world.hands = {};
    }
    world.hands[role] = hand;
    before_.push_back(world);
    played_.push_back(played);
    const Hand gone = hand + played[0] + played[1] + played[2];
    if (!holds(deck, gone)) throw std::invalid_argument("more cards seen than the deck has");
    unseen_ = deck - gone;
    if (card_count(unseen_) != counts[first()] + counts[second()] || card_count(hand) != counts[role]) {
        throw std::invalid_argument("counts: they do not add up to the cards of the deck");
    }
    known_ = role == kLandlord ? 0 : without(bottom, played[kLandlord]);
    if (!holds(unseen_, known_)) throw std::invalid_argument("bottom: its cards are seen elsewhere");
    hidden_ = unseen_ + played[first()] + played[second()] - (role == kLandlord ? 0 : bottom);
}

World Situation::world_with(Hand first_hand) const {
    assert(holds(unseen_, first_hand) && card_count(first_hand) == now().counts[first()]);
    World world = now();
    world.hands[first()] = first_hand;
    world.hands[second()] = unseen_ - first_hand;
    return world;
}

}  // namespace mingpai::ruleplay
