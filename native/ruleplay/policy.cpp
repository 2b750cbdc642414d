#include "native/ruleplay/policy.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace mingpai::ruleplay {

using core::lowest;
using doudizhu::above;
using doudizhu::at_least1;
using doudizhu::at_least2;
using doudizhu::at_least3;
using doudizhu::at_least4;
using doudizhu::cards_of;
using doudizhu::chain_of;
using doudizhu::kBigJoker;
using doudizhu::kRocketCards;
using doudizhu::kTwo;

namespace {

// A score no other reaches: going out.
constexpr float kWinningScore = 1e6f;
// A pass that loses at once must not be chosen while anything beats.
constexpr float kLosingPass = -1000.0f;
// With at most this many parts left, a world-seeing leader counts those that can be beaten.
constexpr int kCountedParts = 4;
// "Few", "fewer" and "fewest" cards of the player whose move is to be beaten.
constexpr int kFiveCards = 5, kThreeCards = 3, kTwoCards = 2;
// A mate's single or pair from Q up stands; one below may be raised, to T or more, against the landlord.
constexpr int kHighRank = 9, kBlockRank = 7;
// Feeding a pair is worth less than feeding a single: it fits fewer last hands.
constexpr float kFeedPair = 0.7f;
// Kickers tried for a triple: the cheapest ones.
constexpr int kKickerChoices = 2;
// Worth of going out, in a softmax over scores.
constexpr float kFinishBonus = 30.0f;

Move make(Hand cards, Type type, int rank, int length, int size) {
    return {cards, type, static_cast<uint8_t>(rank), static_cast<uint8_t>(length), static_cast<uint8_t>(size)};
}

// Moves without kickers: a body of `length` ranks from each start.
inline void add_bare(RankMask starts, int length, Type type, ShortList& out) {
    const int copies = doudizhu::shape_of(type).copies, size = length * copies;
    const Hand lowest_body = chain_of(0, length, static_cast<uint64_t>(copies));
    for (; starts; starts &= starts - 1) {
        out.add(make(lowest_body << (4 * lowest(starts)), type, lowest(starts), length, size));
    }
}

// Triples with one kicker of `width` cards: first ranks held exactly `width` times, then the lowest of those held more often.
void add_triples(RankMask triples, RankMask exact, RankMask more, int width, Type type, ShortList& out) {
    for (; triples; triples &= triples - 1) {
        const int rank = lowest(triples);
        RankMask kickers = exact & ~(1u << rank);
        int tried = 0;
        for (; kickers && tried < kKickerChoices; kickers &= kickers - 1, ++tried) {
            out.add(make(cards_of(rank, 3) + cards_of(lowest(kickers), static_cast<uint64_t>(width)), type, rank, 1, 3 + width));
        }
        kickers = more & ~(1u << rank);
        if (kickers && tried < kKickerChoices) {
            out.add(make(cards_of(rank, 3) + cards_of(lowest(kickers), static_cast<uint64_t>(width)), type, rank, 1, 3 + width));
        }
    }
}

// Airplanes with kickers of different ranks, ranks held least often first, then the lowest; at most one joker.
void add_airplanes(Hand hand, RankMask starts, int length, int width, Type type, ShortList& out) {
    for (; starts; starts &= starts - 1) {
        const int start = lowest(starts);
        const Hand rest = hand & ~chain_of(start, length, doudizhu::kRankFull);
        const RankMask levels[4] = {at_least1(rest), at_least2(rest), at_least3(rest), at_least4(rest)};
        Hand kickers = 0;
        int needed = length;
        for (int held = width; held <= 4 && needed > 0; ++held) {
            RankMask ranks = levels[held - 1] & ~(held < 4 ? levels[held] : 0);
            for (; ranks && needed > 0; ranks &= ranks - 1) {
                if (lowest(ranks) == kBigJoker && (kickers & kRocketCards)) continue;
                kickers += cards_of(lowest(ranks), static_cast<uint64_t>(width));
                --needed;
            }
        }
        if (needed == 0) {
            out.add(make(chain_of(start, length, 3) + kickers, type, start, length, length * (3 + width)));
        }
    }
}

// 1 for the lowest rank, 0 for the highest of `top`.
float lowness(int rank, int top) { return static_cast<float>(top - rank) / static_cast<float>(top); }

}  // namespace

float Policy::lead_bonus(const World& world, const Move& move) const {
    const Weights& w = evaluator_.weights();
    const int role = world.turn;
    float bonus = w.lead_card * static_cast<float>(move.size);
    const bool single = move.type == Type::Single, pair = move.type == Type::Pair;
    if (!single && !pair) return bonus;
    const int enemy_cards = role == kLandlord ? std::min(world.counts[kDown], world.counts[kUp]) : world.counts[kLandlord];
    if (single && enemy_cards == 1) bonus -= w.single_to_last_card * lowness(move.rank, kBigJoker);
    if (pair && enemy_cards == 2) bonus -= w.pair_to_last_pair * lowness(move.rank, kTwo);
    if (role == kLandlord) return bonus;
    const int mate_cards = world.counts[mate_of(role)];
    // The mate plays right after the farmer below the landlord; from above, the landlord comes first.
    if (single && mate_cards == 1 && (role == kDown || enemy_cards > 1)) bonus += w.feed_mate * lowness(move.rank, kBigJoker);
    if (pair && mate_cards == 2) bonus += w.feed_mate * kFeedPair * lowness(move.rank, kTwo);
    return bonus;
}

float Policy::over_mate_bonus(const World& world, const Move& move) const {
    const Weights& w = evaluator_.weights();
    const Move& last = world.last;
    const bool small = last.type == Type::Single || last.type == Type::Pair;
    float bonus = -w.over_mate;
    if (!small || last.rank >= kHighRank) bonus -= w.over_high_mate;
    if (world.counts[world.owner] <= kThreeCards) bonus -= w.over_short_mate;
    if (move.is_bomb()) bonus -= w.bomb_over_mate;
    if (world.turn == kUp) {  // the landlord plays next
        if (small && last.rank < kHighRank && !move.is_bomb() && move.rank >= kBlockRank) bonus += w.block;
        if (world.counts[kLandlord] <= kTwoCards) bonus += w.block;
    }
    return bonus;
}

float Policy::follow_bonus(const World& world, const Move& move, bool one_move_left) const {
    const Weights& w = evaluator_.weights();
    float bonus = one_move_left ? w.last_turn : 0;
    if (!are_enemies(world.turn, world.owner)) return bonus + over_mate_bonus(world, move);
    bonus += w.tempo;
    if (world.turn != kLandlord) bonus += w.farmer_tempo;
    if (world.turn == kDown) bonus += w.before_mate;
    const int left = world.counts[world.owner];
    if (left <= kTwoCards) {
        bonus += w.urgent_two;
    } else if (left <= kFiveCards) {
        bonus += w.urgent_five;
    }
    if (move.is_bomb() && left <= kThreeCards) bonus += w.urgent_bomb;
    return bonus;
}

float Policy::score(const World& world, const Move& move) {
    const Hand hand = world.hands[world.turn];
    if (move.is_pass()) return evaluator_.worth(hand).value;
    const Hand left = hand - move.cards;
    if (left == 0) return kWinningScore;
    const Worth worth = evaluator_.worth(left);
    return worth.value + (world.last.is_pass() ? lead_bonus(world, move) : follow_bonus(world, move, worth.is_one_move));
}

void Policy::lean_leads(Hand hand, ShortList& out) {
    out.clear();
    evaluator_.best_partition(hand, partition_);
    for (int i = 0; i < partition_.size; ++i) out.add(partition_.parts[i]);
    for (RankMask ranks = at_least1(hand); ranks; ranks &= ranks - 1) {
        const Move single = make(cards_of(lowest(ranks)), Type::Single, lowest(ranks), 1, 1);
        if (!out.has(single)) out.add(single);
    }
    for (RankMask ranks = at_least2(hand); ranks; ranks &= ranks - 1) {
        const Move pair = make(cards_of(lowest(ranks), 2), Type::Pair, lowest(ranks), 1, 2);
        if (!out.has(pair)) out.add(pair);
    }
}

namespace {

// Answers of the same type to anything but single cards and pairs.
void add_longer_answers(Hand hand, const Move& last, ShortList& out) {
    const doudizhu::Shape shape = doudizhu::shape_of(last.type);
    const RankMask bodies = doudizhu::at_least(shape.copies, hand);
    const RankMask starts = above(shape.is_chain() ? doudizhu::run_starts(bodies, last.length) : bodies, last.rank);
    if (shape.copies < 4 ? shape.kickers == 0 : last.type == Type::Bomb) {
        add_bare(starts, last.length, last.type, out);
    } else if (shape.copies == 3 && shape.is_chain()) {
        add_airplanes(hand, starts, last.length, shape.width, last.type, out);
    } else if (shape.copies == 3) {
        const RankMask kickers = doudizhu::at_least(shape.width, hand), more = doudizhu::at_least(shape.width + 1, hand);
        add_triples(starts, kickers & ~more, more, shape.width, last.type, out);
    }  // fours with kickers and straights of fours: answered by bombs only
}

}  // namespace

void Policy::lean_follows(Hand hand, const Move& last, ShortList& out) const {
    out.clear();
    assert(!last.is_pass());
    if (last.type == Type::Rocket) return;
    if (last.type == Type::Single) {  // these two are most of what is ever answered: without looking up their shapes
        add_bare(above(at_least1(hand), last.rank), 1, Type::Single, out);
    } else if (last.type == Type::Pair) {
        add_bare(above(at_least2(hand), last.rank), 1, Type::Pair, out);
    } else {
        add_longer_answers(hand, last, out);
    }
    if (last.type != Type::Bomb) add_bare(at_least4(hand), 1, Type::Bomb, out);
    if ((hand & kRocketCards) == kRocketCards) out.add(make(kRocketCards, Type::Rocket, doudizhu::kSmallJoker, 1, 2));
}

int Policy::unbeaten_part(const World& world) const {
    if (partition_.size > kCountedParts) return -1;
    int beatable = 0, smallest = -1;
    for (int i = 0; i < partition_.size; ++i) {
        const Move& part = partition_.parts[i];
        if (world.enemies_can_beat(part, rules())) {
            ++beatable;
        } else if (smallest < 0 || part.size < partition_.parts[smallest].size) {
            smallest = i;
        }
    }
    return beatable <= 1 ? smallest : -1;
}

bool Policy::winning_move(const World& world, Move& out) {
    const Hand hand = world.hands[world.turn];
    if (evaluator_.finishing_move(hand, world.last, out)) return true;
    if (world.last.is_pass()) {
        evaluator_.best_partition(hand, partition_);
        const int part = unbeaten_part(world);
        if (part >= 0) out = partition_.parts[part];
        return part >= 0;
    }
    if (!doudizhu::can_beat(hand, world.last, rules())) return false;
    ShortList candidates;
    lean_follows(hand, world.last, candidates);
    for (const Move& move : candidates) {
        if (!evaluator_.worth(hand - move.cards).is_one_move || world.enemies_can_beat(move, rules())) continue;
        out = move;
        return true;
    }
    return false;
}

Move Policy::lead(const World& world, bool sees_world) {
    assert(!world.is_over() && world.last.is_pass());
    const Hand hand = world.hands[world.turn];
    evaluator_.best_partition(hand, partition_);
    const int size = partition_.size;
    if (size == 1) return partition_.parts[0];
    Move finish;
    if (evaluator_.finishing_move(hand, Move{}, finish)) return finish;
    if (const int part = sees_world ? unbeaten_part(world) : -1; part >= 0) return partition_.parts[part];
    int best = 0;
    float best_score = 0;
    for (int i = 0; i < size; ++i) {
        // What is left of the best partition is worth the whole less this part.
        const Move& part = partition_.parts[i];
        const float score = lead_bonus(world, part) - evaluator_.part_value(part);
        if (i == 0 || score > best_score) {
            best_score = score;
            best = i;
        }
    }
    return partition_.parts[best];
}

// True when the enemy who played last goes out with his next lead, and nobody after this role can stop it.
bool Policy::must_block(const World& world) {
    const int owner = world.owner, next = next_role(world.turn);
    if (!are_enemies(world.turn, owner)) return false;
    const bool mate_follows = next != owner && !are_enemies(world.turn, next);
    if (next != owner && !mate_follows) return false;
    if (mate_follows && doudizhu::can_beat(world.hands[next], world.last, rules())) return false;
    return evaluator_.worth(world.hands[owner]).is_one_move;
}

Move Policy::follow(const World& world, bool sees_world) {
    assert(!world.is_over() && !world.last.is_pass());
    const Hand hand = world.hands[world.turn];
    if (!doudizhu::can_beat(hand, world.last, rules())) return Move{};
    Move best;
    if (world.counts[world.turn] == world.last.size && evaluator_.finishing_move(hand, world.last, best)) return best;
    ShortList candidates;
    lean_follows(hand, world.last, candidates);
    best = Move{};
    if (candidates.empty()) return best;
    float best_score = evaluator_.worth(hand).value;
    if (sees_world && must_block(world)) best_score += kLosingPass;
    for (const Move& move : candidates) {
        const Hand left = hand - move.cards;
        if (left == 0) return move;
        const Worth worth = evaluator_.worth(left);
        if (sees_world && worth.is_one_move && !world.enemies_can_beat(move, rules())) return move;
        const float score = worth.value + follow_bonus(world, move, worth.is_one_move);
        if (score > best_score) {
            best_score = score;
            best = move;
        }
    }
    return best;
}

float Policy::probability(const World& world, const Move& move, float temperature) {
    const Hand hand = world.hands[world.turn];
    ShortList candidates;
    float pass = 0;
    if (world.last.is_pass()) {
        evaluator_.best_partition(hand, partition_);
        for (int i = 0; i < partition_.size; ++i) candidates.add(partition_.parts[i]);
    } else {
        if (!doudizhu::can_beat(hand, world.last, rules())) return 1;
        lean_follows(hand, world.last, candidates);
        pass = evaluator_.worth(hand).value;
    }
    if (!move.is_pass() && !candidates.has(move)) candidates.add(move);
    const float whole = evaluator_.worth(hand).value;
    float scores[ShortList::kCapacity];
    float top = world.last.is_pass() ? -kWinningScore : pass;
    float chosen = pass;
    for (int i = 0; i < candidates.size(); ++i) {
        scores[i] = candidates[i].cards == hand ? whole + kFinishBonus : score(world, candidates[i]);
        top = std::max(top, scores[i]);
        if (candidates[i] == move) chosen = scores[i];
    }
    float sum = world.last.is_pass() ? 0 : std::exp((pass - top) / temperature);
    for (int i = 0; i < candidates.size(); ++i) sum += std::exp((scores[i] - top) / temperature);
    return std::exp((chosen - top) / temperature) / sum;
}

}  // namespace mingpai::ruleplay
