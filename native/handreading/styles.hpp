// Rule players of different styles: how often they enter, raise, bluff and call, and how they weigh equity and price.
#pragma once
#include <array>
#include <cstdint>

#include "native/core/rng.hpp"
#include "native/holdem/table.hpp"

namespace mingpai::handreading {

// Shares of starting hands are those of a full table, seven others to beat; against fewer they widen (see widened()).
struct Style {
    double limp = 0.2;         // hands that enter for the blind
    double open = 0.1;         // hands that raise when nobody has
    double call_raise = 0.1;   // hands that call a raise
    double reraise = 0.03;     // hands that raise again
    double late = 0.0;         // how much wider in late position: 1 doubles the shares on the button
    double caution = 0.5;      // how fast the calling range shrinks with the price before the flop
    double open_size = 3.0;    // an opening raise, in big blinds
    double bet = 0.6;          // standing (0.5 is an average hand) that bets when nobody has
    double raise = 0.75;       // standing that raises a bet
    double margin = 0.0;       // equity above the price that a call needs
    double fear = 0.3;         // equity written off for a bet, by its price: bets mean strength
    double bluff = 0.1;        // chance to bet a hand below `bet` when nobody has
    double bluff_raise = 0.0;  // chance to raise a bet with a hand that would fold
    double follow_up = 0.0;    // extra chance to bet on the flop after raising before it
    double slow = 0.0;         // chance to check or call with a hand that would bet or raise
    double size = 0.7;         // bets and raises, by the pot
    int samples = 150;         // deals behind an estimate of equity
};

// The share of starting hands against `others` players that `share` is at a full table: as rare to be beaten.
double widened(double share, int others);

// For each combination the share of all combinations that start better: 0 for aces.
const std::array<float, holdem::kCombos>& starting_places();

// The style's action for the seat to act. Depends on the table and the random numbers alone, and on no hidden card.
holdem::Action style_action(const holdem::Table& table, const Style& style, core::Rng& rng);

}  // namespace mingpai::handreading
