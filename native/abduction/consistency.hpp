// What the knowledge of a seat allows an estimate of the hidden hands to be, the Euclidean projection on that set, and worlds
// drawn from an estimate.
#pragma once
#include <array>

#include "native/abduction/encoding.hpp"
#include "native/guandan/knowledge.hpp"

namespace mingpai::abduction {

// Copies of each kind at the three other seats, from the next one on.
using Estimate = std::array<double, kEstimateSize>;

// The estimates that agree with a seat's knowledge: bounds for every entry, copies of a kind over the seats add up to the
// unseen ones, cards of a seat to its hand size. Convex, and the true hands are in it.
struct Consistent {
    Estimate low{}, high{};
    std::array<double, guandan::kKinds> unseen{};
    std::array<double, kOthers> sizes{};

    explicit Consistent(const guandan::Knowledge& knowledge);
    // Largest amount by which an estimate leaves the set.
    double violation(const Estimate& estimate) const;
};

// The nearest point of the set. So it is never farther from the true hands than the estimate was.
Estimate project(const Consistent& set, const Estimate& estimate);
// What counting alone says: every unseen card at each seat that may hold it in proportion to the room there, then projected.
Estimate counted(const Consistent& set);

// Draws worlds that agree with the knowledge, likelier where the estimate puts the cards: deals have weight
// product of estimate^copies. By exchanges of cards between two seats, starting from a uniform deal.
class EstimateSampler {
  public:
    EstimateSampler(const guandan::Knowledge& knowledge, const Estimate& estimate);
    bool is_possible() const { return uniform_.is_possible(); }
    std::array<guandan::Cards, guandan::kSeats> sample(core::Rng& rng) const;

  private:
    guandan::Knowledge known_;
    guandan::WorldSampler uniform_;
    std::array<float, kEstimateSize> weight_{};
};

}  // namespace mingpai::abduction
