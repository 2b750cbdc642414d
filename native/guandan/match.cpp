#include "native/guandan/match.hpp"

#include <cassert>

namespace mingpai::guandan {

int Match::round_level() const {
    const int higher = level_step(levels_[0]) >= level_step(levels_[1]) ? 0 : 1;
    if (profile_->round_level == RoundLevel::Higher || winner_ == kNobody) return levels_[higher];
    return levels_[winner_];
}

bool Match::is_own_round(int team) const {
    if (profile_->round_level == RoundLevel::Higher || winner_ == kNobody) return levels_[team] == round_level();
    return team == winner_;
}

void Match::fail(int team) {
    assert(levels_[team] == kAce);
    if (++failures_[team] < profile_->failures) return;
    failures_[team] = 0;
    levels_[team] = kTwo;
    ++demotions_;
    if (profile_->demotions && demotions_ >= profile_->demotions) result_ = Result::Draw;
}

void Match::record(const std::array<int8_t, kSeats>& order) {
    constexpr int kTop = kRanks - 1;  // the step of A
    assert(!is_over() && (1 << order[0] | 1 << order[1] | 1 << order[2] | 1 << order[3]) == (1 << kSeats) - 1);
    const int winner = team_of(order[0]), won = points(order);
    const int needed = profile_->win_at_a == WinAtA::FirstAndSecond ? 3 : 2;
    const bool was_at_ace = levels_[winner] == kAce;
    ++rounds_;
    for (int team : {0, 1}) {
        if (levels_[team] != kAce || !is_own_round(team)) continue;
        if (team == winner && won >= needed) {
            result_ = team == 0 ? Result::Even : Result::Odd;
        } else if (profile_->fail_at_a == FailAtA::NotWon || (team == winner && won == 1)) {
            fail(team);
        }
    }
    if (!is_over() && !was_at_ace) {
        levels_[winner] = level_rank(std::min(level_step(levels_[winner]) + won, kTop));
    }
    winner_ = winner;
    order_ = order;
}

Round Match::next_round(const std::array<Cards, kSeats>& hands, int leader) const {
    if (winner_ == kNobody) return Round(*profile_, hands, round_level(), leader);
    return Round(*profile_, hands, round_level(), order_);
}

}  // namespace mingpai::guandan
