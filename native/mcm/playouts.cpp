#include "native/mcm/playouts.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "native/core/rng.hpp"

namespace mingpai::mcm {

namespace {

// Half a stake is as close as one unit of the margin.
constexpr float kMarginOfPoints = 0.5f;
// A logit beyond this is as good as the result.
constexpr float kSure = 3;
// Answers of a hand of more turns than this are not looked through for a sure win.
constexpr int kFewTurns = 2;

int column_of(Objective objective) { return objective == Objective::Points ? kPointsColumn : kWinColumn; }

double expected(float value, bool points) {
    return points ? static_cast<double>(value) : 1 / (1 + std::exp(-static_cast<double>(value)));
}

ruleplay::World world_of(const OpenTable& table) {
    ruleplay::World world;
    static_cast<doudizhu::Trick&>(world) = table.play;
    world.hands = table.hands;
    for (int role = 0; role < kRoles; ++role) world.counts[role] = static_cast<uint8_t>(table.play.cards_left(role));
    return world;
}

// A candidate: its move, what is known of it beforehand, and the result in each world played.
struct Candidate {
    int move;
    double network;
    double sum, weight;  // of what is known beforehand
    bool is_open = true;
    std::vector<double> results{};

    // `worlds` has the weight of each world played.
    double score(const std::vector<double>& worlds) const {
        double all = sum, count = weight;
        for (size_t i = 0; i < results.size(); ++i) {
            all += worlds[i] * results[i];
            count += worlds[i];
        }
        return count > 0 ? all / count : network;
    }
};

// What the network values close to its best move, best first, and what is hinted at.
std::vector<Candidate> candidates_of(const Position& position, const std::vector<float>& values, const std::vector<int>& order,
                                     const std::vector<Hint>& hints, const PlayoutSettings& settings) {
    const auto value = [&](int move) { return values[static_cast<size_t>(move)]; };
    // Of a move without a hint nothing is known: it is taken to be like the candidates that have one.
    double sum = 0, weight = 0;
    int count = 0;
    for (const Hint& hint : hints) {
        weight = std::max(weight, hint.weight);
        sum += hint.is_candidate ? hint.value : 0;
        count += hint.is_candidate;
    }
    const double neutral = count > 0 ? sum / count : 0;
    const float least = value(order[0]) - settings.margin * (settings.points ? kMarginOfPoints : 1);
    std::vector<Candidate> out;
    for (const int move : order) {
        const auto hint = std::find_if(hints.begin(), hints.end(), [&](const Hint& h) {
            return h.move == position.moves[static_cast<size_t>(move)];
        });
        const bool is_close = static_cast<int>(out.size()) < settings.width && value(move) >= least;
        if (!is_close && (hint == hints.end() || !hint->is_candidate)) continue;
        const double network = expected(value(move), settings.points);
        Candidate candidate{move, network, settings.trust * network, settings.trust};
        candidate.sum += hint != hints.end() ? hint->weight * hint->value : weight * neutral;
        candidate.weight += hint != hints.end() ? hint->weight : weight;
        out.push_back(std::move(candidate));
    }
    return out;
}

// Closes the candidates that are behind the best by `clear` standard errors of the paired difference. `unit`: between a deal won and
// one lost. Returns how many are open.
int drop_clearly_behind(std::vector<Candidate>& candidates, const std::vector<double>& worlds, double clear, double unit) {
    const Candidate* best = nullptr;
    for (const Candidate& candidate : candidates) {
        if (candidate.is_open && (!best || candidate.score(worlds) > best->score(worlds))) best = &candidate;
    }
    assert(best && !best->results.empty() && best->results.size() <= worlds.size());
    double weight = 0;
    for (size_t i = 0; i < best->results.size(); ++i) weight += worlds[i];
    int open = 1;
    for (Candidate& candidate : candidates) {
        if (!candidate.is_open || &candidate == best) continue;
        assert(candidate.results.size() == best->results.size());
        double sum = 0;
        for (size_t i = 0; i < candidate.results.size(); ++i) sum += worlds[i] * (best->results[i] - candidate.results[i]);
        const double mean = sum / weight;
        // One more result of either sign: equal results so far prove nothing.
        double squares = unit * unit * (weight * weight / static_cast<double>(candidate.results.size() * candidate.results.size()));
        for (size_t i = 0; i < candidate.results.size(); ++i) {
            const double difference = best->results[i] - candidate.results[i] - mean;
            squares += worlds[i] * worlds[i] * difference * difference;
        }
        candidate.is_open = mean <= clear * std::sqrt(squares) / weight;
        open += candidate.is_open;
    }
    return open;
}

// The deals of one round: every open candidate on the same worlds, world by world shared among the workers.
class Round {
  public:
    Round(size_t workers) : shares_(workers) {}

    void add(const OpenTable& table, size_t world) {
        std::vector<NetworkPlayer::Deal>& share = shares_[world % shares_.size()];
        places_.emplace_back(world % shares_.size(), share.size());
        share.push_back({table});
    }

    // In the order added. False when the budget was used up.
    template <class PlayerOf>
    bool play(PlayerOf player_of, Objective objective, int depth, core::Budget& budget) {
        std::vector<char> is_done(shares_.size(), 0);
        const auto work = [&](size_t t) { is_done[t] = player_of(t).play_out(shares_[t], objective, depth, budget); };
        std::vector<std::thread> others;
        for (size_t t = 1; t < shares_.size(); ++t) others.emplace_back(work, t);
        work(0);
        for (std::thread& other : others) other.join();
        return std::count(is_done.begin(), is_done.end(), 0) == 0;
    }
    const NetworkPlayer::Deal& operator[](size_t i) const { return shares_[places_[i].first][places_[i].second]; }

  private:
    std::vector<std::vector<NetworkPlayer::Deal>> shares_;
    std::vector<std::pair<size_t, size_t>> places_;  // of each deal: worker and index
};

}  // namespace

double result_of(const NetworkPlayer::Deal& deal, int role, int doublings_before, const doudizhu::Rules& rules, bool points) {
    const doudizhu::Trick& end = deal.table.play;
    if (deal.landlord_value) {
        const double value = *deal.landlord_value;
        if (!points) return role == kLandlord ? value : 1 - value;
        return std::ldexp(role == kLandlord ? value : -value, end.bomb_doublings(rules) - doublings_before);
    }
    assert(deal.table.is_over());
    const bool won = !are_enemies(role, end.owner);
    if (!points) return won ? 1 : 0;
    return std::ldexp(won ? 1.0 : -1.0, end.doublings(rules) - doublings_before);
}

bool NetworkPlayer::advance(OpenTable& table) {
    while (!table.is_over()) {
        const Hand hand = table.hands[table.play.turn];
        const bool leads = table.play.last.is_pass();
        const int hand_turns = turns_(hand);
        Move sure;
        if ((leads || hand_turns <= kFewTurns) && policy_.winning_move(world_of(table), sure)) {
            table.apply(sure);
            continue;
        }
        doudizhu::legal_moves(hand, table.play.last, policy_.rules(), list_);
        sensible_.clear();
        for (const Move& move : list_) {
            const int change = turns_(hand - move.cards) - hand_turns;
            if (change < 0 || (!leads && change == 0)) sensible_.push_back(move);
        }
        assert(!list_.empty());
        if (sensible_.empty()) sensible_.assign(list_.begin(), list_.end());
        if (sensible_.size() > 1) return true;
        table.apply(sensible_[0]);
    }
    return false;
}

bool NetworkPlayer::play_out(std::vector<Deal>& deals, Objective objective, int depth, core::Budget& budget) {
    const int column = column_of(objective);
    std::vector<Deal*> open;
    for (Deal& deal : deals) open.push_back(&deal);
    for (int step = 1; !open.empty(); ++step) {
        // 1. The choices of every deal that goes on.
        questions_.clear();
        options_.clear();
        size_t kept = 0;
        for (Deal* deal : open) {
            OpenTable& table = deal->table;
            if (!advance(table)) continue;
            open[kept++] = deal;
            questions_.add({table.play, table.hands[table.play.turn], objective, policy_.rules()}, sensible_, turns_);
            options_.insert(options_.end(), sensible_.begin(), sensible_.end());
        }
        open.resize(kept);
        if (open.empty()) break;
        if (budget.spend(kept)) return false;
        // 2. What the network finds best.
        assert(questions_.offsets.back() == static_cast<int>(options_.size()));
        network_.values(questions_, scratch_, values_);
        assert(values_.size() == options_.size() * kValueColumns);
        decisions += static_cast<int64_t>(kept);
        const bool is_last = step == depth;
        chosen_.clear();
        size_t left = 0;
        for (size_t i = 0; i < kept; ++i) {
            int best = questions_.offsets[i];
            for (int row = best + 1; row < questions_.offsets[i + 1]; ++row) {
                if (values_[row * kValueColumns + column] > values_[best * kValueColumns + column]) best = row;
            }
            const float value = values_[best * kValueColumns + column];
            OpenTable& table = open[i]->table;
            if (objective == Objective::Win && std::abs(value) > kSure) {
                const float chance = static_cast<float>(expected(value, false));
                open[i]->landlord_value = table.play.turn == kLandlord ? chance : 1 - chance;
                continue;
            }
            if (is_last) chosen_.push_back(options_[best]);
            else table.apply(options_[best]);
            open[left++] = open[i];
        }
        open.resize(left);
        // 3. What is left of a playout that goes no further.
        if (is_last) {
            judge(open, chosen_, objective);
            break;
        }
    }
    return true;
}

void NetworkPlayer::judge(const std::vector<Deal*>& deals, const std::vector<Move>& chosen, Objective objective) {
    assert(judge_ && deals.size() == chosen.size());
    if (deals.empty()) return;
    questions_.clear();
    for (size_t i = 0; i < deals.size(); ++i) {
        const OpenTable& table = deals[i]->table;
        const int turn = table.play.turn;
        const OtherHands others{table.hands[next_role(turn)], table.hands[previous_role(turn)]};
        questions_.add({table.play, table.hands[turn], objective, policy_.rules()}, std::span(&chosen[i], 1), turns_, &others);
    }
    judge_->values(questions_, scratch_, values_);
    const bool points = objective == Objective::Points;
    for (size_t i = 0; i < deals.size(); ++i) {
        const float value = static_cast<float>(expected(values_[i * kValueColumns + column_of(objective)], points));
        deals[i]->landlord_value = deals[i]->table.play.turn == kLandlord ? value : points ? -value : 1 - value;
    }
}

std::vector<float> NetworkPlayer::values(const Position& position, Objective objective) {
    questions_.clear();
    questions_.add({position.play, position.hand, objective, position.rules}, position.moves, turns_);
    network_.values(questions_, scratch_, values_);
    std::vector<float> out;
    for (size_t i = 0; i < position.moves.size(); ++i) out.push_back(values_[i * kValueColumns + column_of(objective)]);
    return out;
}

Position position_of(const ruleplay::Situation& situation) {
    const ruleplay::World& now = situation.now();
    const Hand hand = now.hands[situation.role()];
    Hand deck = hand + situation.unseen();
    std::vector<Move> history;
    for (int role = 0; role < kRoles; ++role) deck += situation.played(role);
    for (const ruleplay::Observed& seen : situation.moves()) history.push_back(seen.move);
    return Position({situation.role(), hand, situation.bottom(), now.counts, deck}, history, situation.rules());
}

PlayoutSearcher::PlayoutSearcher(std::shared_ptr<const Network> network, std::shared_ptr<const Network> player,
                                 std::shared_ptr<const Network> judge, const doudizhu::Rules& rules, const ruleplay::Weights& weights)
    : network_(std::move(network)), player_(std::move(player)), judge_(std::move(judge)), rules_(rules), weights_(weights),
      chooser_(*network_, nullptr, rules_, weights_), reader_(player_) {
    if (network_->is_open() || player_->is_open()) throw std::invalid_argument("network: a player cannot see the other hands");
    if (judge_ && !judge_->is_open()) throw std::invalid_argument("judge: expected a network that sees the other hands");
}

std::vector<WeighedHand> PlayoutSearcher::read_hands(const ruleplay::Situation& situation, const std::vector<WeighedHand>& belief,
                                                     const ReadingSettings& reading, core::Rng& rng, core::Budget& budget) {
    if (reading.worlds == 0) return belief;
    std::vector<WeighedHand> hands = spread_draw(raised(belief, reading.kept), reading.worlds, rng);
    reader_.weigh(situation, reading, hands, budget);
    return hands;
}

std::vector<double> PlayoutSearcher::judged(const ruleplay::Situation& situation, const Position& position, const std::vector<Move>& moves,
                                            const std::vector<WeighedHand>& hands, bool points) {
    const Objective objective = points ? Objective::Points : Objective::Win;
    TurnCache& turns = chooser_.turns();
    Questions questions;
    double total = 0;
    for (const WeighedHand& hand : hands) {
        const ruleplay::World world = situation.world_with(hand.hand);
        const OtherHands others{world.hands[next_role(position.play.turn)],
                                          world.hands[previous_role(position.play.turn)]};
        questions.add({position.play, position.hand, objective, rules_}, moves, turns, &others);
        total += hand.weight;
    }
    Network::Scratch scratch;
    std::vector<float> values;
    judge_->values(questions, scratch, values);
    std::vector<double> out(moves.size(), 0);
    for (size_t row = 0; row < hands.size() * moves.size(); ++row) {
        const double value = expected(values[row * kValueColumns + column_of(objective)], points);
        out[row % moves.size()] += hands[row / moves.size()].weight / total * value;
    }
    return out;
}

NetworkPlayer& PlayoutSearcher::player_of(int worker) {
    while (static_cast<int>(players_.size()) <= worker) {
        players_.push_back(std::make_unique<NetworkPlayer>(*player_, judge_.get(), rules_, weights_));
    }
    return *players_[static_cast<size_t>(worker)];
}

PlayoutResult PlayoutSearcher::search(const ruleplay::Situation& situation, const std::vector<WeighedHand>& belief, const std::vector<Hint>& hints,
                                      const PlayoutSettings& settings, uint64_t seed, core::Budget& budget) {
    if (settings.depth > 0 && !judge_) throw std::invalid_argument("depth: playouts end early only where a judge values them");
    const Objective objective = settings.points ? Objective::Points : Objective::Win;
    const Position position = position_of(situation);
    const int role = situation.role(), doublings = position.play.bomb_doublings(rules_);
    for (int t = 0; t < std::max(1, settings.threads); ++t) player_of(t).decisions = 0;

    // 1. Candidates.
    const std::vector<float> values = chooser_.values(position, objective);
    std::vector<int> order(values.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return values[a] > values[b]; });
    std::vector<Candidate> candidates = candidates_of(position, values, order, hints, settings);

    // 2. Rounds: every open candidate on the same worlds.
    PlayoutResult result;
    std::vector<WeighedHand> read, hands;
    if (candidates.size() > 1) {
        core::Rng rng(seed);
        read = read_hands(situation, belief, settings.reading, rng, budget);
        hands = spread_draw(read, settings.worlds, rng);
        for (WeighedHand& hand : hands) hand.weight *= settings.worlds;  // a world counts as often as it was drawn
    }
    if (judge_ && settings.judge_trust > 0 && !hands.empty()) {
        std::vector<Move> moves;
        for (const Candidate& candidate : candidates) moves.push_back(position.moves[static_cast<size_t>(candidate.move)]);
        const std::vector<double> means = judged(situation, position, moves, settings.judges_read ? read : hands, settings.points);
        for (size_t i = 0; i < candidates.size(); ++i) {
            candidates[i].sum += settings.judge_trust * means[i];
            candidates[i].weight += settings.judge_trust;
        }
    }
    std::vector<double> weights;
    for (const WeighedHand& hand : hands) weights.push_back(hand.weight);
    for (size_t start = 0, end = 0; settings.plays_out && candidates.size() > 1 && start < hands.size(); start = end) {
        end = std::min(hands.size(), start + static_cast<size_t>(settings.round));
        Round round(static_cast<size_t>(std::max(1, settings.threads)));
        for (const Candidate& candidate : candidates) {
            for (size_t i = start; candidate.is_open && i < end; ++i) {
                OpenTable table;
                table.play = position.play;
                table.hands = situation.world_with(hands[i].hand).hands;
                table.apply(position.moves[static_cast<size_t>(candidate.move)]);
                round.add(table, i);
            }
        }
        const auto player = [&](size_t t) -> NetworkPlayer& { return *players_[t]; };
        if (!round.play(player, objective, settings.depth, budget)) break;
        size_t next = 0;
        for (Candidate& candidate : candidates) {
            for (size_t i = start; candidate.is_open && i < end; ++i) {
                candidate.results.push_back(result_of(round[next++], role, doublings, rules_, settings.points));
            }
        }
        assert(next > 0);
        result.playouts += static_cast<int64_t>(next);
        if (drop_clearly_behind(candidates, weights, settings.clear, settings.points ? 2 : 1) == 1) break;
    }

    // 3. The most worlds first: a dropped candidate is behind by what dropped it.
    for (const Candidate& candidate : candidates) {
        result.moves.push_back({position.moves[static_cast<size_t>(candidate.move)], candidate.network, candidate.score(weights),
                                static_cast<int>(candidate.results.size())});
    }
    std::stable_sort(result.moves.begin(), result.moves.end(), [](const PlayedMove& a, const PlayedMove& b) {
        return a.worlds != b.worlds ? a.worlds > b.worlds : a.value > b.value;
    });
    for (const int move : order) {
        const bool is_candidate = std::any_of(candidates.begin(), candidates.end(), [&](const Candidate& c) { return c.move == move; });
        const double network = expected(values[move], settings.points);
        if (!is_candidate) result.moves.push_back({position.moves[static_cast<size_t>(move)], network, network, 0});
    }
    assert(result.moves.size() == position.moves.size());
    for (const auto& player : players_) result.decisions += player->decisions;
    return result;
}

}  // namespace mingpai::mcm
