// The parts of the extension: a part adds its declaration and its row here.
#pragma once
#include <nanobind/nanobind.h>

namespace mingpai::bind {

void bind_core(nanobind::module_& m);
void bind_doudizhu(nanobind::module_& m);
void bind_guandan(nanobind::module_& m);
void bind_holdem(nanobind::module_& m);
void bind_ruleplay(nanobind::module_& m);
void bind_handsplit(nanobind::module_& m);
void bind_endgame(nanobind::module_& m);
void bind_mcm(nanobind::module_& m);
void bind_handreading(nanobind::module_& m);
void bind_bidding(nanobind::module_& m);
void bind_abduction(nanobind::module_& m);
void bind_regret(nanobind::module_& m);

struct Part {
    const char* name;
    const char* doc;
    void (*bind)(nanobind::module_&);
};

inline constexpr Part parts[] = {
    {"core", "Budgets and random streams.", bind_core},
    {"doudizhu", "Rules, states and batched play of Dou Dizhu.", bind_doudizhu},
    {"guandan", "Guandan: cards, plays, rounds, matches, rule bots.", bind_guandan},
    {"holdem", "Hold'em: hand ranks, equity, the table.", bind_holdem},
    {"ruleplay", "The fast rule players of Dou Dizhu: hands split into moves, their worth, duels.", bind_ruleplay},
    {"handsplit", "Dou Dizhu: inference, tree search, endings.", bind_handsplit},
    {"endgame", "Exact solutions of open positions of Dou Dizhu.", bind_endgame},
    {"mcm", "The value network of Dou Dizhu: features, self-play, playouts, reading.", bind_mcm},
    {"abduction", "Guandan for the abductive agent: encoding, minimiser, consistency, tables.", bind_abduction},
    {"handreading", "Strength of every hold'em combination on a board.", bind_handreading},
    {"regret", "Hold'em made small, and counterfactual regret minimisation on it.", bind_regret},
    {"bidding", "Dou Dizhu bidding: the raw log, a population of players, the worth of hands.", bind_bidding},
};

}  // namespace mingpai::bind
