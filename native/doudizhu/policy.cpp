#include "native/doudizhu/policy.hpp"

#include <algorithm>

namespace mingpai::doudizhu {

int random_move(const MoveList& moves, core::Rng& rng) {
    return static_cast<int>(rng.below(static_cast<uint32_t>(moves.size())));
}

int greedy_move(const State& state, const MoveList& moves) {
    const Status& status = state.status;
    const Hand hand = state.hands[status.turn];
    const bool leads = status.last.is_pass();
    const bool mate_owns = !leads && status.turn != status.landlord && status.owner != status.landlord;
    int best = moves.size() - 1;  // following, the pass; leading, any move will be better
    int best_score = leads ? -1000 : 0;
    for (int i = 0; i < moves.size(); ++i) {
        const Move& move = moves[i];
        if (move.cards == hand) return i;
        if (move.is_pass() || mate_owns) continue;
        if (!leads && move.is_bomb()) continue;
        const int score = leads ? 16 * move.size - move.rank - (move.is_bomb() ? 500 : 0) : 16 - move.rank;
        if (score > best_score) {
            best_score = score;
            best = i;
        }
    }
    return best;
}

int random_bid(const State& state, core::Rng& rng) {
    uint32_t bids = state.legal_bids();
    for (uint32_t skip = rng.below(static_cast<uint32_t>(core::popcount(bids))); skip > 0; --skip) bids &= bids - 1;
    return core::lowest(bids);
}

int bid_strength(Hand hand) {
    const int bombs = bombs_in(hand);
    return count_of(hand, kTwo) + count_of(hand, kSmallJoker) + count_of(hand, kBigJoker) + 2 * bombs;
}

int wanted_bid(Hand hand) {
    constexpr int kWorthBidding = 4;
    return std::clamp(bid_strength(hand) - kWorthBidding + 1, 0, kMaxBid);
}

int greedy_bid(const State& state) {
    const int wanted = wanted_bid(state.hands[state.status.turn]);
    if (state.rules.bidding == Bidding::CallRob) return wanted > 0;
    return state.legal_bids() >> wanted & 1 ? wanted : 0;
}

int play_out(State& state, const std::array<Policy, kSeats>& policies, core::Rng& rng, MoveList& scratch) {
    int made = 0;
    for (; state.status.phase == Phase::Bid; ++made) {
        state.bid(policies[state.status.turn] == Policy::Random ? random_bid(state, rng) : greedy_bid(state));
    }
    for (; !state.is_over(); ++made) {
        state.legal_moves(scratch);
        const int chosen =
            policies[state.status.turn] == Policy::Random ? random_move(scratch, rng) : greedy_move(state, scratch);
        state.play(scratch[chosen]);
    }
    return made;
}

}  // namespace mingpai::doudizhu
