#include "native/abduction/worlds.hpp"

#include <algorithm>

namespace mingpai::abduction {

using namespace guandan;

std::vector<Hands> draw_worlds(const Round& round, const std::optional<Estimate>& estimate, int count, uint64_t seed) {
    const Knowledge knowledge(round, round.turn());
    const WorldSampler uniform(knowledge);
    if (!uniform.is_possible()) return {};
    const std::optional<EstimateSampler> sampler = estimate ? std::optional<EstimateSampler>(std::in_place, knowledge, *estimate) : std::nullopt;
    core::Rng rng(seed);
    std::vector<Hands> worlds;
    for (int w = 0; w < count; ++w) worlds.push_back(sampler ? sampler->sample(rng) : uniform.sample(rng));
    return worlds;
}

namespace {

// The places of the last plays of the others among the steps, oldest first.
std::vector<size_t> last_plays(const Round& round, int plays) {
    std::array<int, kSeats> left;
    left.fill(plays);
    left[static_cast<size_t>(round.turn())] = 0;
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

Hindsight look_back(const Round& round, const std::vector<Hands>& worlds, int plays) {
    const std::vector<size_t> places = last_plays(round, plays);
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
