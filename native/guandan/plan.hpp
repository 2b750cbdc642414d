// The plan of a hand: how cheaply its cards can be grouped into plays. The ground of the rule bots.
//
// Each group costs about one lead that must be gained elsewhere; a group that wins its trick gives a lead back and costs
// less, a bomb less than nothing. The cost of a hand is the least sum over groupings.
#pragma once
#include "native/guandan/moves.hpp"

namespace mingpai::guandan {

// Cost of every group, filled in by the bot from what it knows.
struct Costs {
    float single[kPlayRanks];
    float pair[kPlayRanks];
    float triple[kRanks];
    float full_house[kRanks];  // the pair rides along
    float plate[kPlateStarts];
    float tube[kTubeStarts];
    float straight[kRunStarts];
    float bomb[kMaxBomb + 1];  // by size
    float straight_flush;
    float joker_bomb;
};

// One play of a plan.
struct Group {
    Type type;
    uint8_t rank;  // as plays name it
    uint8_t size;
};
// The cheapest grouping found for a hand.
struct Plan {
    float cost = 0;
    int count = 0;
    std::array<Group, kHandSize> groups;

    void add(Type type, int rank, int size) { groups[static_cast<size_t>(count++)] = {type, static_cast<uint8_t>(rank), static_cast<uint8_t>(size)}; }
};

class Planner {
  public:
    // `nodes`: how many ways of taking sequences out are tried for each choice of straight flushes.
    Planner(const Costs& costs, int level, int nodes) : costs_(costs), level_(level), nodes_(nodes) {}

    // The least cost found for a hand.
    float cost(const Cards& hand);
    // The same with its groups.
    Plan plan(const Cards& hand);

  private:
    static constexpr int kMostSequences = kHandSize / kRunLength;
    struct Ranks {
        uint64_t counts;  // a nibble a rank, wild cards left out
        int wilds;
    };
    void search(const Ranks& ranks, float spent, int from);
    float rest_cost(const Ranks& ranks) const;
    // A grouping as the search found it: straight flush (its first rank, or none), sequences by number, what is left.
    struct Found {
        Ranks ranks{};
        int flush = kNobody;
        int count = 0;
        std::array<uint8_t, kMostSequences> sequences{};
    };
    // What wild cards were made of: ranks with them placed, and those that stay alone.
    struct Placed {
        uint64_t counts;
        int alone;
    };
    template <class Add>
    float groups_cost(uint64_t counts, Add&& add) const;
    float groups_cost(uint64_t counts) const;
    float place_wilds(uint64_t counts, int wilds, Placed* placed = nullptr) const;
    float jokers_cost(const Cards& hand, Plan* plan = nullptr) const;
    void try_flushes(const Cards& natural, int wilds, float spent);

    const Costs& costs_;
    int level_;
    int nodes_;
    int left_ = 0;
    float best_ = 0;
    Found found_, trying_;
};

}  // namespace mingpai::guandan
