#include "native/doudizhu/perft.hpp"

#include <memory>

namespace mingpai::doudizhu {

uint64_t perft(State& state, int depth) {
    if (depth == 0 || state.is_over()) return 1;
    uint64_t total = 0;
    if (state.status.phase == Phase::Bid) {
        for (uint32_t bids = state.legal_bids(); bids; bids &= bids - 1) {
            const Status before = state.bid(core::lowest(bids));
            total += perft(state, depth - 1);
            state.undo_bid(before);
        }
        return total;
    }
    const auto moves = std::make_unique<MoveList>();
    state.legal_moves(*moves);
    if (depth == 1) return static_cast<uint64_t>(moves->size());
    for (const Move& move : *moves) {
        const Status before = state.play(move);
        total += perft(state, depth - 1);
        state.undo_play(move, before);
    }
    return total;
}

}  // namespace mingpai::doudizhu
