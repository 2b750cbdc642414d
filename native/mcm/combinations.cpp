#include "native/mcm/combinations.hpp"

#include <algorithm>
#include <set>

#include "native/core/rng.hpp"

namespace mingpai::mcm {

namespace {

// Splits that are listed before some of them are drawn; more are hardly ever there.
constexpr size_t kListed = 1000;

using Split = std::vector<int32_t>;

class Listing {
  public:
    Listing(const ruleplay::Splitter& splitter, Hand hand, const std::vector<Move>& legal, const CombinationSettings& settings)
        : splitter_(splitter), hand_(hand), legal_(legal), settings_(settings), turns_(splitter.min_turns(hand)) {}

    Combinations run() {
        const bool follows = std::ranges::any_of(legal_, [](const Move& move) { return move.is_pass(); });
        if (follows) {
            list_answers();
        } else {
            list(Move{}, hand_, turns_ + settings_.slack);
        }
        if (splits_.empty()) list(Move{}, hand_, turns_);
        draw();
        if (follows) add_pass();
        return std::move(out_);
    }

  private:
    // Every move that beats the last one, with every way to split the rest.
    void list_answers() {
        for (const Move& move : legal_) {
            if (move.is_pass() || !splitter_.is_in_small_partition(hand_, move, turns_, settings_.slack)) continue;
            list(move, hand_ - move.cards, turns_ + settings_.slack - 1);
        }
    }

    void list(const Move& first, Hand rest, int parts) {
        for (const std::vector<Move>& part : splitter_.partitions(rest, parts, kListed)) {
            Split split;
            if (!first.is_pass()) split.push_back(group_of(first));
            for (const Move& move : part) split.push_back(group_of(move));
            std::ranges::sort(split);
            splits_.insert(std::move(split));
        }
    }

    int32_t group_of(const Move& move) {
        const auto known = std::ranges::find(groups_, move);
        if (known != groups_.end()) return static_cast<int32_t>(known - groups_.begin());
        groups_.push_back(move);
        return static_cast<int32_t>(groups_.size() - 1);
    }

    // Keeps as many splits as are asked for, drawn by the hand alone, and the groups that are in them.
    void draw() {
        std::vector<Split> kept(splits_.begin(), splits_.end());
        core::Rng rng(hand_);
        const auto most = static_cast<size_t>(settings_.most);
        for (size_t i = 0; i < most && kept.size() > most; ++i) {
            std::swap(kept[i], kept[i + rng.below(static_cast<uint32_t>(kept.size() - i))]);
        }
        kept.resize(std::min(kept.size(), most));
        std::vector<int32_t> renamed(groups_.size(), -1);
        for (Split& split : kept) {
            for (int32_t& group : split) group = kept_group(renamed, group);
            out_.splits.push_back(std::move(split));
        }
    }

    int32_t kept_group(std::vector<int32_t>& renamed, int32_t group) {
        int32_t& name = renamed[static_cast<size_t>(group)];
        if (name < 0) {
            name = static_cast<int32_t>(out_.groups.size());
            add_group(groups_[static_cast<size_t>(group)]);
        }
        return name;
    }

    void add_group(const Move& move) {
        const auto playable = std::ranges::find(legal_, move);
        out_.groups.push_back(move);
        out_.choices.push_back(playable == legal_.end() ? -1 : static_cast<int32_t>(playable - legal_.begin()));
    }

    void add_pass() {
        const auto pass = static_cast<int32_t>(out_.groups.size());
        add_group(Move{});
        for (Split& split : out_.splits) split.push_back(pass);
    }

    const ruleplay::Splitter& splitter_;
    const Hand hand_;
    const std::vector<Move>& legal_;
    const CombinationSettings& settings_;
    const int turns_;
    std::vector<Move> groups_;
    std::set<Split> splits_;
    Combinations out_;
};

}  // namespace

Combinations combinations(const ruleplay::Splitter& splitter, Hand hand, const std::vector<Move>& legal,
                          const CombinationSettings& settings) {
    return Listing(splitter, hand, legal, settings).run();
}

}  // namespace mingpai::mcm
