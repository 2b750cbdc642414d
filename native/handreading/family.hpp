// A family of players: a Style as a model of somebody else, with its numbers learned from what he does.
//
// A player of the family estimates equity against uniform hands and compares it with thresholds. His estimate is noisy, so
// every threshold is a ramp. Each number of the style has a distribution over a grid of values; an action multiplies it by
// the likelihood of the action, summed over the hands he may hold, the other numbers at their means.
#pragma once
#include <array>
#include <vector>

#include "native/handreading/styles.hpp"
#include "native/holdem/cards.hpp"

namespace mingpai::handreading {

// What a player faces when he acts.
struct BettingSpot {
    bool is_preflop = true;
    bool is_free = false;   // he may check
    bool has_led = false;   // he made the last raise before the flop
    int others = 1;         // live players besides him
    int raises = 0;         // on this street
    double price = 0;       // cost of a call by the pot after it
    double cost = 0;        // of a call, in big blinds
    double lateness = 0;    // 1 on the button, 0.5 next to it, else 0
};

enum class Answer : uint8_t { kFold, kCall, kRaise };  // checks are calls
inline constexpr int kAnswers = 3;

// One row of probabilities for each answer, one column for each combination.
using AnswerChances = std::array<std::array<float, holdem::kCombos>, kAnswers>;

// The chances of each answer of every hand. `axis` is the share of better starting hands before the flop, else the equity
// against `others` uniform hands.
void respond(const Style& style, const BettingSpot& spot, const float* axis, AnswerChances& out);

// Equity against `others` uniform hands from the mean and the spread of the share against one: moments of a beta distribution.
void multiway(const float* equity, const float* spread, int others, float* out);

class Learner {
  public:
    Learner();
    // An action of the player, who held the combinations with these weights before it.
    void observe(const BettingSpot& spot, Answer answer, const float* axis, const float* weights);
    // A raise by its share of the pot after the flop, by big blinds when it opens the betting before it.
    void observe_size(bool is_preflop, double size);
    // The family's player with the mean of every number.
    const Style& style() const { return style_; }
    // A player that may be the one, each number drawn by its probability.
    Style draw(core::Rng& rng) const;

    // Everything learned, and back. Throws std::invalid_argument for a state of another shape.
    std::vector<std::vector<double>> state() const;
    void restore(const std::vector<std::vector<double>>& state);

  private:
    struct Histogram;
    void learn(size_t number, const BettingSpot& spot, Answer answer, const Histogram& histogram);
    void take_means();

    std::vector<std::vector<double>> chances_;  // for each number, the probability of each value of its grid
    std::array<double, 4> sizes_;               // sum and count of sizes after the flop and of opening raises
    Style style_;
};

}  // namespace mingpai::handreading
