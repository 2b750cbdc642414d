#include "native/handreading/planner.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>

#include "native/holdem/evaluator.hpp"

namespace mingpai::handreading {

using namespace holdem;

namespace {

constexpr int kStreets = 4;
constexpr int kSamples = 32;         // imagined deals behind a player's estimate of equity
constexpr int kMaxImagined = 5;      // opponents in them; the rest by a power
constexpr double kNoise = 0.065;     // half the width of the error of an estimate on the street at hand
constexpr int kBatch = 32;           // deals between two looks at the result
constexpr double kClear = 2.6;       // standard errors that make an action clearly the best
constexpr int kTries = 64;           // to deal hands that do not clash
constexpr double kFreeBlinds = 3.0;  // as in styles.cpp
constexpr double kCommitted = 0.6;
constexpr int kFullTableOthers = 7;
constexpr int kLucks = 4;            // decisions of a seat on a street with chance of their own
constexpr int kProbes = 96;          // deals that show how the styles answer an action at once
constexpr double kLeastOdds = 0.01;  // no prediction of a fold is surer than this
constexpr float kJitter = 0.02F;     // hands this close on the axis may answer either way

// For each combination and number of others, the logarithm of the least share of a full table that holds the combination.
using NeedTable = std::array<std::array<float, kMaxSeats>, kCombos>;

const NeedTable& needs() {
    static const std::unique_ptr<NeedTable> table = [] {
        auto made = std::make_unique<NeedTable>();
        for (int combo = 0; combo < kCombos; ++combo) {
            for (int others = 1; others < kMaxSeats; ++others) {
                const double share = 1 - std::pow(1 - starting_places()[combo], static_cast<double>(others) / kFullTableOthers);
                (*made)[combo][others] = static_cast<float>(std::log(std::max(share, 1e-9)));
            }
            (*made)[combo][0] = (*made)[combo][1];
        }
        return made;
    }();
    return *table;
}

double log_share(double share) { return std::log(std::max(share, 1e-12)); }

// A style with what can be computed once.
struct Player {
    Style style;
    double limp, open, call_raise, reraise, wider;  // logarithms
    std::array<double, kMaxSeats> bet, raise;       // thresholds of equity against so many others

    void prepare(const Style& given, double lateness) {
        style = given;
        wider = 1 + given.late * lateness;
        limp = log_share(std::min(1.0, given.limp * wider));
        open = log_share(std::min(1.0, given.open * wider));
        call_raise = log_share(given.call_raise * wider);
        reraise = log_share(given.reraise * wider);
        for (int others = 0; others < kMaxSeats; ++others) {
            const double power = std::log2(std::max(others, 1) + 1.0);
            bet[others] = std::pow(given.bet, power);
            raise[others] = std::pow(given.raise, power);
        }
    }
};

// A range as a cumulative distribution over combinations ordered by strength, so that even numbers give an even spread.
class Ladder {
  public:
    void fill(const float* weights, const float* axis, bool less_is_better, CardSet blocked) {
        std::array<uint16_t, kCombos> order;
        int count = 0;
        for (int combo = 0; combo < kCombos; ++combo) {
            if (weights[combo] > 0 && !(kComboCards[combo].set() & blocked)) order[count++] = static_cast<uint16_t>(combo);
        }
        if (count == 0) throw std::invalid_argument("a range leaves no combination");
        std::sort(order.begin(), order.begin() + count, [&](uint16_t a, uint16_t b) {
            return axis[a] != axis[b] ? (axis[a] < axis[b]) != less_is_better : a < b;
        });
        combos_.assign(order.begin(), order.begin() + count);
        sums_.resize(count);
        double sum = 0;
        for (int i = 0; i < count; ++i) sums_[i] = static_cast<float>(sum += weights[combos_[i]]);
    }
    int draw(double u) const {
        assert(u >= 0 && u < 1 && !combos_.empty());
        const float target = static_cast<float>(u) * sums_.back();
        const size_t place = static_cast<size_t>(std::upper_bound(sums_.begin(), sums_.end(), target) - sums_.begin());
        return combos_[std::min(place, combos_.size() - 1)];
    }

  private:
    std::vector<uint16_t> combos_;
    std::vector<float> sums_;
};

// Hands, board and chance of one deal; estimates of equity are made when asked for.
class Deal {
  public:
    std::array<uint16_t, kMaxSeats> combos{};
    std::array<std::array<std::array<float, kLucks>, kStreets>, kMaxSeats> luck{};

    void begin(CardSet open_board, CardSet used, core::Rng& rng) {
        board_cards_ = 0;
        for (CardSet left = open_board; left; left &= left - 1) cards_[board_cards_++] = static_cast<Card>(core::lowest(left));
        CardSet taken = used | open_board;
        while (board_cards_ < kBoardCards) {
            const Card card = static_cast<Card>(rng.below(kCards));
            if (taken & bit_of(card)) continue;
            taken |= bit_of(card);
            cards_[board_cards_++] = card;
        }
        for (auto& row : equities_) row.fill(-1);
        ranks_.fill(0);
        has_samples_.fill(false);
        seed_ = rng.next();
    }

    HandRank rank(int seat) {
        if (ranks_[seat] == 0) {
            CardSet set = kComboCards[combos[seat]].set();
            for (const Card card : cards_) set |= bit_of(card);
            ranks_[seat] = Evaluator::get().rank_set(set);
        }
        return ranks_[seat];
    }

    // The share of a pot against `others` uniform hands, as the seat would estimate it on a street to come.
    double equity(int seat, int street, int others, int imagined) {
        assert(street > 0 && street < kStreets && imagined > 0);
        float& known = equities_[seat][street];
        if (known < 0) known = estimate(seat, street, imagined);
        return others == imagined ? known : std::pow(static_cast<double>(known), static_cast<double>(others) / imagined);
    }

  private:
    struct Sample {
        CardSet full, used;  // the imagined board; and with the imagined hands
        uint64_t code;
        HandRank best;
    };

    float estimate(int seat, int street, int imagined) {
        if (!has_samples_[street]) imagine(street, imagined);
        const Evaluator& evaluator = Evaluator::get();
        const Combo cards = kComboCards[combos[seat]];
        const CardSet hand = cards.set();
        const uint64_t code = kCardCodes[cards.low] + kCardCodes[cards.high];
        int count = 0, won = 0;
        for (const Sample& sample : samples_[street]) {
            if (sample.used & hand) continue;
            const HandRank own = evaluator.rank<7>(sample.code + code, sample.full | hand);
            won += own > sample.best ? 2 : own == sample.best;
            ++count;
        }
        return count ? static_cast<float>(won) / static_cast<float>(2 * count) : 0.5F;
    }

    void imagine(int street, int imagined) {
        has_samples_[street] = true;
        const Evaluator& evaluator = Evaluator::get();
        core::Rng rng(core::stream_seed(seed_, static_cast<uint64_t>(street)));
        const int open = street + 2;
        CardSet board = 0;
        uint64_t board_code = kEmptyHand;
        for (int i = 0; i < open; ++i) {
            board |= bit_of(cards_[i]);
            board_code += kCardCodes[cards_[i]];
        }
        for (Sample& sample : samples_[street]) {
            CardSet taken = board;
            const auto draw = [&] {
                for (;;) {
                    const Card card = static_cast<Card>((rng.next() >> 32) * kCards >> 32);
                    if (taken & bit_of(card)) continue;
                    taken |= bit_of(card);
                    return card;
                }
            };
            sample.code = board_code;
            for (int i = open; i < kBoardCards; ++i) sample.code += kCardCodes[draw()];
            sample.full = taken;
            sample.best = 0;
            for (int i = 0; i < imagined; ++i) {
                const Card a = draw(), b = draw();
                sample.best = std::max(sample.best, evaluator.rank<7>(sample.code + kCardCodes[a] + kCardCodes[b], sample.full | bit_of(a) | bit_of(b)));
            }
            sample.used = taken;
        }
    }

    std::array<Card, kBoardCards> cards_{};
    int board_cards_ = 0;
    uint64_t seed_ = 0;
    std::array<std::array<float, kStreets>, kMaxSeats> equities_{};
    std::array<HandRank, kMaxSeats> ranks_{};
    std::array<bool, kStreets> has_samples_{};
    std::array<std::array<Sample, kSamples>, kStreets> samples_;
};

// A line of play: the betting, and what players look at beside it.
struct Line : Betting {
    const TableSetup* setup;
    const TableRules* rules;
    Chips pot;
    int raises = 0;                              // on this street
    int preflop_leader = -1;
    std::array<uint8_t, kMaxSeats> decisions{};  // on this street

    explicit Line(const Table& table)
        : Betting(table.status()), setup(&table.setup()), rules(&table.rules()), pot(table.pot()) {
        for (size_t i = 0; i < table.actions().size(); ++i) {
            if (table.actions()[i].kind != ActionKind::kRaise) continue;
            if (table.street_of(i) == Street::kPreflop) preflop_leader = table.actor(i);
            raises += table.street_of(i) == street;
        }
    }

    int street_number() const { return static_cast<int>(street); }
    int others() const { return core::popcount(live) - 1; }

    void play(const Action& action) {
        const int seat = to_act;
        const Street before = street;
        const Chips had = stacks[seat];
        if (decisions[seat] < kLucks - 1) ++decisions[seat];
        if (action.kind == ActionKind::kRaise) {
            ++raises;
            if (street == Street::kPreflop) preflop_leader = seat;
        }
        act(*setup, *rules, action);
        pot += had - stacks[seat];
        assert(pot == Betting::pot());
        if (street == before) return;
        decisions.fill(0);
        raises = 0;
    }

    // A raise to about `to`; a call when there is nobody to raise or nothing to raise with.
    Action raise_to(double to) const {
        const Chips most = bets[to_act] + stacks[to_act];
        const uint16_t rivals = static_cast<uint16_t>(able(setup->seats) & ~seat_bit(to_act));
        assert(!is_over());
        if (most <= current_bet || !rivals) return {ActionKind::kCall, 0};
        if (to >= kCommitted * static_cast<double>(most)) return {ActionKind::kRaise, most};
        return {ActionKind::kRaise, std::clamp(static_cast<Chips>(to), std::min(current_bet + raise_size, most), most)};
    }

    // What the seat has at the end beyond what it has now behind, once the hand is over.
    Chips won_by(int seat, Deal& deal) const {
        if (!is_live(seat)) return stacks[seat];
        if (live == 1 << seat) return stacks[seat] + pot;
        assert(is_over());
        Chips won = 0, level = 0;
        for (;;) {
            // The next layer of the pot: up to the smallest payment above the last one.
            Chips next = 0;
            for (int s = 0; s < setup->seats; ++s) {
                if ((live >> s & 1) && paid[s] > level && (next == 0 || paid[s] < next)) next = paid[s];
            }
            if (next == 0 || paid[seat] <= level) return stacks[seat] + won;
            Chips layer = 0;
            for (int s = 0; s < setup->seats; ++s) layer += std::clamp(paid[s] - level, Chips{0}, next - level);
            HandRank best = 0;
            int winners = 0;
            for (int s = 0; s < setup->seats; ++s) {
                if (!(live >> s & 1) || paid[s] < next) continue;
                const HandRank rank = deal.rank(s);
                winners = rank > best ? 1 : winners + (rank == best);
                best = std::max(best, rank);
            }
            if (deal.rank(seat) == best) won += layer / winners;
            level = next;
        }
    }
};

// How an opponent answers an action at once, where he folds more or less often than his style says: then it is his best
// folding hands that call, or his weakest calling ones that fold.
class Correction {
  public:
    void see(ActionKind natural, float strength) {
        ++seen_;
        if (natural == ActionKind::kFold) folding_.push_back(strength);
        if (natural == ActionKind::kCall) calling_.push_back(strength);
    }

    // The chance of a fold as the style has it, at most `limit`, is moved by `offset` on the scale of log odds.
    void settle(double offset, double limit) {
        if (seen_ == 0) return;
        const double predicted = static_cast<double>(folding_.size()) / seen_;
        const double odds = std::clamp(std::min(predicted, limit), kLeastOdds, 1 - kLeastOdds);
        const double believed = 1 / (1 + (1 - odds) / odds * std::exp(-offset));
        const size_t more = static_cast<size_t>(std::lround(std::max(0.0, believed - predicted) * seen_));
        const size_t fewer = static_cast<size_t>(std::lround(std::max(0.0, predicted - believed) * seen_));
        std::sort(folding_.begin(), folding_.end());
        std::sort(calling_.begin(), calling_.end());
        if (fewer > 0 && (offset < 0 || predicted > limit)) calls_from_ = folding_[folding_.size() - std::min(fewer, folding_.size())];
        if (more > 0 && offset > 0 && !calling_.empty()) folds_up_to_ = calling_[std::min(more, calling_.size()) - 1];
    }

    Action apply(const Action& natural, float strength) const {
        if (natural.kind == ActionKind::kFold && strength >= calls_from_) return {ActionKind::kCall, 0};
        if (natural.kind == ActionKind::kCall && strength <= folds_up_to_) return {ActionKind::kFold, 0};
        return natural;
    }

  private:
    int seen_ = 0;
    std::vector<float> folding_, calling_;  // strengths
    float calls_from_ = std::numeric_limits<float>::infinity(), folds_up_to_ = -std::numeric_limits<float>::infinity();
};

// One decision played out many times.
class Planner {
  public:
    Planner(const PlanQuery& query, core::Budget& budget)
        : query_(query), budget_(budget), start_(*query.table), seat_(start_.to_act), rng_(query.seed),
          others_(std::max(1, start_.others())), imagined_(std::min(others_, kMaxImagined)) {
        const Table& table = *query.table;
        for (int i = 0; i < table.status().board_count; ++i) board_ |= bit_of(table.board()[i]);
        hero_ = combo_of(table.holes()[seat_][0], table.holes()[seat_][1]);
        prepare_players(table);
        prepare_ranges();
        won_.resize(query.actions.size() * query.plans.size());
        sums_.resize(won_.size());
        // After a fold there is nothing to go on with.
        for (size_t row = 0; row < won_.size(); ++row) {
            is_open_.push_back(row % plans_.size() == 0 || query.actions[row / plans_.size()].kind != ActionKind::kFold);
        }
        folds_.resize(query.actions.size());
        chances_.resize(query.actions.size());
        predicted_.resize(query.actions.size());
        corrections_.resize(query.fold_offsets.size());
    }

    PlanResult run() {
        if (!query_.fold_offsets.empty()) probe();
        int deals = 0;
        while (deals < query_.deals) {
            for (int i = 0; i < kBatch; ++i) {
                deal_hands();
                play_all();
            }
            deals += kBatch;
            if (budget_.spend(kBatch) || narrow()) break;
        }
        return result(deals);
    }

  private:
    double lateness(const Table& table, int seat) const {
        const int dealt = core::popcount(table.status().dealt);
        if (seat == table.big_blind_seat() || (dealt > 2 && seat == table.small_blind_seat())) return 0;
        const int from_button = (table.setup().button - seat + table.setup().seats) % table.setup().seats;
        return from_button == 0 ? 1.0 : from_button == 1 ? 0.5 : 0.0;
    }

    void prepare_players(const Table& table) {
        for (int s = 0; s < query_.table->setup().seats; ++s) {
            if (s == seat_ || !(start_.live >> s & 1)) continue;
            if (query_.styles[s].empty()) throw std::invalid_argument("a live opponent has no style");
            players_[s].resize(query_.styles[s].size());
            for (size_t i = 0; i < players_[s].size(); ++i) players_[s][i].prepare(query_.styles[s][i], lateness(table, s));
        }
        plans_.resize(query_.plans.size());
        for (size_t i = 0; i < plans_.size(); ++i) plans_[i].prepare(query_.plans[i], lateness(table, seat_));
    }

    void prepare_ranges() {
        const CardSet known = board_ | kComboCards[hero_].set();
        const float* axis = board_ ? query_.axis : starting_places().data();
        for (int s = 0; s < query_.table->setup().seats; ++s) {
            if (s == seat_ || !(start_.live >> s & 1)) continue;
            rivals_.push_back(s);
            ladders_[s].fill(query_.ranges + static_cast<size_t>(s) * kCombos, axis, !board_, known);
            phases_[s] = rng_.uniform();
        }
    }

    // Hands from the ranges: an even spread over each range, dealt anew when two clash.
    void deal_hands() {
        static constexpr std::array<double, kMaxSeats> kSteps = {0.61803398875, 0.41421356237, 0.73205080757, 0.23606797750,
                                                                 0.64575131106, 0.31662479036, 0.60555127546, 0.12310562562,
                                                                 0.35889894354, 0.79583152331};
        deal_.combos[seat_] = static_cast<uint16_t>(hero_);
        CardSet used = 0;
        for (int tries = 0; tries < kTries; ++tries) {
            used = kComboCards[hero_].set();
            bool is_clear = true;
            int step = 0;
            for (const int s : rivals_) {
                double& phase = phases_[s];
                phase += kSteps[step++];
                if (phase >= 1) phase -= 1;
                deal_.combos[s] = static_cast<uint16_t>(ladders_[s].draw(phase));
                const CardSet hand = kComboCards[deal_.combos[s]].set();
                is_clear &= !(hand & used);
                used |= hand;
            }
            if (is_clear) break;
        }
        assert(used >> kCards == 0);
        deal_.begin(board_, used, rng_);
        ++dealt_;
        for (const int s : rivals_) draw_luck(s);
        draw_luck(seat_);
    }

    void draw_luck(int seat) {
        for (auto& street : deal_.luck[seat]) {
            for (float& luck : street) luck = rng_.uniformf();
        }
    }

    // Sees how the styles answer each raise at once, and from that which hands answer otherwise.
    void probe() {
        for (int i = 0; i < kProbes; ++i) {
            deal_hands();
            for (size_t a = 0; a < query_.actions.size(); ++a) {
                if (query_.actions[a].kind == ActionKind::kRaise) probe_action(a);
            }
        }
        for (size_t a = 0; a < corrections_.size(); ++a) {
            for (const int s : rivals_) {
                corrections_[a][s].settle(query_.fold_offsets[a][s], query_.fold_limits.empty() ? 1.0 : query_.fold_limits[a][s]);
            }
        }
    }

    void probe_action(size_t a) {
        Line line = start_;
        line.play(query_.actions[a]);
        while (!line.is_over() && line.street == start_.street && line.to_act != seat_) {
            const int s = line.to_act;
            const Action natural = choose(line, player_at(s));
            corrections_[a][s].see(natural.kind, strength(s));
            line.play(natural);
            if (natural.kind == ActionKind::kRaise) break;
        }
        predicted_[a] += line.live == 1 << seat_;
    }

    // Where the hand of an opponent stands among all on the board.
    float strength(int seat) const {
        const float place = board_ ? query_.axis[deal_.combos[seat]] : -starting_places()[deal_.combos[seat]];
        return place + kJitter * deal_.luck[seat][start_.street_number()][kLucks - 1];
    }

    // What the player to act does after one's action: his first answer to it may be corrected.
    Action answer(const Line& line, size_t a, uint16_t& answered) {
        const int s = line.to_act;
        const Action natural = choose(line, player_at(s));
        const bool is_first = !(answered & seat_bit(s)) && line.street == start_.street;
        answered |= seat_bit(s);
        const bool is_corrected = is_first && !corrections_.empty() && query_.actions[a].kind == ActionKind::kRaise;
        return is_corrected ? corrections_[a][s].apply(natural, strength(s)) : natural;
    }

    void play_all() {
        for (size_t a = 0; a < query_.actions.size(); ++a) {
            Line after = start_;
            after.play(query_.actions[a]);
            bool is_first = true;
            for (size_t p = 0; p < plans_.size(); ++p) {
                if (!is_open_[a * plans_.size() + p]) continue;
                if (after.is_over() || query_.actions[a].kind == ActionKind::kFold) {
                    take(a * plans_.size() + p, after.won_by(seat_, deal_) - start_.stacks[seat_]);
                    continue;
                }
                Line line = after;
                uint16_t answered = 0;
                while (!line.is_over() && line.is_live(seat_)) {
                    line.play(line.to_act == seat_ ? choose(line, plans_[p]) : answer(line, a, answered));
                }
                take(a * plans_.size() + p, line.won_by(seat_, deal_) - start_.stacks[seat_]);
                chances_[a] += is_first;
                folds_[a] += is_first && line.street == start_.street && line.live == 1 << seat_;
                is_first = false;
            }
        }
    }

    const Player& player_at(int seat) const { return players_[seat][dealt_ % players_[seat].size()]; }

    Action choose(const Line& line, const Player& player) {
        return line.street == Street::kPreflop ? before_flop(line, player) : after_flop(line, player);
    }

    Action before_flop(const Line& line, const Player& player) {
        const int seat = line.to_act;
        const double need = needs()[deal_.combos[seat]][std::max(1, line.others())];
        const double luck = deal_.luck[seat][0][line.decisions[seat]];
        const bool may_check = line.cost() == 0;
        const Action pass{may_check ? ActionKind::kCheck : ActionKind::kFold, 0};
        const Action stay{may_check ? ActionKind::kCheck : ActionKind::kCall, 0};
        if (line.raises == 0) {
            if (player.open > need && luck >= player.style.slow) {
                return line.raise_to(player.style.open_size * static_cast<double>(line.setup->big_blind));
            }
            return player.limp > need ? stay : pass;
        }
        const double blinds = static_cast<double>(line.cost()) / static_cast<double>(line.setup->big_blind);
        const double narrower = -player.style.caution * std::log(std::max(1.0, blinds / kFreeBlinds));
        if (player.reraise + narrower > need && luck >= player.style.slow) return raise_by_pot(line, 1.0);
        return player.call_raise + narrower - std::log(static_cast<double>(line.raises)) > need ? stay : pass;
    }

    Action after_flop(const Line& line, const Player& player) {
        const int seat = line.to_act, others = std::max(1, line.others());
        const double luck = deal_.luck[seat][line.street_number()][line.decisions[seat]];
        const double equity = equity_of(line, seat, others);
        const Style& style = player.style;
        const double cost = static_cast<double>(line.cost());
        if (cost == 0) {
            const bool follows = line.preflop_leader == seat && line.street == Street::kFlop;
            const bool bets = equity >= player.bet[others] ? luck >= style.slow : luck < style.bluff + (follows ? style.follow_up : 0.0);
            return bets ? raise_by_pot(line, style.size) : Action{ActionKind::kCheck, 0};
        }
        const double price = cost / (static_cast<double>(line.pot) + cost);
        const double believed = equity - style.fear * price * line.raises;
        if (believed >= player.raise[others] && luck >= style.slow) return raise_by_pot(line, style.size);
        if (believed >= price + style.margin) return {ActionKind::kCall, 0};
        return luck < style.bluff_raise ? raise_by_pot(line, style.size) : Action{ActionKind::kFold, 0};
    }

    double equity_of(const Line& line, int seat, int others) {
        if (line.street != start_.street) return deal_.equity(seat, line.street_number(), others, imagined_);
        const double exact = query_.axis[deal_.combos[seat]];
        const double noise = kNoise * (2 * deal_.luck[seat][0][line.decisions[seat]] - 1);
        const double equity = others == others_ ? exact : std::pow(exact, static_cast<double>(others) / others_);
        return equity + noise * 4 * equity * (1 - equity);
    }

    static Action raise_by_pot(const Line& line, double share) {
        const double cost = static_cast<double>(line.cost());
        return line.raise_to(static_cast<double>(line.current_bet) + share * (static_cast<double>(line.pot) + cost));
    }

    // ---- results ----------------------------------------------------------------------------------------------------

    void take(size_t row, Chips chips) {
        won_[row].push_back(static_cast<float>(chips));
        sums_[row] += query_.risk != 0 ? std::exp(-query_.risk * static_cast<double>(chips)) : static_cast<double>(chips);
    }

    // The certainty equivalent of a row.
    double value_of(size_t row) const {
        assert(!won_[row].empty());
        const double average = sums_[row] / static_cast<double>(won_[row].size());
        return query_.risk != 0 ? -std::log(average) / query_.risk : average;
    }

    // The best plan among those not dropped; of an action that was dropped, among all.
    size_t best_plan(size_t action) const {
        const size_t first = action * plans_.size();
        const bool is_dropped = std::none_of(is_open_.begin() + first, is_open_.begin() + first + plans_.size(), [](bool open) { return open; });
        size_t best = plans_.size();
        double most = 0;
        for (size_t p = 0; p < plans_.size(); ++p) {
            if (won_[first + p].empty() || (!is_open_[first + p] && !is_dropped)) continue;
            const double value = value_of(first + p);
            if (best == plans_.size() || value > most) best = p, most = value;
        }
        return best;
    }

    // Mean and standard error of what one row wins more than another, on the deals both were played in.
    std::pair<double, double> gain(const std::vector<float>& one, const std::vector<float>& other) const {
        const size_t deals = std::min(one.size(), other.size());
        double sum = 0, squares = 0;
        for (size_t i = 0; i < deals; ++i) {
            const double more = one[i] - other[i];
            sum += more;
            squares += more * more;
        }
        assert(deals > 0);
        const double n = static_cast<double>(deals), mean = sum / n;
        return {mean, std::sqrt(std::max(0.0, squares / n - mean * mean) / n)};
    }

    bool is_clearly_better(const std::vector<float>& one, const std::vector<float>& other) const {
        const auto [mean, error] = gain(one, other);
        return mean > kClear * error;
    }

    // Drops the actions that are clearly worse than the best one, and the plans that clearly are not their action's best.
    // True when one action is left.
    bool narrow() {
        size_t best = query_.actions.size();
        double most = 0;
        std::vector<size_t> plans(query_.actions.size());
        for (size_t a = 0; a < query_.actions.size(); ++a) {
            if (!is_open_[a * plans_.size() + (plans[a] = best_plan(a))]) continue;
            const double value = value_of(a * plans_.size() + plans[a]);
            if (best == query_.actions.size() || value > most) best = a, most = value;
        }
        assert(best < query_.actions.size());
        const std::vector<float>& leader = won_[best * plans_.size() + plans[best]];
        int left = 0;
        for (size_t a = 0; a < query_.actions.size(); ++a) {
            const std::vector<float>& own = won_[a * plans_.size() + plans[a]];
            const bool is_out = a != best && is_clearly_better(leader, own);
            bool is_open = false;
            for (size_t p = 0; p < plans_.size(); ++p) {
                const size_t row = a * plans_.size() + p;
                if (is_open_[row] && (is_out || (p != plans[a] && is_clearly_better(own, won_[row])))) is_open_[row] = false;
                is_open |= is_open_[row];
            }
            left += is_open;
        }
        return left == 1;
    }

    PlanResult result(int deals) const {
        PlanResult out;
        out.deals = deals;
        for (size_t a = 0; a < query_.actions.size(); ++a) {
            PlanRow row;
            row.plan = static_cast<int>(best_plan(a));
            const std::vector<float>& won = won_[a * plans_.size() + row.plan];
            row.value = value_of(a * plans_.size() + row.plan);
            double sum = 0, squares = 0;
            for (const float chips : won) sum += chips, squares += static_cast<double>(chips) * chips;
            const double n = static_cast<double>(won.size());
            row.mean = sum / n;
            row.error = std::sqrt(std::max(0.0, squares / n - row.mean * row.mean) / n);
            row.folds = chances_[a] ? static_cast<double>(folds_[a]) / chances_[a] : 0;
            row.predicted = corrections_.empty() ? row.folds : static_cast<double>(predicted_[a]) / kProbes;
            out.rows.push_back(row);
        }
        return out;
    }

    const PlanQuery& query_;
    core::Budget& budget_;
    Line start_;
    int seat_;
    core::Rng rng_;
    int others_, imagined_;
    int hero_ = 0;
    CardSet board_ = 0;
    std::vector<int> rivals_;
    std::array<std::vector<Player>, kMaxSeats> players_;
    size_t dealt_ = 0;
    std::vector<Player> plans_;
    std::array<Ladder, kMaxSeats> ladders_;
    std::array<double, kMaxSeats> phases_{};
    Deal deal_;
    std::vector<std::vector<float>> won_;  // for each action and plan, the units won in each deal
    std::vector<double> sums_;             // and the sum of their utilities
    std::vector<bool> is_open_;            // and whether it is still played
    std::vector<int> folds_, chances_;     // for each action, deals in which everybody folded at once, and deals counted
    std::vector<int> predicted_;           // deals of the probe in which the styles made everybody fold at once
    std::vector<std::array<Correction, kMaxSeats>> corrections_;  // for each action and opponent
};

}  // namespace

PlanResult plan(const PlanQuery& query, core::Budget& budget) {
    if (query.actions.empty() || query.plans.empty()) throw std::invalid_argument("a plan needs actions and ways to go on");
    if (query.table->is_over()) throw std::invalid_argument("nobody is to act");
    return std::make_unique<Planner>(query, budget)->run();
}

}  // namespace mingpai::handreading
