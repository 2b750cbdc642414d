#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <tuple>

#include "native/bind/arrays.hpp"
#include "native/bind/parts.hpp"
#include "native/guandan/batch.hpp"
#include "native/guandan/knowledge.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace mingpai::guandan;
using mingpai::core::Budget;
using mingpai::core::Rng;

namespace mingpai::bind {
namespace {

using Hands = std::array<Cards, kSeats>;
using Order = std::array<int8_t, kSeats>;

void check_kind(int kind) {
    if (kind < 0 || kind >= kKinds) throw nb::value_error("a card kind is 0..53");
}
void check_level(int level) {
    if (level < 0 || level >= kRanks) throw nb::value_error("a level is a rank 0..12 (A 2 ... K)");
}
void check_seat(int seat) {
    if (seat < 0 || seat >= kSeats) throw nb::value_error("a seat is 0..3");
}

Cards cards_of(const std::vector<int>& kinds) {
    Cards cards;
    for (int kind : kinds) {
        check_kind(kind);
        if (cards.count(kind) == kCopies) throw nb::value_error("a kind occurs more than twice");
        cards.add(kind);
    }
    return cards;
}
std::vector<int> kinds_of(const Cards& cards) {
    std::vector<int> out;
    cards.each([&](int kind) { out.push_back(kind); });
    return out;
}
const Profile& profile_of(const std::string& name) {
    const Profile* profile = find_profile(name.c_str());
    if (!profile) throw nb::value_error("no such rule profile");
    return *profile;
}
void check_order(const Order& order) {
    int seen = 0;
    for (int seat : order) {
        check_seat(seat);
        seen |= 1 << seat;
    }
    if (seen != (1 << kSeats) - 1) throw nb::value_error("an order of finishing names each seat once");
}
Round make_round(const std::string& profile, const Hands& hands, int level, int leader, const std::optional<Order>& previous) {
    check_level(level);
    Cards all;
    int total = 0;
    for (const Cards& hand : hands) {
        total += hand.size();
        all = all + hand;
    }
    if (total != all.size()) throw nb::value_error("the hands hold more than two of a kind");
    if (!previous) {
        check_seat(leader);
        return Round(profile_of(profile), hands, level, leader);
    }
    check_order(*previous);
    return Round(profile_of(profile), hands, level, *previous);
}
Play make_play(int type, int rank, const Cards& cards, int level) {
    if (type < 0 || type > static_cast<int>(Type::Return)) throw nb::value_error("no such type of play");
    if (rank < 0 || rank >= kPlayRanks) throw nb::value_error("no such rank");
    check_level(level);
    const auto as_type = static_cast<Type>(type);
    const bool exchange = as_type == Type::Tribute || as_type == Type::Return;
    return {as_type, static_cast<uint8_t>(rank), static_cast<uint8_t>(cards.size()),
            static_cast<uint8_t>(exchange ? 0 : cards.count(wild_kind(level))),
            static_cast<uint8_t>(as_type == Type::Pass || as_type == Type::JokerBomb ? 0 : level), cards};
}
std::vector<Play> legal_plays(const Round& round) {
    std::vector<Play> out;
    round.legal_plays(out);
    return out;
}
nb::ndarray<nb::numpy, uint8_t> mask_array(const Mask& mask) {
    auto out = new_array<uint8_t>({kPseudoActions});
    mask.each([&](int i) { out.data()[i] = 1; });
    return out;
}
Round rebuild_round(const std::string& profile, int level, int leader, const std::optional<Order>& previous, bool resisted,
                    int seat, const Cards& hand, const std::vector<std::tuple<int, Play>>& steps, const std::optional<Cards>& deck,
                    const std::optional<std::array<int, kSeats>>& sizes) {
    check_level(level);
    check_seat(seat);
    if (previous) {
        check_order(*previous);
    } else {
        check_seat(leader);
    }
    Seen seen{&profile_of(profile), level, leader, previous, resisted, seat, hand, {}, deck.value_or(kFullDeck), sizes};
    for (const auto& [who, play] : steps) {
        check_seat(who);
        seen.steps.push_back({static_cast<int8_t>(who), play});
    }
    return rebuild(seen);
}
void check_player(int number) {
    if (number < kRandomPlayer || number > kRuleBots) throw nb::value_error("players are 0 (random) and 1..4 (rule bots)");
}
void check_legal(const Round& round, const Play& play) {
    if (const char* why = round.why_illegal(play)) throw nb::value_error(why);
}

void bind_cards(nb::module_& m) {
    nb::class_<Cards>(m, "Cards", "A multiset of cards; kinds are rank * 4 + suit, A first, suits S H D C, 52 and 53 the jokers.")
        .def("__init__", [](Cards* self, const std::vector<int>& kinds) { new (self) Cards(cards_of(kinds)); },
             "kinds"_a = std::vector<int>{})
        .def_static(
            "of_planes", [](uint64_t once, uint64_t twice) {
                if ((once & ~kAllKinds) || (twice & ~once)) throw nb::value_error("not two planes of card kinds");
                return Cards{once, twice};
            },
            "once"_a, "twice"_a)
        .def_ro("once", &Cards::once, "Bits of the kinds held at least once.")
        .def_ro("twice", &Cards::twice, "Bits of the kinds held twice.")
        .def("kinds", &kinds_of, "The cards as kinds in ascending order, copies repeated.")
        .def("count", [](const Cards& c, int kind) { check_kind(kind); return c.count(kind); }, "kind"_a)
        .def("contains", &Cards::contains, "other"_a)
        .def("__len__", &Cards::size)
        .def("__eq__", [](const Cards& a, nb::handle b) { return nb::isinstance<Cards>(b) && a == nb::cast<Cards>(b); })
        .def("__hash__", [](const Cards& c) { return static_cast<int64_t>(c.once * 0x9E3779B97F4A7C15ULL ^ c.twice); })
        .def("__add__", [](const Cards& a, const Cards& b) {
            const Cards sum = a + b;
            if (sum.size() != a.size() + b.size()) throw nb::value_error("a kind would occur more than twice");
            return sum;
        })
        .def("__sub__", [](const Cards& a, const Cards& b) {
            if (!a.contains(b)) throw nb::value_error("the cards to take away are not all there");
            return a - b;
        });
}

void bind_play(nb::module_& m) {
    nb::class_<Play>(m, "Play", "A play: type, rank that compares, physical cards.")
        .def("__init__", [](Play* self, int type, int rank, const Cards& cards, int level) {
                 new (self) Play(make_play(type, rank, cards, level));
             }, "type"_a, "rank"_a, "cards"_a, "level"_a)
        .def_prop_ro("type", [](const Play& p) { return static_cast<int>(p.type); })
        .def_prop_ro("rank", [](const Play& p) { return static_cast<int>(p.rank); })
        .def_prop_ro("wilds", [](const Play& p) { return static_cast<int>(p.wilds); }, "Wild cards among the cards.")
        .def_ro("cards", &Play::cards)
        .def_prop_ro("is_pass", &Play::is_pass)
        .def_prop_ro("is_off_suit", &is_off_suit, "Whether it is a straight only because a wild card stands for another suit.")
        .def_prop_ro("is_bomb", &Play::is_bomb)
        .def_prop_ro("pseudo", [](const Play& p) { return p.type > Type::Pass ? -1 : pseudo_index(p); },
                     "The pseudo-action 0..167; -1 for tribute and return.")
        .def("arranged", [](const Play& p) {
                 const Arrangement a = arrange(p);
                 std::vector<std::tuple<int, int>> out;
                 for (int i = 0; i < a.size; ++i) out.emplace_back(a.kinds[i], a.claims[i]);
                 return out;
             }, "The cards slot by slot with the card each stands for: (kind, claimed kind).")
        .def_prop_ro("level", [](const Play& p) { return static_cast<int>(p.level); })
        .def("__str__", &text_of)
        .def("__repr__", [](const Play& p) { return "<" + std::string(kTypeNames[static_cast<int>(p.type)]) + " " + text_of(p) + ">"; })
        .def("__len__", [](const Play& p) { return static_cast<int>(p.size); })
        .def("__eq__", [](const Play& a, nb::handle b) { return nb::isinstance<Play>(b) && a == nb::cast<Play>(b); }, nb::arg().none())
        .def("__hash__", [](const Play& p) {
            return static_cast<int64_t>((p.cards.once * 31 + p.cards.twice) * 0x9E3779B97F4A7C15ULL ^
                                        static_cast<uint64_t>(static_cast<int>(p.type) * 16 + p.rank));
        });
    m.def("beats", [](const Play& a, const Play& b, int level) { check_level(level); return beats(a, b, level); },
          "play"_a, "target"_a, "level"_a);
    m.def("readings", [](const Cards& cards, int level, bool either) { check_level(level); return readings(cards, level, either); },
          "cards"_a, "level"_a, "either"_a = false,
          "Every reading of exactly these cards as a play. `either`: suited cards with a wild one are a straight too.");
    m.def("order_of", [](int rank, int level) { check_level(level); return order_of(rank, level); }, "rank"_a, "level"_a);
    m.def("lead_plays", [](const Cards& hand, int level) {
        check_level(level);
        const Holding holding(hand, level);
        std::vector<Play> out;
        holding.list_all(holding.lead_mask(), nullptr, out);
        return out;
    }, "hand"_a, "level"_a);
    m.def("follow_plays", [](const Cards& hand, int level, const Play& target) {
        check_level(level);
        const Holding holding(hand, level);
        std::vector<Play> out;
        holding.list_all(holding.follow_mask(target), &target, out);
        return out;
    }, "hand"_a, "level"_a, "target"_a, "All plays that beat the target, and the pass.");
    m.def("lead_mask", [](const Cards& hand, int level) { check_level(level); return mask_array(Holding(hand, level).lead_mask()); },
          "hand"_a, "level"_a);
    m.def("follow_mask", [](const Cards& hand, int level, const Play& target) {
        check_level(level);
        return mask_array(Holding(hand, level).follow_mask(target));
    }, "hand"_a, "level"_a, "target"_a);
    m.def("shape_of", [](int index) {
        if (index < 0 || index >= kPseudoActions) throw nb::value_error("a pseudo-action is 0..167");
        const Shape shape = shape_of(index);
        return std::make_tuple(static_cast<int>(shape.type), static_cast<int>(shape.rank), static_cast<int>(shape.size));
    }, "index"_a, "Type, rank and (of bombs) size of a pseudo-action.");
}

void bind_round(nb::module_& m) {
    nb::class_<Exchange>(m, "Exchange", "One tribute and the card given back; -1 where not yet known.")
        .def_ro("payer", &Exchange::payer)
        .def_ro("receiver", &Exchange::receiver)
        .def_ro("tribute", &Exchange::tribute)
        .def_ro("returned", &Exchange::returned);
    nb::class_<Round>(m, "Round", "One round: tribute, then tricks.")
        .def("__init__", [](Round* self, const std::string& profile, const Hands& hands, int level, int leader,
                            const std::optional<Order>& previous) {
                 new (self) Round(make_round(profile, hands, level, leader, previous));
             }, "profile"_a, "hands"_a, "level"_a, "leader"_a = 0, "previous"_a = nb::none())
        .def("copy", [](const Round& r) { return Round(r); })
        .def_prop_ro("profile", [](const Round& r) { return std::string(r.profile().name); })
        .def_prop_ro("level", &Round::level)
        .def_prop_ro("phase", [](const Round& r) { return static_cast<int>(r.phase()); }, "0 tribute, 1 return, 2 play, 3 over.")
        .def_prop_ro("turn", &Round::turn, "The seat to decide; -1 when over.")
        .def_prop_ro("is_over", &Round::is_over)
        .def_prop_ro("is_leading", &Round::is_leading)
        .def_prop_ro("leader", [](const Round& r) { return static_cast<int>(r.status().leader); }, "Who led the current trick.")
        .def_prop_ro("best", [](const Round& r) { return r.status().best; }, "The play to beat; a pass when leading.")
        .def_prop_ro("best_seat", [](const Round& r) { return static_cast<int>(r.status().best_seat); })
        .def_prop_ro("resisted", [](const Round& r) { return r.status().resisted; })
        .def_prop_ro("exchanges", [](const Round& r) {
            const RoundStatus& t = r.status();
            return std::vector<Exchange>(t.exchanges.begin(), t.exchanges.begin() + t.exchange_count);
        })
        .def_prop_ro("previous", [](const Round& r) -> std::optional<Order> {
            return r.previous()[0] == kNobody ? std::nullopt : std::optional(r.previous());
        })
        .def_prop_ro("order", [](const Round& r) {
            const RoundStatus& t = r.status();
            return std::vector<int>(t.order.begin(), t.order.begin() + (r.is_over() ? kSeats : t.finished));
        }, "Seats in order of finishing, so far.")
        .def("hand", [](const Round& r, int seat) { check_seat(seat); return r.status().hands[seat]; }, "seat"_a)
        .def("played", [](const Round& r, int seat) { check_seat(seat); return r.status().played[seat]; }, "seat"_a)
        .def("score", [](const Round& r, int seat) {
            check_seat(seat);
            if (!r.is_over()) throw nb::value_error("the round is not over");
            return r.score(seat);
        }, "seat"_a)
        .def_prop_ro("steps", [](const Round& r) {
            std::vector<std::tuple<int, Play>> out;
            for (const Step& step : r.steps()) out.emplace_back(step.seat, step.play);
            return out;
        })
        .def("legal_plays", &legal_plays)
        .def("legal_mask", [](const Round& r) { return mask_array(r.legal_mask()); })
        .def("plays_of", [](const Round& r, int pseudo) {
            if (pseudo < 0 || pseudo >= kPseudoActions) throw nb::value_error("a pseudo-action is 0..167");
            std::vector<Play> out;
            if (r.legal_mask().test(pseudo)) r.plays_of(pseudo, out);
            return out;
        }, "pseudo"_a, "The legal concrete plays of a pseudo-action.")
        .def("why_illegal", [](const Round& r, const Play& p) -> std::optional<std::string> {
            const char* why = r.why_illegal(p);
            return why ? std::optional<std::string>(why) : std::nullopt;
        }, "play"_a)
        .def("apply", [](Round& r, const Play& p) { check_legal(r, p); r.apply(p); }, "play"_a)
        .def("undo", [](Round& r) {
            if (!r.can_undo()) throw nb::value_error("nothing to undo");
            r.undo();
        })
        .def("inconsistency", [](const Round& r) -> std::optional<std::string> {
            const char* what = r.inconsistency();
            return what ? std::optional<std::string>(what) : std::nullopt;
        })
        .def_prop_ro("deck", &Round::deck, "All cards of the deal.")
        .def_prop_ro("first_leader", &Round::first_leader, "Who leads a round without tribute; -1 after another round.")
        .def("dealt", &Round::dealt, "The hands as dealt.")
        .def("blinded", [](const Round& r, int seat) { check_seat(seat); return blinded(r, seat); }, "seat"_a,
             "The round with the cards hidden from the seat drawn from a fixed seed: it tells nothing hidden.")
        .def("worlds", [](const Round& r, int seat, uint64_t seed, int count) {
            check_seat(seat);
            const WorldSampler sampler(Knowledge(r, seat));
            Rng rng(seed);
            std::vector<Round> out;
            for (int i = 0; i < count; ++i) out.push_back(r.world(sampler.sample(rng)));
            return out;
        }, "seat"_a, "seed"_a, "count"_a, nb::call_guard<nb::gil_scoped_release>(), "Rounds with hidden cards drawn uniformly.")
        .def("world", [](const Round& r, const Hands& hands) {
            for (int s = 0; s < kSeats; ++s) {
                if (hands[s].size() != r.status().hands[s].size()) throw nb::value_error("hand sizes must stay");
            }
            return r.world(hands);
        }, "hands"_a, "The same steps played with other hands.")
        .def("default_play", [](const Round& r, int pseudo) {
            if (pseudo < 0 || pseudo >= kPseudoActions || !r.legal_mask().test(pseudo)) throw nb::value_error("not a legal pseudo-action");
            return default_play(r, pseudo);
        }, "pseudo"_a, "The play with the fewest wild cards that keeps straight flushes whole.")
        .def("bot_play", [](const Round& r, int number) {
            if (number < 1 || number > kRuleBots) throw nb::value_error("rule bots are 1..4");
            if (r.is_over()) throw nb::value_error("the round is over");
            return bot_play(number, Sight(r, r.turn()));
        }, "number"_a, nb::call_guard<nb::gil_scoped_release>(), "What a rule bot plays for the seat to move; it sees that seat's cards only.")
        .def("rule4_scores", [](const Round& r) {
            if (r.is_over()) throw nb::value_error("the round is over");
            std::vector<std::tuple<Play, float>> out;
            for (const Scored& one : rule4_scores(Sight(r, r.turn()))) out.emplace_back(one.play, one.score);
            return out;
        }, "What rule4 weighs for the seat to move, best first, in leads.")
        .def("with_hands", [](const Round& r, const Hands& hands) {
            for (int s = 0; s < kSeats; ++s) {
                if (hands[s].size() != r.status().hands[s].size()) throw nb::value_error("hand sizes must stay");
            }
            return r.with_hands(hands);
        }, "hands"_a);
    m.def("rebuild", &rebuild_round, "profile"_a, "level"_a, "leader"_a, "previous"_a.none(), "resisted"_a, "seat"_a, "hand"_a, "steps"_a,
          "deck"_a = nb::none(), "sizes"_a = nb::none(),
          "A round that agrees with what one seat saw; its hidden cards say nothing. ValueError: the story breaks a rule.");
    nb::class_<Knowledge>(m, "Knowledge", "What a seat knows of the hidden hands.")
        .def(nb::init<const Round&, int>(), "round"_a, "seat"_a)
        .def_ro("hand", &Knowledge::hand)
        .def_ro("unseen", &Knowledge::unseen)
        .def_ro("sizes", &Knowledge::sizes)
        .def_ro("held", &Knowledge::held, "Cards each other seat certainly holds.")
        .def_ro("barred", &Knowledge::barred, "Bits of the kinds each seat cannot hold, beyond those of `held`.");
    nb::class_<WorldSampler>(m, "WorldSampler", "Uniform worlds that agree with a seat's knowledge.")
        .def(nb::init<const Knowledge&>(), "knowledge"_a)
        .def("sample", [](const WorldSampler& s, Rng& rng) {
            if (!s.is_possible()) throw nb::value_error("no deal agrees with the knowledge");
            return s.sample(rng);
        }, "rng"_a);
}

void bind_match(nb::module_& m) {
    nb::class_<Match>(m, "Match", "Levels and rounds of a match.")
        .def("__init__", [](Match* self, const std::string& profile, int even, int odd) {
                 check_level(even);
                 check_level(odd);
                 new (self) Match(profile_of(profile), even, odd);
             }, "profile"_a, "even_level"_a = kTwo, "odd_level"_a = kTwo)
        .def("copy", [](const Match& x) { return Match(x); })
        .def("level", [](const Match& x, int team) {
            if (team != 0 && team != 1) throw nb::value_error("a team is 0 or 1");
            return x.level(team);
        }, "team"_a)
        .def("failures", [](const Match& x, int team) {
            if (team != 0 && team != 1) throw nb::value_error("a team is 0 or 1");
            return x.failures(team);
        }, "team"_a)
        .def_prop_ro("demotions", &Match::demotions)
        .def_prop_ro("rounds", &Match::rounds)
        .def_prop_ro("round_level", &Match::round_level)
        .def_prop_ro("is_over", &Match::is_over)
        .def_prop_ro("result", [](const Match& x) { return static_cast<int>(x.result()); }, "0 open, 1 seats 0 and 2, 2 seats 1 and 3, 3 draw.")
        .def("record", [](Match& x, const Order& order) {
            check_order(order);
            if (x.is_over()) throw nb::value_error("the match is over");
            x.record(order);
        }, "order"_a);
}

void bind_batch(nb::module_& m) {
    m.def("deal", [](Rng& rng) { return deal(rng); }, "rng"_a, "Four hands of 27.");
    m.def("perft", [](const Round& round, int depth) {
        Round copy = round;
        return perft(copy, depth);
    }, "round"_a, "depth"_a, nb::call_guard<nb::gil_scoped_release>(), "Leaves of the tree of legal plays.");
    nb::class_<RandomPlayStats>(m, "RandomPlayStats", "Totals of rounds played at random.")
        .def_ro("rounds", &RandomPlayStats::rounds)
        .def_ro("decisions", &RandomPlayStats::decisions);
    m.def("play_random_rounds", &play_random_rounds, "rounds"_a, "seed"_a, "budget"_a, nb::call_guard<nb::gil_scoped_release>());
    nb::class_<LeadStats>(m, "LeadStats", "Sizes of opening leads, by number of wild cards.")
        .def_prop_ro("hands", [](const LeadStats& s) { return std::vector<uint64_t>(s.hands, s.hands + kCopies + 1); })
        .def_prop_ro("plays", [](const LeadStats& s) { return std::vector<double>(s.plays, s.plays + kCopies + 1); })
        .def_ro("most", &LeadStats::most);
    m.def("count_opening_leads", &count_opening_leads, "hands"_a, "seed"_a, nb::call_guard<nb::gil_scoped_release>());
    nb::class_<MatchScore>(m, "MatchScore", "A whole match from player a's side.")
        .def_prop_ro("result", [](const MatchScore& s) { return static_cast<int>(s.result); }, "1 won, -1 lost, 0 drawn.")
        .def_ro("rounds", &MatchScore::rounds)
        .def_ro("points", &MatchScore::points, "Sum of the round scores.")
        .def_prop_ro("by_score", [](const MatchScore& s) { return std::vector<int>(s.by_score, s.by_score + 7); },
                     "Rounds by score, -3 to 3.");
    m.def("duel_matches", [](int a, int b, uint64_t pairs, uint64_t seed, const std::string& profile, Budget& budget) {
        check_player(a);
        check_player(b);
        return duel_matches(a, b, pairs, seed, profile_of(profile), budget);
    }, "a"_a, "b"_a, "pairs"_a, "seed"_a, "profile"_a, "budget"_a, nb::call_guard<nb::gil_scoped_release>(),
          "Two whole matches for each pair, seats swapped, the same cards round by round. Players: 0 random, 1..4 rule bots.");
    nb::class_<Batch> batch(m, "Batch", "N rounds in step; a finished round is dealt anew.");
    batch.def("__init__", [](Batch* self, int size, uint64_t seed, const std::string& profile) {
                 if (size < 1) throw nb::value_error("a batch has one round or more");
                 new (self) Batch(size, seed, profile_of(profile));
             }, "size"_a, "seed"_a, "profile"_a = "huaian2017")
        .def("__len__", &Batch::size)
        .def("round", [](const Batch& b, int i) {
            if (i < 0 || i >= b.size()) throw nb::index_error();
            return Round(b.round(i));
        }, "index"_a, "A copy of one round.")
        .def("turns", [](const Batch& b) {
            std::vector<int> out;
            for (int i = 0; i < b.size(); ++i) out.push_back(b.round(i).turn());
            return out;
        })
        .def("masks", [](const Batch& b) {
            const size_t rows = static_cast<size_t>(b.size());
            auto out = new_array<uint8_t>({rows, kPseudoActions});
            for (size_t i = 0; i < rows; ++i) {
                uint8_t* const row = out.data() + i * kPseudoActions;
                b.round(static_cast<int>(i)).legal_mask().each([&](int k) { row[k] = 1; });
            }
            return out;
        }, "(N, 168) legal pseudo-actions.")
        .def("choose", [](Batch& b, int player) {
            check_player(player);
            std::vector<int32_t> out(static_cast<size_t>(b.size()));
            b.choose(player, out.data());
            return out;
        }, "player"_a, "The pseudo-action of a player for each round.")
        .def("step", [](Batch& b, const std::vector<int32_t>& pseudo) {
            if (static_cast<int>(pseudo.size()) != b.size()) throw nb::value_error("one pseudo-action for each round");
            std::vector<int8_t> scores(pseudo.size());
            if (!b.step(pseudo.data(), scores.data())) throw nb::value_error("an illegal pseudo-action");
            return std::vector<int>(scores.begin(), scores.end());
        }, "pseudo"_a, "Plays one pseudo-action in each round; score of seat 0 where a round ended, else 0.");
    batch.def("step_plays", [](Batch& b, const std::vector<Play>& plays) {
        if (static_cast<int>(plays.size()) != b.size()) throw nb::value_error("one play for each round");
        std::vector<int8_t> scores(plays.size());
        if (!b.step(plays.data(), scores.data())) throw nb::value_error("an illegal play");
        return std::vector<int>(scores.begin(), scores.end());
    }, "plays"_a, "The same with concrete plays.");
    m.def("time_lead_lists", [](const std::vector<Cards>& hands, uint64_t rounds) {
        uint64_t total = 0;
        std::vector<Play> plays;
        for (uint64_t i = 0; i < rounds; ++i) {
            const int level = static_cast<int>(i % kRanks);
            for (const Cards& hand : hands) {
                const Holding holding(hand, level);
                plays.clear();
                holding.list_all(holding.lead_mask(), nullptr, plays);
                total += plays.size();
            }
        }
        return total;
    }, "hands"_a, "rounds"_a, nb::call_guard<nb::gil_scoped_release>(), "Lists all leads of each hand `rounds` times; how many.");
    m.def("time_lead_masks", [](const std::vector<Cards>& hands, uint64_t rounds) {
        uint64_t total = 0;
        for (uint64_t i = 0; i < rounds; ++i) {
            const int level = static_cast<int>(i % kRanks);
            for (const Cards& hand : hands) total += static_cast<uint64_t>(Holding(hand, level).lead_mask().count());
        }
        return total;
    }, "hands"_a, "rounds"_a, nb::call_guard<nb::gil_scoped_release>(), "Computes the mask of each hand `rounds` times; the sum of their sizes.");
}

}  // namespace

void bind_guandan(nb::module_& m) {
    m.def("type_names", [] { return std::vector<std::string>(std::begin(kTypeNames), std::end(kTypeNames)); },
          "Names of the types of plays, by number.");
    m.attr("PSEUDO_ACTIONS") = kPseudoActions;
    m.attr("PHASE_PLAY") = static_cast<int>(Phase::Play);
    m.attr("DECK_CARDS") = kDeckSize;
    m.def("profile_switches", [](const std::string& name) {
        const Profile& p = profile_of(name);
        return std::make_tuple(p.round_level == RoundLevel::Higher ? "higher" : "winners",
                               p.win_at_a == WinAtA::PartnerNotLast ? "partner-not-last" : "first-and-second",
                               p.fail_at_a == FailAtA::NotWon ? "not-won" : "partner-last", static_cast<int>(p.failures),
                               static_cast<int>(p.demotions), p.pairing == Pairing::HigherCard ? "higher-card" : "seat",
                               p.tie_leads == TieLeads::PayerOfFirst ? "payer-of-first" : "last-in-order",
                               p.no_return == NoReturn::Lowest ? "lowest" : "any",
                               p.wild_straight == WildStraight::Flush ? "flush" : "either");
    }, "name"_a, "Round level, win at A, what fails at A, failures, demotions, pairing, who leads a tie, without a return, wild straights.");
    m.def("profile_names", [] {
        std::vector<std::string> names;
        for (const Profile& profile : kProfiles) names.emplace_back(profile.name);
        return names;
    }, "Names of the rule profiles, the default first.");
    bind_cards(m);
    bind_play(m);
    bind_round(m);
    bind_match(m);
    bind_batch(m);
}

}  // namespace mingpai::bind
