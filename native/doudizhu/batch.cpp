#include "native/doudizhu/batch.hpp"

#include <stdexcept>

namespace mingpai::doudizhu {
namespace {

State new_deal(core::Rng& rng, const Rules& rules, bool with_bidding) {
    const Deal deal = shuffled_deal(rng);
    return with_bidding ? State::start(deal, rules) : State::start_play(deal, rules, 0);
}

Move bid_as_choice(int bid) {
    Move choice;
    choice.rank = static_cast<uint8_t>(bid);
    return choice;
}

}  // namespace

Batch::Batch(int games, uint64_t seed, const Rules& rules, bool with_bidding)
    : rules_(rules), with_bidding_(with_bidding), states_(static_cast<size_t>(games)) {
    rngs_.reserve(states_.size());
    for (int game = 0; game < games; ++game) rngs_.emplace_back(core::stream_seed(seed, static_cast<uint64_t>(game)));
    reset();
}

void Batch::deal(int game) { states_[game] = new_deal(rngs_[game], rules_, with_bidding_); }

void Batch::reset() {
    for (int game = 0; game < games(); ++game) deal(game);
    list_choices();
}

void Batch::list_choices() {
    offsets_.assign(1, 0);
    choices_.clear();
    for (const State& state : states_) {
        if (state.status.phase == Phase::Bid) {
            for (uint32_t bids = state.legal_bids(); bids; bids &= bids - 1) {
                choices_.push_back(bid_as_choice(core::lowest(bids)));
            }
        } else if (state.status.phase == Phase::Play) {
            state.legal_moves(scratch_);
            choices_.insert(choices_.end(), scratch_.begin(), scratch_.end());
        }
        offsets_.push_back(static_cast<int64_t>(choices_.size()));
    }
}

void Batch::observe(uint8_t* planes, uint8_t* facts) const {
    for (const State& state : states_) {
        write_observation(state.view(state.status.turn), planes, facts);
        planes += kPlanes * kRanks;
        facts += kFacts;
    }
}

void Batch::step(const int32_t* actions) {
    for (int game = 0; game < games(); ++game) {
        const int64_t count = offsets_[game + 1] - offsets_[game];
        if (count && (actions[game] < 0 || actions[game] >= count)) throw std::out_of_range("action out of range");
    }
    for (int game = 0; game < games(); ++game) {
        State& state = states_[game];
        if (state.is_over()) continue;
        const Move& choice = choices_[offsets_[game] + actions[game]];
        if (state.status.phase == Phase::Bid) {
            state.bid(choice.rank);
        } else {
            state.play(choice);
        }
    }
    list_choices();
}

void Batch::step_with(Policy policy) {
    for (int game = 0; game < games(); ++game) {
        State& state = states_[game];
        if (state.status.phase == Phase::Bid) {
            state.bid(policy == Policy::Random ? random_bid(state, rngs_[game]) : greedy_bid(state));
        } else if (state.status.phase == Phase::Play) {
            state.legal_moves(scratch_);
            state.play(scratch_[policy == Policy::Random ? random_move(scratch_, rngs_[game]) : greedy_move(state, scratch_)]);
        }
    }
    list_choices();
}

int Batch::redeal() {
    int dealt = 0;
    for (int game = 0; game < games(); ++game) {
        if (!states_[game].is_over()) continue;
        deal(game);
        ++dealt;
    }
    if (dealt) list_choices();
    return dealt;
}

int simulate(int games, uint64_t seed, const Rules& rules, bool with_bidding, const std::array<Policy, kSeats>& policies,
             core::Budget& budget, Outcome* out) {
    core::Rng rng(seed);
    MoveList scratch;
    constexpr int kGamesPerCharge = 16;
    int uncharged = 0;
    for (int game = 0; game < games; ++game) {
        State state = new_deal(rng, rules, with_bidding);
        const int length = play_out(state, policies, rng, scratch);
        const auto points = state.points();
        const bool dealt = state.status.landlord != kNobody;
        out[game] = {static_cast<int8_t>(dealt ? state.status.landlord : -1),
                     static_cast<int8_t>(dealt ? state.status.turn : -1),
                     state.status.bombs,
                     static_cast<uint8_t>(dealt && state.is_spring()),
                     length,
                     {points[0], points[1], points[2]}};
        uncharged += length;
        if ((game + 1) % kGamesPerCharge) continue;
        if (budget.spend(static_cast<uint64_t>(uncharged))) return game + 1;
        uncharged = 0;
    }
    budget.spend(static_cast<uint64_t>(uncharged));
    return games;
}

}  // namespace mingpai::doudizhu
