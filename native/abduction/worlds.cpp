#include "native/abduction/worlds.hpp"

#include <algorithm>

namespace mingpai::abduction {

using namespace guandan;

namespace {

// Draws by an estimate, or uniformly.
class Drawer {
  public:
    Drawer(const Knowledge& knowledge, const std::optional<Estimate>& estimate) : uniform_(knowledge) {
        if (estimate) sampler_.emplace(knowledge, *estimate);
    }
    bool is_possible() const { return uniform_.is_possible(); }
    Hands draw(core::Rng& rng) const { return sampler_ ? sampler_->sample(rng) : uniform_.sample(rng); }

  private:
    WorldSampler uniform_;
    std::optional<EstimateSampler> sampler_;
};

}  // namespace

std::vector<Hands> draw_worlds(const Round& round, const std::optional<Estimate>& estimate, int count, uint64_t seed) {
    const Drawer drawer(Knowledge(round, round.turn()), estimate);
    if (!drawer.is_possible()) return {};
    core::Rng rng(seed);
    std::vector<Hands> worlds;
    for (int w = 0; w < count; ++w) worlds.push_back(drawer.draw(rng));
    return worlds;
}

std::vector<Hands> redraw_worlds(const Round& round, const std::optional<Estimate>& estimate, const std::vector<Hands>& worlds, unsigned kept, int each,
                                 uint64_t seed) {
    core::Rng rng(seed);
    const Knowledge known(round, round.turn());
    std::vector<Hands> out;
    for (const Hands& world : worlds) {
        Knowledge more = known;
        for (size_t seat = 0; seat < kSeats; ++seat) {
            if (!(kept >> seat & 1) || static_cast<int>(seat) == known.seat) continue;
            more.held[seat] = world[seat];
            more.barred[seat] = ~0ULL;
        }
        const Drawer drawer(more, estimate);
        for (int i = 0; i < each; ++i) out.push_back(i > 0 && drawer.is_possible() ? drawer.draw(rng) : world);
    }
    return out;
}

namespace {

// The places of the last plays of some seats among the steps, oldest first.
std::vector<size_t> last_plays(const Round& round, int plays, unsigned seats) {
    std::array<int, kSeats> left{};
    for (size_t seat = 0; seat < kSeats; ++seat) left[seat] = seats >> seat & 1 ? plays : 0;
    std::vector<size_t> places;
    for (size_t i = round.steps().size(); i-- > 0;) {
        const Step& step = round.steps()[i];
        if (step.play.type == Type::Tribute || step.play.type == Type::Return) break;
        if (left[static_cast<size_t>(step.seat)]-- > 0) places.push_back(i);
    }
    std::reverse(places.begin(), places.end());
    return places;
}

// The hands at an earlier position of the same round: what was played since is held again.
Hands hands_at(const RoundStatus& then, const RoundStatus& now, const Hands& hands) {
    Hands out;
    for (size_t seat = 0; seat < kSeats; ++seat) out[seat] = hands[seat] + (now.played[seat] - then.played[seat]);
    return out;
}

}  // namespace

Hindsight look_back(const Round& round, const std::vector<Hands>& worlds, int plays, unsigned seats) {
    const std::vector<size_t> places = last_plays(round, plays, seats);
    Hindsight out;
    if (places.empty()) return out;
    Round then = round.restarted(round.status().hands, round.status());
    size_t at = 0;
    for (size_t i = 0; i < places.size(); ++i) {
        for (; at < places[i]; ++at) then.apply(round.steps()[at].play);
        then.forget();
        for (size_t w = 0; w < worlds.size(); ++w) {
            Round position = then.with_hands(hands_at(then.status(), round.status(), worlds[w]));
            if (position.legal_mask().count() < 2) continue;
            out.positions.push_back(std::move(position));
            out.world.push_back(static_cast<int32_t>(w));
            out.step.push_back(static_cast<int32_t>(i));
            out.played.push_back(pseudo_index(round.steps()[places[i]].play));
        }
    }
    return out;
}

}  // namespace mingpai::abduction
