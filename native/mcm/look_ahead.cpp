#include "native/mcm/look_ahead.hpp"

#include <algorithm>
#include <cassert>
#include <stdexcept>

#include "native/core/budget.hpp"

namespace mingpai::mcm {

LookAhead::LookAhead(std::shared_ptr<const Network> network, std::shared_ptr<const Network> judge, const ruleplay::Weights& weights)
    : network_(std::move(network)), judge_(std::move(judge)), weights_(weights) {
    if (network_->is_open()) throw std::invalid_argument("network: a player cannot see the other hands");
    if (!judge_->is_open()) throw std::invalid_argument("judge: expected a network that sees the other hands");
}

LookAhead::Group& LookAhead::group_of(std::vector<Group>& groups, const doudizhu::Rules& rules, Objective objective) const {
    const auto found = std::ranges::find_if(groups, [&](const Group& g) { return g.rules == &rules && g.objective == objective; });
    return found != groups.end() ? *found : groups.emplace_back(&rules, objective);
}

std::vector<float> LookAhead::values(const Batch& batch, std::span<const int32_t> rows, int depth) {
    const std::vector<int32_t>& offsets = batch.offsets();
    std::vector<Group> groups;
    std::vector<int> tables(rows.size());
    for (size_t i = 0; i < rows.size(); ++i) {
        assert(rows[i] >= 0 && rows[i] < batch.options());
        const auto after = std::upper_bound(offsets.begin(), offsets.end(), rows[i]);
        tables[i] = static_cast<int>(after - offsets.begin()) - 1;
        Group& group = group_of(groups, batch.rules(tables[i]), batch.objective(tables[i]));
        group.deals.push_back({batch.table(tables[i])});
        group.deals.back().table.apply(batch.moves(tables[i])[static_cast<size_t>(rows[i] - offsets[static_cast<size_t>(tables[i])])]);
        group.places.push_back(i);
    }
    std::vector<float> out(rows.size());
    for (Group& group : groups) {
        NetworkPlayer player(*network_, judge_.get(), *group.rules, weights_);
        core::Budget budget;
        player.play_out(group.deals, group.objective, depth, budget);
        for (size_t i = 0; i < group.deals.size(); ++i) {
            const Play& before = batch.table(tables[group.places[i]]).play;
            out[group.places[i]] = static_cast<float>(result_of(group.deals[i], before.turn, before.bomb_doublings(*group.rules),
                                                                *group.rules, group.objective == Objective::Points));
        }
    }
    return out;
}

}  // namespace mingpai::mcm
