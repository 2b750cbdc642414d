#include "native/doudizhu/features.hpp"

namespace mingpai::doudizhu {

void write_observation(const View& view, uint8_t* planes, uint8_t* facts) {
    const Status& status = view.status;
    const int me = view.seat, next = next_seat(me), previous = next_seat(next);
    const Hand cards[kPlanes] = {view.hand,         view.unseen(),         view.played[me],
                                 view.played[next], view.played[previous], view.bottom,
                                 view.known_of_landlord(), status.last.cards};
    for (const Hand hand : cards) {
        for (int rank = 0; rank < kRanks; ++rank) *planes++ = static_cast<uint8_t>(count_of(hand, rank));
    }
    facts[kPhase] = static_cast<uint8_t>(status.phase);
    facts[kRole] = status.landlord == kNobody ? kNobody : static_cast<uint8_t>(role_of(me, status.landlord));
    facts[kMyCards] = view.counts[me];
    facts[kNextCards] = view.counts[next];
    facts[kPreviousCards] = view.counts[previous];
    facts[kToBeatType] = static_cast<uint8_t>(status.last.type);
    facts[kToBeatRank] = status.last.rank;
    facts[kToBeatLength] = status.last.length;
    facts[kToBeatOwner] = status.last.is_pass() ? kNobody : static_cast<uint8_t>(role_of(status.owner, me));
    facts[kBombs] = status.bombs;
    facts[kBid] = status.bid;
}

}  // namespace mingpai::doudizhu
