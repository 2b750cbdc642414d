// What the two-handed and the three-handed search share: counting and limits, candidates, and the order of work at a node.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <vector>

#include "native/core/budget.hpp"
#include "native/endgame/control.hpp"
#include "native/endgame/hands.hpp"
#include "native/endgame/position.hpp"
#include "native/endgame/answer_table.hpp"

namespace mingpai::endgame {

// The pruning rules. Each can be switched off, to check the others alone. Beside each rule: the positions on which it alone was
// compared with brute force, in two-handed and again in three-handed play, over four rule profiles, without a difference; inner
// states of those positions, six to seven times as many, are not counted. All rules together: 250,000 and 250,000. The checks are
// tests/methods/endgame/test_soundness.py (make verify), with fresh seeds in every run.
struct Pruning {
    bool finish = true;     // a move on which an opponent goes out at once is lost                           80,000
    bool gap = true;        // of two cards that the same answers beat, the lower isolated one is spent       80,000
    bool kickers = true;    // of two kickers, the lower isolated one is spent                                80,000
    bool canonical = true;  // positions that differ only by ranks nobody holds share an entry                80,000
    bool ranges = true;     // a result holds for all easier, or all harder, moves to beat                    80,000
    bool control = true;    // the control test                                                               80,000
    bool raised = true;     // lost with a group raised: lost; won against a group raised: won                80,000
    int raised_cards = 12;  // ... where all hands have so many cards: smaller positions are searched as fast
    bool staged = false;    // growing node limits below the root too; 20,000 under one profile
};

// Gap dominance, for singles and pairs. Of two ranks that meet the same answers the lower is spent, if it stands alone: the hand
// that is left is then the other one with an isolated group raised.
struct GapRole {
    bool may_skip;   // this rank may be the higher one, and need not be tried
    bool may_stand;  // this rank may be the lower one
};
inline GapRole gap_role(const HandInfo& hand, const Raising& raising, Class cls, int rank) {
    const uint32_t bit = 1u << rank;
    const uint32_t whole = cls == kSingle ? hand.ones : hand.twos;
    const uint32_t partial = cls == kSingle && raising.onto_held ? hand.twos : 0;
    GapRole role;
    role.may_stand = (whole & hand.isolated & bit) && (cls == kSingle || raising.pairs);
    role.may_skip = ((whole | partial) & bit) && (cls == kSingle || raising.pairs);
    // Raising a card to a joker beside the other one makes a rocket of them, which some rules bar as kickers.
    if (rank >= doudizhu::kSmallJoker && hand.has_rocket()) role.may_skip = role.may_skip && raising.to_second_joker;
    return role;
}

// Comparison of positions. A hand is never worse with an isolated single or pair raised to a rank that it does not hold: every move
// with the group has its like above, which the same moves or fewer answer. So a position is lost for the owner if it is lost
// with the group raised, and the table may know that: all ranks that the owner has played from are places for the group. A farmer
// may want to be beaten by his mate, so for him nobody else may hold a rank from the one to the other (`walls`).
class RaisedKeys {
  public:
    // `key` is linear in the number of the hand, which counts `weight` times in it.
    RaisedKeys(uint64_t key, uint64_t weight, const HandTable& table, const HandInfo& hand, RankMask walls) {
        add_groups(key, weight, 1, table, hand.ones & hand.isolated, hand.held, walls);
        if (table.raising().pairs) add_groups(key, weight, 2, table, hand.twos & hand.isolated, hand.held, walls);
    }
    void prefetch(const AnswerTable& table) const {
        for (int i = 0; i < count_; ++i) table.prefetch(keys_[i]);
    }
    // Is the answer to one of the positions known to be this one?
    bool have(const AnswerTable& table, int threshold, Answer answer) const {
        for (int i = 0; i < count_; ++i) {
            if (table.probe(keys_[i], threshold).answer == answer) return true;
        }
        return false;
    }

  private:
    static constexpr int kMost = 16;
    static constexpr RankMask kPlaces = (1u << doudizhu::kSmallJoker) - 1;  // a joker may make a rocket, so none is moved

    void add_groups(uint64_t key, uint64_t weight, int copies, const HandTable& table, RankMask groups, RankMask held,
                    RankMask walls) {
        const RankMask places = table.root_ranks(copies) & ~held & kPlaces;
        for (groups &= kPlaces; groups; groups &= groups - 1) {
            const int rank = core::lowest(groups);
            const RankMask ahead = walls >> rank << rank;
            const RankMask open = ahead ? (1u << core::lowest(ahead)) - 1 : kPlaces;
            for (RankMask to = doudizhu::above(places, rank) & open; to && count_ < kMost; to &= to - 1) {
                const uint64_t higher = table.stride(core::lowest(to)) - table.stride(rank);
                keys_[count_++] = key + weight * static_cast<uint64_t>(copies) * higher;
            }
        }
    }

    uint64_t keys_[kMost];
    int count_ = 0;
};

// A position as the search sees it: players who cannot answer are skipped, and the move to beat is a class with the lowest rank
// that somebody who may still answer owns.
struct State {
    std::array<Hand, kMaxPlayers> hands{};
    uint8_t mover = 0;
    uint8_t left = 0;  // players, the mover included, who may answer before the owner of the move to beat leads; 0 on a lead
    Class cls = kNoClass;
    uint8_t threshold = 0;

    friend bool operator==(const State&, const State&) = default;
};

// A move that the search may try in a state; a pass has no cards and kNoClass.
struct Choice {
    Hand cards = 0;
    Class cls = kNoClass;
    uint8_t rank = 0;
    bool is_pass() const { return cls == kNoClass; }
};

class Search {
  public:
    static constexpr uint64_t kNoLimit = std::numeric_limits<uint64_t>::max() / 2;

    virtual ~Search() = default;

    // The hands that parts of will be asked about. The table must not hold results of other hands.
    virtual void reset(const Position& root, const Rules& rules) = 0;
    // Does the landlord win? Every hand of the position is part of the root's.
    virtual Answer solve(const Position& position) = 0;
    // Does he win once `move`, which is legal, has been played?
    virtual Answer solve_move(const Position& position, const Move& move) = 0;

    // The same position by position, for a tree above the search. States have nobody who is out.
    virtual State state_of(const Position& position) = 0;
    // What may be tried, after pruning, best first; never empty for a lead. A state without choices is lost for the mover.
    virtual void list_choices(const State& state, std::vector<Choice>& out) = 0;
    // The state after a choice that leaves the mover cards.
    virtual State after(const State& state, const Choice& choice) = 0;
    virtual Answer solve(const State& state) = 0;
    // Tells the search what was proved elsewhere, at the cost of so many nodes.
    virtual void record(const State& state, bool landlord_wins, uint64_t nodes) = 0;

    // Forgets what is known of hands when that takes most of its memory. Not inside a search.
    virtual void trim() = 0;

    // An estimate of the moves a seat needs for a part of its root hand.
    virtual int turns(int seat, Hand hand) = 0;

    uint64_t nodes() const { return nodes_; }
    // The budget is spent, the call was cancelled, memory ran out, or another thread made the result superfluous.
    bool is_halted() const { return halted_; }
    // The hands took more memory than they may, at some time since the root was set.
    bool is_out_of_memory() const { return out_of_memory_; }
    void resume() { halted_ = budget_->is_exhausted(); }
    void set_budget(core::Budget& budget) { budget_ = &budget; }
    void set_limit(uint64_t nodes) { limit_ = nodes >= kNoLimit - nodes_ ? kNoLimit : nodes_ + nodes; }

  protected:
    // A move that the search may try. cls is kNoClass for a pass.
    struct Candidate {
        uint32_t number;
        Class cls;
        uint8_t rank;
        int16_t score;
        bool is_pass() const { return cls == kNoClass; }
    };

    Search(AnswerTable& table, core::Budget& budget, size_t max_hand_bytes, const Pruning& pruning, const std::atomic<bool>* stop)
        : table_(table), budget_(&budget), max_hand_bytes_(max_hand_bytes), stop_(stop), pruning_(pruning) {}

    void restart(const Rules& rules) {
        control_.reset(rules);
        candidates_.clear();
        nodes_ = 0;
        limit_ = kNoLimit;
        halted_ = out_of_memory_ = false;
    }

    bool is_over() const { return halted_ || nodes_ >= limit_; }
    // Counts a node; true when the search must return.
    template <class Bytes>
    bool enter(Bytes hand_bytes) {
        if ((++nodes_ & (kPollNodes - 1)) == 0) poll(hand_bytes());
        return is_over();
    }

    // Tries the candidates above `base` in order of score until one wins, then removes them. Where the limit leaves room, all
    // get a small share of it first and then growing ones, so that no single hard move holds up an easy win behind it.
    // `play` returns the answer for the side to move.
    template <class Play>
    Answer try_candidates(size_t base, Candidate& winner, Play play) {
        size_t count = candidates_.size() - base;
        const uint64_t room = limit_ - nodes_;
        const bool in_stages = pruning_.staged && room > kPlainRoom && count > 1;
        uint64_t share = in_stages ? std::max(kFirstShare, room >= kNoLimit / 2 ? 0 : room / kShares) : room;
        Answer answer = Answer::kLost;
        for (bool is_sorted = false; count; is_sorted = true) {
            size_t kept = 0;
            for (size_t i = 0; i < count; ++i) {
                if (!is_sorted) bring_best(base + i, base + count);
                const Candidate candidate = candidates_[base + i];
                const uint64_t limit = limit_;
                limit_ = std::min(limit, nodes_ + share);
                const Answer a = play(candidate);
                limit_ = limit;
                if (a == Answer::kWon) {
                    winner = candidate;
                    answer = a;
                    kept = 0;
                    break;
                }
                if (is_over()) {
                    answer = Answer::kUnknown;
                    kept = 0;
                    break;
                }
                if (a == Answer::kUnknown) candidates_[base + kept++] = candidate;
            }
            if (kept && share >= room) answer = Answer::kUnknown, kept = 0;
            count = kept;
            share = count == 1 ? room : std::min(share * kShareGrowth, room);
        }
        candidates_.resize(base);
        return answer;
    }

    // True when an earlier visit spent as much as this one may and found nothing.
    bool is_tried(const AnswerTable::Probe& probe) const {
        return probe.effort && probe.effort >= static_cast<int>(std::bit_width(limit_ - nodes_));
    }
    void store_result(uint64_t key, Answer answer, int threshold, uint64_t nodes_before) {
        const uint64_t spent = nodes_ - nodes_before;
        if (answer != Answer::kUnknown) {
            table_.store(key, answer == Answer::kWon, threshold, spent);
        } else if (spent >= kWorthNoting) {
            table_.store_unknown(key, spent);
        }
    }

    // Takes the candidates above `base` as choices, best first.
    template <class CardsOf>
    void move_choices(size_t base, std::vector<Choice>& out, CardsOf cards_of) {
        const auto first = candidates_.begin() + static_cast<std::ptrdiff_t>(base);
        std::stable_sort(first, candidates_.end(), [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
        out.clear();
        for (auto c = first; c != candidates_.end(); ++c) out.push_back({cards_of(c->number), c->cls, c->rank});
        candidates_.resize(base);
    }

    AnswerTable& table_;
    core::Budget* budget_;
    size_t max_hand_bytes_;
    const std::atomic<bool>* stop_;
    Pruning pruning_;
    ControlTest control_;
    std::vector<Candidate> candidates_;
    uint64_t nodes_ = 0, limit_ = kNoLimit;
    bool halted_ = false, out_of_memory_ = false;

  private:
    static constexpr uint64_t kPollNodes = 1024;
    static constexpr uint64_t kPlainRoom = 20'000;   // below this many nodes a subtree is searched depth first
    static constexpr uint64_t kFirstShare = 5'000;   // the least a candidate gets in a stage
    static constexpr uint64_t kShares = 64;          // the first share of a limited subtree
    static constexpr uint64_t kShareGrowth = 4;
    static constexpr uint64_t kWorthNoting = 1000;   // failures cheaper than this are not recorded

    void poll(size_t hand_bytes) {
        out_of_memory_ = out_of_memory_ || hand_bytes > max_hand_bytes_;
        halted_ = halted_ || budget_->spend(kPollNodes) || hand_bytes > max_hand_bytes_ ||
                  (stop_ && stop_->load(std::memory_order_relaxed));
    }
    void bring_best(size_t first, size_t end) {
        size_t best = first;
        for (size_t i = first + 1; i < end; ++i) {
            if (candidates_[i].score > candidates_[best].score) best = i;
        }
        std::swap(candidates_[first], candidates_[best]);
    }
};

}  // namespace mingpai::endgame
