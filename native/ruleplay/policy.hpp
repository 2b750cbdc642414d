// The fast rule player: values what each move leaves, with corrections for the situation. It plays roll-outs (where it sees
// the sampled world), gives the search its priors, and is the player model of the inference (where it sees one hand only).
#pragma once
#include <vector>

#include "native/ruleplay/value.hpp"
#include "native/ruleplay/world.hpp"

namespace mingpai::ruleplay {

// A few moves without allocation. Leads of a partition and beating moves with lean kickers stay far below the capacity.
class ShortList {
  public:
    static constexpr int kCapacity = 96;

    int size() const { return size_; }
    bool empty() const { return size_ == 0; }
    const Move& operator[](int i) const { return moves_[i]; }
    Move& operator[](int i) { return moves_[i]; }
    const Move* begin() const { return moves_; }
    const Move* end() const { return moves_ + size_; }
    void clear() { size_ = 0; }
    void resize(int size) { size_ = size; }
    void add(const Move& move) {
        if (size_ < kCapacity) moves_[size_++] = move;
    }
    bool has(const Move& move) const {
        for (const Move& other : *this) {
            if (other == move) return true;
        }
        return false;
    }

    // A union of trivial members stays uninitialised: a list costs nothing to create.
    ShortList() {}

  private:
    int size_ = 0;
    union {
        Move moves_[kCapacity];
    };
};

class Policy {
  public:
    Policy(const Rules& rules, const Weights& weights) : evaluator_(rules, weights) {}

    Evaluator& evaluator() { return evaluator_; }
    const Rules& rules() const { return evaluator_.rules(); }

    // The move of the role to move. `sees_world`: it looks into the other hands, leads what no enemy can beat when that wins,
    // and blocks an enemy who would go out; otherwise it uses nothing but its own hand and the counts.
    Move move(const World& world, bool sees_world) {
        return world.last.is_pass() ? lead(world, sees_world) : follow(world, sees_world);
    }

    // A move after which the side of the role to move wins in this world, found by a short look: the move that goes out, a lead
    // that begins a row of leads no enemy beats, an unbeaten answer that leaves one move.
    bool winning_move(const World& world, Move& out);

    // Plays the deal out.
    void roll_out(World& world, bool sees_world) {
        while (!world.is_over()) world.play(move(world, sees_world));
    }

    // How good the policy finds a move, in the unit of the weights: the worth of what is left and the bonus of the situation.
    float score(const World& world, const Move& move);

    // Moves that beat `last`, without the pass: kickers are the cheapest ones only.
    void lean_follows(Hand hand, const Move& last, ShortList& out) const;
    // Leads: the parts of the best partition, every single and every pair.
    void lean_leads(Hand hand, ShortList& out);

    // P(move) of the role to move when moves are drawn by softmax of the score at `temperature`; 1 when it had no choice.
    // Looks at the hand of the role to move only.
    float probability(const World& world, const Move& move, float temperature);

  private:
    Move lead(const World& world, bool sees_world);
    // Of the partition: when at most one part can be beaten, the others go first, the smallest ahead; -1 otherwise.
    int unbeaten_part(const World& world) const;
    Move follow(const World& world, bool sees_world);
    float lead_bonus(const World& world, const Move& move) const;
    float follow_bonus(const World& world, const Move& move, bool one_move_left) const;
    float over_mate_bonus(const World& world, const Move& move) const;
    bool must_block(const World& world);

    Evaluator evaluator_;
    Partition partition_;
};

}  // namespace mingpai::ruleplay
