#include "native/endgame/three.hpp"

#include "native/endgame/ordering.hpp"

namespace mingpai::endgame {
namespace {

using doudizhu::count_of;

// An answer from the landlord's point of view, turned to the mover's side or back.
Answer for_side(int mover, Answer answer) { return mover == kLandlord ? answer : opposite(answer); }

// Codes 1.. of the counts of one rank in the three hands; 0 is left for "no further rank".
constexpr int kCountCodes = 35;
struct CountCodes {
    uint8_t of[5][5][5] = {};
    constexpr CountCodes() {
        uint8_t code = 1;
        for (int a = 0; a <= 4; ++a) {
            for (int b = 0; a + b <= 4; ++b) {
                for (int c = 0; a + b + c <= 4; ++c) {
                    if (a + b + c) of[a][b][c] = code++;
                }
            }
        }
    }
};
constexpr CountCodes kCodes;
static_assert(kCodes.of[4][0][0] == kCountCodes - 1);

constexpr int kMaxCanonicalRanks = 9;
constexpr uint64_t kCanonicalFlag = uint64_t{1} << (AnswerTable::kKeyBits - 1);
constexpr uint64_t kSeatings = 9;  // mover, and 0 to 2 players left to answer
constexpr uint64_t kPlainClasses = kBomb + 1, kRocketOwners = 4, kPlaces = kMaxCanonicalRanks + 1;
constexpr uint64_t power(uint64_t base, int exponent) { return exponent ? base * power(base, exponent - 1) : 1; }
static_assert(power(kCountCodes, kMaxCanonicalRanks) < kCanonicalFlag / (kSeatings * kPlainClasses * kRocketOwners * kPlaces));

// As in the two-handed key: runs of ranks that one player alone holds are written in order of size.
class CanonicalWriter {
  public:
    int length() const { return length_; }
    uint64_t code() const { return code_; }

    void add(int a, int b, int c) {
        const int owner = !b && !c ? 0 : !a && !c ? 1 : !a && !b ? 2 : kShared;
        if (owner != owner_) flush();
        owner_ = owner;
        if (owner == kShared) {
            write(a, b, c);
        } else {
            ++run_[a + b + c];
        }
    }
    void flush() {
        if (owner_ != kShared) {
            for (int count = 4; count >= 1; --count) {
                for (; run_[count]; --run_[count]) {
                    write(owner_ == 0 ? count : 0, owner_ == 1 ? count : 0, owner_ == 2 ? count : 0);
                }
            }
        }
        owner_ = kShared;
    }

  private:
    static constexpr int kShared = 3;
    void write(int a, int b, int c) {
        code_ = code_ * kCountCodes + kCodes.of[a][b][c];
        ++length_;
    }
    uint64_t code_ = 0;
    int length_ = 0, owner_ = kShared;
    int run_[5] = {};
};

}  // namespace

void ThreeHanded::reset(const Position& root, const Rules& rules) {
    for (int seat = 0; seat < kPlayers; ++seat) hands_[seat].reset(root.hands[seat], rules);
    restart(rules);
}

void ThreeHanded::set_numbers(const std::array<Hand, kMaxPlayers>& hands) {
    for (int seat = 0; seat < kPlayers; ++seat) numbers_[seat] = hands_[seat].number_of(hands[seat]);
}

Answer ThreeHanded::solve(const Position& position) {
    set_numbers(position.hands);
    if (position.is_lead()) return lead(position.turn);
    return answer(position.turn, position.left_to_answer(), class_of(position.last), position.last.rank + 1);
}

State ThreeHanded::state_of(const Turn& turn) const {
    State state;
    for (int seat = 0; seat < kPlayers; ++seat) state.hands[seat] = hands_[seat].hand_of(numbers_[seat]);
    state.mover = static_cast<uint8_t>(turn.mover);
    state.left = static_cast<uint8_t>(turn.left);
    state.cls = turn.to_beat.cls;
    state.threshold = turn.to_beat.threshold;
    return state;
}

void ThreeHanded::trim() {
    if (hand_bytes() < max_hand_bytes_ / 4 * 3) return;
    for (HandTable& hands : hands_) hands.forget();
}

State ThreeHanded::state_of(const Position& position) {
    set_numbers(position.hands);
    if (position.is_lead()) return state_of(Turn{position.turn, 0, {}});
    return state_of(settle(position.turn, position.left_to_answer(), class_of(position.last), position.last.rank + 1));
}

void ThreeHanded::list_choices(const State& state, std::vector<Choice>& out) {
    set_numbers(state.hands);
    const size_t base = candidates_.size();
    if (state.left) {
        add_follows(turn_of(state), hand(state.mover));
    } else {
        add_leads(state.mover, hand(state.mover));
    }
    move_choices(base, out, [&](uint32_t number) { return hands_[state.mover].hand_of(number); });
}

State ThreeHanded::after(const State& state, const Choice& choice) {
    set_numbers(state.hands);
    if (choice.is_pass()) return state_of(settle(next(state.mover), state.left - 1, state.cls, state.threshold));
    numbers_[state.mover] -= hands_[state.mover].number_of(choice.cards);
    return state_of(settle(next(state.mover), kPlayers - 1, choice.cls, choice.rank + 1));
}

Answer ThreeHanded::solve(const State& state) {
    set_numbers(state.hands);
    return state.left ? follow(turn_of(state)) : lead(state.mover);
}

void ThreeHanded::record(const State& state, bool landlord_wins, uint64_t nodes) {
    set_numbers(state.hands);
    const Turn turn = turn_of(state);
    const Key key = key_of(turn.mover, turn.left, turn.to_beat);
    const bool won = landlord_wins == (turn.mover == kLandlord);
    // As `follow` stores it: where an easier move to beat may hurt, the threshold is part of the key.
    const bool in_ranges = pruning_.ranges && turn.left && turn.is_one_sided();
    table_.store(key.key, won, won && !in_ranges ? AnswerTable::kAnyThreshold : key.threshold, nodes);
}

Answer ThreeHanded::solve_move(const Position& position, const Move& move) {
    const Position child = position.after(move);
    return child.is_over() ? to_answer(child.has_landlord_won()) : solve(child);
}

Answer ThreeHanded::after(int mover, uint32_t number, Class cls, int rank) {
    if (number == numbers_[mover]) return to_answer(mover == kLandlord);
    numbers_[mover] -= number;
    const Answer out = answer(next(mover), kPlayers - 1, cls, rank + 1);
    numbers_[mover] += number;
    return out;
}

ThreeHanded::Turn ThreeHanded::settle(int mover, int left, Class cls, int threshold) {
    for (; left; --left, mover = next(mover)) {
        const HandInfo& first = hand(mover);
        const HandInfo* second = left == 2 ? &hand(next(mover)) : nullptr;
        uint32_t own = static_cast<uint32_t>(first.ranks[cls]) >> threshold;
        uint32_t mates = second ? static_cast<uint32_t>(second->ranks[cls]) >> threshold : 0;
        if (cls != kBomb && !(own | mates)) {
            // Only bombs can answer: the move to beat matters no more.
            cls = kBomb;
            threshold = 0;
            own = first.ranks[kBomb];
            mates = second ? second->ranks[kBomb] : 0;
        }
        if (!own && (cls == kBomb || !first.ranks[kBomb])) continue;
        return {mover, left, {cls, static_cast<uint8_t>(threshold + std::countr_zero(own | mates))}};
    }
    return {mover, 0, {}};
}

Answer ThreeHanded::answer(int mover, int left, Class cls, int threshold) {
    const Turn turn = settle(mover, left, cls, threshold);
    return turn.left ? follow(turn) : lead(turn.mover);
}

// Can a farmer go out on the landlord's move?
bool ThreeHanded::can_be_finished_on(int mover, Class cls, int rank) {
    if (mover != kLandlord) return false;
    for (int seat = 1; seat < kPlayers; ++seat) {
        const Reply reply = reply_to(hand(seat), cls, rank);
        if (reply && can_finish(hand(seat), reply.cls, reply.threshold)) return true;
    }
    return false;
}

// Gap dominance. For the landlord as in two-handed play: the same answers of both farmers, and the rest of his hand raised. A
// farmer may want to be beaten by his mate, so for him the two ranks must be alike to everybody: alone in the hand, the same
// number of cards, and nobody else holding a rank from the one to the other.
bool ThreeHanded::is_gap_skip(int mover, const HandInfo& own, const HandMove& move) {
    if (move.cls > kPair) return false;
    const GapRole role = gap_role(own, hands_[mover].raising(), move.cls, move.rank);
    const int others[2] = {next(mover), next(next(mover))};
    Reply replies[2] = {reply_to(hand(others[0]), move.cls, move.rank), reply_to(hand(others[1]), move.cls, move.rank)};
    if (gap_.cls == move.cls && role.may_skip) {
        if (mover == kLandlord) {
            if (replies[0] == gap_.replies[0] && replies[1] == gap_.replies[1]) return true;
        } else if (role.may_stand && !(move.rank >= doudizhu::kSmallJoker && own.has_rocket())) {
            const RankMask between = ((2u << move.rank) - 1) & ~((1u << gap_.rank) - 1);
            if (!((hand(others[0]).held | hand(others[1]).held) & between)) return true;
        }
    }
    if (role.may_stand) gap_ = {move.cls, move.rank, {replies[0], replies[1]}};
    return false;
}

bool ThreeHanded::has_control(int mover, Hand cards) {
    if (mover != kLandlord) {
        // His mate can always pass.
        const HandInfo& landlord = hand(kLandlord);
        return control_.wins(cards, {landlord.ranks, landlord.size});
    }
    const HandInfo &down = hand(1), &up = hand(2);
    if (down.ranks[kBomb] || up.ranks[kBomb]) return false;
    uint16_t ranks[kClasses];
    for (int cls = 0; cls < kClasses; ++cls) ranks[cls] = down.ranks[cls] | up.ranks[cls];
    return control_.wins(cards, {ranks, std::min(down.size, up.size)});
}

// Is there a reply that no opponent can beat and that leaves a hand which the control test calls won?
bool ThreeHanded::takes_control(const Turn& turn, const HandInfo& own) {
    const Class cls = turn.to_beat.cls;
    uint32_t answers = 0, bombs = 0;
    for (int seat = 0; seat < kPlayers; ++seat) {
        if ((seat == kLandlord) == (turn.mover == kLandlord)) continue;
        answers |= hand(seat).ranks[cls];
        bombs |= hand(seat).ranks[kBomb];
    }
    if (bombs) return false;
    for (int i = own.first[cls]; i < own.first[cls + 1]; ++i) {
        const HandMove& move = own.moves[i];
        if (move.rank < turn.to_beat.threshold || answers >> (move.rank + 1) || move.is_wasteful) continue;
        const HandInfo& rest = hands_[turn.mover][numbers_[turn.mover] - move.number];
        if (rest.is_one_move() || has_control(turn.mover, rest.cards)) return true;
    }
    return false;
}

Answer ThreeHanded::compare(int mover, const Key& key) {
    const HandInfo &a = hand(0), &b = hand(1), &c = hand(2);
    if (!pruning_.raised || key.is_canonical || a.size + b.size + c.size < pruning_.raised_cards) return Answer::kUnknown;
    const auto down = static_cast<uint64_t>(hands_[1].size()), up = static_cast<uint64_t>(hands_[2].size());
    const RaisedKeys raised[kPlayers] = {
        {key.key, down * up, hands_[0], a, 0},
        {key.key, up, hands_[1], b, static_cast<RankMask>(a.held | c.held)},
        {key.key, 1, hands_[2], c, static_cast<RankMask>(a.held | b.held)},
    };
    for (const RaisedKeys& keys : raised) keys.prefetch(table_);
    for (int seat = 0; seat < kPlayers; ++seat) {
        const Answer worst = to_answer(seat != kLandlord);
        if (raised[seat].have(table_, key.threshold, for_side(mover, worst))) return worst;
    }
    return Answer::kUnknown;
}

ThreeHanded::Key ThreeHanded::key_of(int mover, int left, Reply to_beat) {
    const HandInfo &a = hand(0), &b = hand(1), &c = hand(2);
    const bool in_ranges = pruning_.ranges && left && Turn{mover, left, to_beat}.is_one_sided();
    const auto seating = static_cast<uint64_t>(mover * kPlayers + left);
    RankMask occupied = a.held | b.held | c.held;
    const int rocket = a.has_rocket() ? 1 : b.has_rocket() ? 2 : c.has_rocket() ? 3 : 0;
    if (rocket) occupied &= ~(3u << doudizhu::kSmallJoker);
    if (!pruning_.canonical || a.has_chain || b.has_chain || c.has_chain ||
        core::popcount(occupied) > kMaxCanonicalRanks) {
        const int threshold = in_ranges ? 0 : to_beat.threshold;
        uint64_t key = (seating * kClasses + to_beat.cls) * (AnswerTable::kAnyThreshold + 1) + static_cast<uint64_t>(threshold);
        for (int seat = 0; seat < kPlayers; ++seat) key = key * hands_[seat].size() + numbers_[seat];
        return {key, in_ranges ? to_beat.threshold : 0, false};
    }
    CanonicalWriter writer;
    int place = -1;
    for (; occupied; occupied &= occupied - 1) {
        const int rank = core::lowest(occupied);
        if (to_beat && place < 0 && rank >= to_beat.threshold) {
            writer.flush();
            place = writer.length();
        }
        writer.add(count_of(a.cards, rank), count_of(b.cards, rank), count_of(c.cards, rank));
    }
    writer.flush();
    if (place < 0) place = to_beat ? writer.length() : 0;
    uint64_t key = ((writer.code() * kSeatings + seating) * kPlainClasses + to_beat.cls) * kRocketOwners;
    key = (key + static_cast<uint64_t>(rocket)) * kPlaces + static_cast<uint64_t>(in_ranges ? 0 : place);
    return {kCanonicalFlag | key, in_ranges ? place : 0, true};
}

void ThreeHanded::add_leads(int mover, const HandInfo& own) {
    HandTable& table = hands_[mover];
    gap_ = {};
    for (int i = 0; i < own.move_count(); ++i) {
        const HandMove& move = own.moves[i];
        if (pruning_.kickers && mover == kLandlord && move.is_wasteful) continue;
        if (pruning_.finish && can_be_finished_on(mover, move.cls, move.rank)) continue;
        if (pruning_.gap && is_gap_skip(mover, own, move)) continue;
        int16_t score = lead_score(table.turns(numbers_[mover] - move.number), move);
        if (mover != kLandlord) {
            const HandInfo& mate = hand(kPlayers - mover);
            const Reply reply = mate.is_one_move() ? reply_to(mate, move.cls, move.rank) : Reply{};
            if (reply && can_finish(mate, reply.cls, reply.threshold)) score += kFeedBonus;
        }
        candidates_.push_back({move.number, move.cls, move.rank, score});
    }
}

void ThreeHanded::add_follows(const Turn& turn, const HandInfo& own) {
    const Class cls = turn.to_beat.cls;
    HandTable& table = hands_[turn.mover];
    gap_ = {};
    for (int i = own.first[cls]; i < own.first[cls + 1]; ++i) {
        const HandMove& move = own.moves[i];
        if (move.rank < turn.to_beat.threshold) continue;
        if (pruning_.kickers && turn.mover == kLandlord && move.is_wasteful) continue;
        if (pruning_.finish && can_be_finished_on(turn.mover, move.cls, move.rank)) continue;
        if (pruning_.gap && is_gap_skip(turn.mover, own, move)) continue;
        candidates_.push_back({move.number, move.cls, move.rank,
                               follow_score(table.turns(numbers_[turn.mover] - move.number), move.rank)});
    }
    candidates_.push_back({0, kNoClass, 0, turn.mover == 1 && turn.is_mates() ? kPassToMateScore : kPassScore});
    if (cls == kBomb) return;
    for (int i = own.first[kBomb]; i < own.first[kBomb + 1]; ++i) {
        const HandMove& move = own.moves[i];
        candidates_.push_back({move.number, move.cls, move.rank, static_cast<int16_t>(kBombReplyScore - move.rank)});
    }
}

Answer ThreeHanded::lead(int mover) {
    if (enter_node()) return Answer::kUnknown;
    const HandInfo& own = hand(mover);
    const Answer won = to_answer(mover == kLandlord);
    if (own.is_one_move()) return won;
    if (pruning_.control && has_control(mover, own.cards)) return won;

    const Key key = key_of(mover, 0, {});
    const AnswerTable::Probe probe = table_.probe(key.key, key.threshold);
    if (probe.answer != Answer::kUnknown) return for_side(mover, probe.answer);
    if (is_tried(probe)) return Answer::kUnknown;
    if (const Answer compared = compare(mover, key); compared != Answer::kUnknown) return compared;

    const uint64_t before = nodes_;
    const size_t base = candidates_.size();
    add_leads(mover, own);
    Candidate winner;
    const Answer answer = try_candidates(
        base, winner, [&](const Candidate& c) { return for_side(mover, after(mover, c.number, c.cls, c.rank)); });
    store_result(key.key, answer, answer == Answer::kWon ? AnswerTable::kAnyThreshold : 0, before);
    return for_side(mover, answer);
}

Answer ThreeHanded::follow(const Turn& turn) {
    if (enter_node()) return Answer::kUnknown;
    const int mover = turn.mover;
    const HandInfo& own = hand(mover);
    const Reply to_beat = turn.to_beat;
    const Answer won = to_answer(mover == kLandlord);
    if (can_finish(own, to_beat.cls, to_beat.threshold)) return won;
    // The farmer after the landlord passes and his mate goes out.
    if (pruning_.finish && mover == 1 && turn.left == 2 && can_finish(hand(2), to_beat.cls, to_beat.threshold)) return won;
    if (pruning_.control && takes_control(turn, own)) return won;

    const Key key = key_of(mover, turn.left, to_beat);
    const AnswerTable::Probe probe = table_.probe(key.key, key.threshold);
    if (probe.answer != Answer::kUnknown) return for_side(mover, probe.answer);
    if (is_tried(probe)) return Answer::kUnknown;
    if (const Answer compared = compare(mover, key); compared != Answer::kUnknown) return compared;

    const uint64_t before = nodes_;
    const size_t base = candidates_.size();
    add_follows(turn, own);
    Candidate winner;
    const Answer answer = try_candidates(base, winner, [&](const Candidate& c) {
        const Answer out = c.is_pass() ? this->answer(next(mover), turn.left - 1, to_beat.cls, to_beat.threshold)
                                       : after(mover, c.number, c.cls, c.rank);
        return for_side(mover, out);
    });
    int threshold = key.threshold;
    if (answer == Answer::kWon && pruning_.ranges && turn.is_one_sided()) {
        // A bomb, and a pass that nobody can follow, win whatever the rank to beat; a rank wins against all lower ones.
        if (winner.is_pass() ? turn.left == 1 : winner.cls != to_beat.cls) threshold = AnswerTable::kAnyThreshold;
        else if (!winner.is_pass() && !key.is_canonical) threshold = winner.rank;
    } else if (answer == Answer::kWon) {
        threshold = AnswerTable::kAnyThreshold;
    }
    store_result(key.key, answer, threshold, before);
    return for_side(mover, answer);
}

}  // namespace mingpai::endgame
