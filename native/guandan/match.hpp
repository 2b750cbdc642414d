// A match: rounds from level 2 to beyond A. Keeps the score; rounds are played elsewhere.
#pragma once
#include "native/guandan/round.hpp"

namespace mingpai::guandan {

enum class Result : uint8_t { Open, Even, Odd, Draw };  // seats 0 and 2 won, seats 1 and 3 won, drawn by demotions

// Ranks of levels in the order of promotion are 2 3 ... K A; a level is stored as its rank.
class Match {
  public:
    explicit Match(const Profile& profile) : profile_(&profile) {}
    Match(const Profile& profile, int even_level, int odd_level) : profile_(&profile), levels_{even_level, odd_level} {}

    const Profile& profile() const { return *profile_; }
    // Rank of the level of a team (0: seats 0 and 2).
    int level(int team) const { return levels_[team]; }
    // How often the team has failed at A since it came there.
    int failures(int team) const { return failures_[team]; }
    int demotions() const { return demotions_; }
    int rounds() const { return rounds_; }
    // The level of the next round.
    int round_level() const;
    // Whether a round of now is the team's own: only in such a round can it win or fail at A.
    bool is_own_round(int team) const;
    Result result() const { return result_; }
    bool is_over() const { return result_ != Result::Open; }

    // Counts a finished round.
    void record(const std::array<int8_t, kSeats>& order);
    // The next round with these hands: the first is led by `leader`, the others start with tribute.
    Round next_round(const std::array<Cards, kSeats>& hands, int leader) const;

  private:
    void fail(int team);

    const Profile* profile_;
    std::array<int, 2> levels_{kTwo, kTwo};
    std::array<int, 2> failures_{0, 0};
    std::array<int8_t, kSeats> order_{kNobody, kNobody, kNobody, kNobody};
    int winner_ = kNobody;
    int demotions_ = 0;
    int rounds_ = 0;
    Result result_ = Result::Open;
};

// Place of a level from 2 (0) to A (12), and back.
constexpr int level_step(int rank) { return (rank + kRanks - 1) % kRanks; }
constexpr int level_rank(int step) { return (step + 1) % kRanks; }

}  // namespace mingpai::guandan
