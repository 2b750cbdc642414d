#include "native/endgame/two.hpp"

#include "native/endgame/ordering.hpp"

namespace mingpai::endgame {
namespace {

using doudizhu::count_of;

// Codes of the counts (own, other) of one rank that somebody holds, in the canonical key.
constexpr int kCountCodes = 14;
struct CountCodes {
    uint8_t of[5][5] = {};
    constexpr CountCodes() {
        uint8_t next = 0;
        for (int own = 0; own <= 4; ++own) {
            for (int other = 0; own + other <= 4; ++other) {
                if (own + other) of[own][other] = next++;
            }
        }
    }
};
constexpr CountCodes kCodes;
static_assert(kCodes.of[4][0] == kCountCodes - 1);

constexpr int kMaxCanonicalRanks = 13;
constexpr uint64_t kCanonicalFlag = uint64_t{1} << (AnswerTable::kKeyBits - 1);
constexpr uint64_t kControls = kBomb + 1;  // classes without chains, kNoClass included
constexpr uint64_t kRocketOwners = 3;

constexpr uint64_t power(uint64_t base, int exponent) { return exponent ? base * power(base, exponent - 1) : 1; }
static_assert(power(kCountCodes, kMaxCanonicalRanks) < kCanonicalFlag / (kControls * kRocketOwners * (kMaxCanonicalRanks + 2)));

// Writes the counts of the occupied ranks, lowest first. Ranks that only one player holds, with none of the other's between
// them, are interchangeable where no chain exists, so each such run is written in order of size.
class CanonicalWriter {
  public:
    int length() const { return length_; }
    uint64_t code() const { return code_ * (kMaxCanonicalRanks + 1) + static_cast<uint64_t>(length_); }

    void add(int own, int other) {
        const int owner = own && other ? 0 : own ? 1 : 2;
        if (owner != owner_) flush();
        if (owner) {
            owner_ = owner;
            ++run_[own + other];
        } else {
            write(own, other);
        }
    }
    void flush() {
        if (!owner_) return;
        for (int count = 4; count >= 1; --count) {
            for (; run_[count]; --run_[count]) owner_ == 1 ? write(count, 0) : write(0, count);
        }
        owner_ = 0;
    }

  private:
    void write(int own, int other) {
        code_ = code_ * kCountCodes + kCodes.of[own][other];
        ++length_;
    }
    uint64_t code_ = 0;
    int length_ = 0, owner_ = 0;
    int run_[5] = {};
};

}  // namespace

void TwoHanded::reset(const Position& root, const Rules& rules) {
    for (int p = 0; p < 2; ++p) hands_[p].reset(root.hands[p], rules);
    restart(rules);
}

Answer TwoHanded::solve(const Position& position) {
    const int mover = position.turn;
    const uint32_t own = hands_[mover].number_of(position.hands[mover]);
    const uint32_t other = hands_[1 - mover].number_of(position.hands[1 - mover]);
    const Reply reply =
        position.is_lead() ? Reply{} : reply_to(hands_[mover][own], class_of(position.last), position.last.rank);
    Answer answer;
    if (position.is_lead()) answer = lead(mover, own, other);
    else if (reply) answer = follow(mover, own, other, reply);
    else answer = opposite(lead(1 - mover, other, own));
    return mover == kLandlord ? answer : opposite(answer);
}

Answer TwoHanded::solve_move(const Position& position, const Move& move) {
    const Position child = position.after(move);
    return child.is_over() ? to_answer(child.has_landlord_won()) : solve(child);
}

State TwoHanded::settled(const std::array<Hand, kMaxPlayers>& hands, int mover, Reply reply) {
    State state;
    state.hands = hands;
    state.mover = static_cast<uint8_t>(reply ? mover : 1 - mover);
    state.left = reply ? 1 : 0;
    state.cls = reply.cls;
    state.threshold = reply.threshold;
    return state;
}

void TwoHanded::trim() {
    if (hand_bytes() < max_hand_bytes_ / 4 * 3) return;
    for (HandTable& hands : hands_) hands.forget();
}

State TwoHanded::state_of(const Position& position) {
    if (position.is_lead()) return settled(position.hands, 1 - position.turn, {});
    const HandInfo& hand = hands_[position.turn][hands_[position.turn].number_of(position.hands[position.turn])];
    return settled(position.hands, position.turn, reply_to(hand, class_of(position.last), position.last.rank));
}

TwoHanded::Sides TwoHanded::sides_of(const State& state) {
    const int mover = state.mover;
    const uint32_t own = hands_[mover].number_of(state.hands[mover]);
    const uint32_t other = hands_[1 - mover].number_of(state.hands[1 - mover]);
    return {own, other, hands_[mover][own], hands_[1 - mover][other]};
}

void TwoHanded::list_choices(const State& state, std::vector<Choice>& out) {
    const Sides sides = sides_of(state);
    const size_t base = candidates_.size();
    if (state.left) {
        add_follows(state.mover, sides.own, sides.hand, sides.opponent, to_beat(state));
    } else {
        add_leads(state.mover, sides.own, sides.hand, sides.opponent);
    }
    move_choices(base, out, [&](uint32_t number) { return hands_[state.mover].hand_of(number); });
}

State TwoHanded::after(const State& state, const Choice& choice) {
    const int other = 1 - state.mover;
    if (choice.is_pass()) return settled(state.hands, state.mover, {});
    State next = state;
    next.hands[state.mover] -= choice.cards;
    const HandInfo& opponent = hands_[other][hands_[other].number_of(state.hands[other])];
    return settled(next.hands, other, reply_to(opponent, choice.cls, choice.rank));
}

Answer TwoHanded::solve(const State& state) {
    const Sides sides = sides_of(state);
    const Answer answer = state.left ? follow(state.mover, sides.own, sides.other, to_beat(state))
                                     : lead(state.mover, sides.own, sides.other);
    return state.mover == kLandlord ? answer : opposite(answer);
}

void TwoHanded::record(const State& state, bool landlord_wins, uint64_t nodes) {
    const Sides sides = sides_of(state);
    const Key key = key_of(state.mover, sides.own, sides.other, sides.hand, sides.opponent, to_beat(state));
    const bool won = landlord_wins == (state.mover == kLandlord);
    table_.store(key.key, won, won && !state.left ? AnswerTable::kAnyThreshold : key.threshold, nodes);
}

Answer TwoHanded::after(int mover, uint32_t own, uint32_t other, const HandInfo& opponent, Class cls, int rank) {
    const Reply reply = reply_to(opponent, cls, rank);
    if (!reply) return lead(mover, own, other);
    if (is_losing_to_finish(opponent, reply)) return Answer::kLost;
    return opposite(follow(1 - mover, other, own, reply));
}

Answer TwoHanded::compare(int mover, const HandInfo& hand, const HandInfo& opponent, const Key& key) const {
    if (!pruning_.raised || key.is_canonical || hand.size + opponent.size < pruning_.raised_cards) return Answer::kUnknown;
    const uint64_t weights[2] = {1, hands_[0].size()};
    const RaisedKeys own(key.key, weights[mover], hands_[mover], hand, 0);
    const RaisedKeys other(key.key, weights[1 - mover], hands_[1 - mover], opponent, 0);
    own.prefetch(table_);
    other.prefetch(table_);
    if (own.have(table_, key.threshold, Answer::kLost)) return Answer::kLost;
    return other.have(table_, key.threshold, Answer::kWon) ? Answer::kWon : Answer::kUnknown;
}

TwoHanded::Key TwoHanded::key_of(int mover, uint32_t own, uint32_t other, const HandInfo& hand, const HandInfo& opponent,
                                 Reply reply) const {
    RankMask occupied = hand.held | opponent.held;
    const int rocket = hand.has_rocket() ? 1 : opponent.has_rocket() ? 2 : 0;
    if (rocket) occupied &= ~(3u << doudizhu::kSmallJoker);
    if (!pruning_.canonical || hand.has_chain || opponent.has_chain || core::popcount(occupied) > kMaxCanonicalRanks) {
        const uint64_t first = mover ? other : own, second = mover ? own : other;
        const uint64_t threshold = pruning_.ranges ? 0 : reply.threshold;
        uint64_t key = (static_cast<uint64_t>(mover) * kClasses + reply.cls) * (AnswerTable::kAnyThreshold + 1) + threshold;
        key = (key * hands_[1].size() + second) * hands_[0].size() + first;
        return {key, pruning_.ranges ? reply.threshold : 0, false};
    }
    CanonicalWriter writer;
    int threshold = -1;
    for (; occupied; occupied &= occupied - 1) {
        const int rank = core::lowest(occupied);
        if (reply && threshold < 0 && rank >= reply.threshold) {
            writer.flush();
            threshold = writer.length();
        }
        writer.add(count_of(hand.cards, rank), count_of(opponent.cards, rank));
    }
    writer.flush();
    if (threshold < 0) threshold = reply ? writer.length() : 0;
    return {kCanonicalFlag | ((writer.code() * kControls + reply.cls) * kRocketOwners + static_cast<uint64_t>(rocket)),
            threshold, true};
}

void TwoHanded::add_leads(int mover, uint32_t own, const HandInfo& hand, const HandInfo& opponent) {
    HandTable& table = hands_[mover];
    Class gap_class = kNoClass;
    Reply gap_reply;
    for (int i = 0; i < hand.move_count(); ++i) {
        const HandMove& move = hand.moves[i];
        if (pruning_.kickers && move.is_wasteful) continue;
        const Reply reply = reply_to(opponent, move.cls, move.rank);
        if (is_losing_to_finish(opponent, reply)) continue;
        if (pruning_.gap && move.cls <= kPair) {
            const GapRole role = gap_role(hand, table.raising(), move.cls, move.rank);
            if (role.may_skip && gap_class == move.cls && gap_reply == reply) continue;
            if (role.may_stand) gap_class = move.cls, gap_reply = reply;
        }
        candidates_.push_back({move.number, move.cls, move.rank, lead_score(table.turns(own - move.number), move)});
    }
}

void TwoHanded::add_follows(int mover, uint32_t own, const HandInfo& hand, const HandInfo& opponent, Reply to_beat) {
    HandTable& table = hands_[mover];
    bool has_gap = false;
    Reply gap_reply;
    for (int i = hand.first[to_beat.cls]; i < hand.first[to_beat.cls + 1]; ++i) {
        const HandMove& move = hand.moves[i];
        if (move.rank < to_beat.threshold || (pruning_.kickers && move.is_wasteful)) continue;
        const Reply reply = reply_to(opponent, move.cls, move.rank);
        if (is_losing_to_finish(opponent, reply)) continue;
        if (pruning_.gap && move.cls <= kPair) {
            const GapRole role = gap_role(hand, table.raising(), move.cls, move.rank);
            if (role.may_skip && has_gap && gap_reply == reply) continue;
            if (role.may_stand) has_gap = true, gap_reply = reply;
        }
        candidates_.push_back({move.number, move.cls, move.rank, follow_score(table.turns(own - move.number), move.rank)});
    }
    if (!(pruning_.finish && opponent.is_one_move())) candidates_.push_back({0, kNoClass, 0, kPassScore});
    if (to_beat.cls == kBomb) return;
    for (int i = hand.first[kBomb]; i < hand.first[kBomb + 1]; ++i) {
        const HandMove& move = hand.moves[i];
        candidates_.push_back({move.number, move.cls, move.rank, static_cast<int16_t>(kBombReplyScore - move.rank)});
    }
}

// Is there a reply that cannot be beaten and leaves a hand that the control test calls won?
bool TwoHanded::takes_control(int mover, uint32_t own, const HandInfo& hand, const HandInfo& opponent, Reply to_beat) {
    if (opponent.ranks[kBomb]) return false;
    const uint32_t answers = opponent.ranks[to_beat.cls];
    for (int i = hand.first[to_beat.cls]; i < hand.first[to_beat.cls + 1]; ++i) {
        const HandMove& move = hand.moves[i];
        if (move.rank < to_beat.threshold || answers >> (move.rank + 1) || move.is_wasteful) continue;
        const HandInfo& rest = hands_[mover][own - move.number];
        if (rest.is_one_move() || control_.wins(rest.cards, {opponent.ranks, opponent.size})) return true;
    }
    return false;
}

Answer TwoHanded::lead(int mover, uint32_t own, uint32_t other) {
    if (enter_node()) return Answer::kUnknown;
    const HandInfo& hand = hands_[mover][own];
    if (hand.is_one_move()) return Answer::kWon;
    const HandInfo& opponent = hands_[1 - mover][other];
    if (pruning_.control && control_.wins(hand.cards, {opponent.ranks, opponent.size})) return Answer::kWon;

    const Key key = key_of(mover, own, other, hand, opponent, {});
    const AnswerTable::Probe probe = table_.probe(key.key, key.threshold);
    if (probe.answer != Answer::kUnknown) return probe.answer;
    if (is_tried(probe)) return Answer::kUnknown;
    if (const Answer compared = compare(mover, hand, opponent, key); compared != Answer::kUnknown) return compared;

    const uint64_t before = nodes_;
    const size_t base = candidates_.size();
    add_leads(mover, own, hand, opponent);
    Candidate winner;
    const Answer answer = try_candidates(base, winner, [&](const Candidate& c) {
        if (c.number == own) return Answer::kWon;
        return after(mover, own - c.number, other, opponent, c.cls, c.rank);
    });
    store_result(key.key, answer, answer == Answer::kWon ? AnswerTable::kAnyThreshold : 0, before);
    return answer;
}

Answer TwoHanded::follow(int mover, uint32_t own, uint32_t other, Reply to_beat) {
    if (enter_node()) return Answer::kUnknown;
    const HandInfo& hand = hands_[mover][own];
    if (can_finish(hand, to_beat.cls, to_beat.threshold)) return Answer::kWon;
    const HandInfo& opponent = hands_[1 - mover][other];
    if (pruning_.control && takes_control(mover, own, hand, opponent, to_beat)) return Answer::kWon;

    const Key key = key_of(mover, own, other, hand, opponent, to_beat);
    const AnswerTable::Probe probe = table_.probe(key.key, key.threshold);
    if (probe.answer != Answer::kUnknown) return probe.answer;
    if (is_tried(probe)) return Answer::kUnknown;
    if (const Answer compared = compare(mover, hand, opponent, key); compared != Answer::kUnknown) return compared;

    const uint64_t before = nodes_;
    const size_t base = candidates_.size();
    add_follows(mover, own, hand, opponent, to_beat);
    Candidate winner;
    const Answer answer = try_candidates(base, winner, [&](const Candidate& c) {
        if (c.is_pass()) return opposite(lead(1 - mover, other, own));
        if (c.number == own) return Answer::kWon;
        return after(mover, own - c.number, other, opponent, c.cls, c.rank);
    });
    int threshold = key.threshold;
    if (answer == Answer::kWon && pruning_.ranges) {
        // A win by a pass or a bomb does not depend on the rank to beat; a win by a rank holds for all lower ones.
        if (winner.cls != to_beat.cls) threshold = AnswerTable::kAnyThreshold;
        else if (!key.is_canonical) threshold = winner.rank;
    }
    store_result(key.key, answer, threshold, before);
    return answer;
}

}  // namespace mingpai::endgame
