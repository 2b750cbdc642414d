#include "native/mcm/open_judge.hpp"

#include <stdexcept>

namespace mingpai::mcm {
namespace {

using endgame::Choice;
using endgame::Made;
using endgame::State;

// Who wins is asked for: what doubles does not matter.
constexpr doudizhu::Rules kRules;

class OpenJudge : public endgame::Judge {
  public:
    explicit OpenJudge(std::shared_ptr<const Network> network) : network_(std::move(network)) {}

    void reset(const endgame::Position& root) override {
        root_ = Play();
        root_.deck = 0;
        for (int role = 0; role < kRoles; ++role) {
            root_.deck += root.hands[role];
            root_.dealt[role] = static_cast<uint8_t>(doudizhu::card_count(root.hands[role]));
        }
        root_.turn = root.is_lead() ? root.turn : root.owner;
        if (root.is_lead()) return;
        // The move to beat is nobody's card any more, but somebody's move.
        root_.deck += root.last.cards;
        root_.dealt[root.owner] = static_cast<uint8_t>(root_.dealt[root.owner] + root.last.size);
        root_.apply(root.last);
        while (root_.turn != root.turn) root_.apply(Move{});
    }

    void value(std::span<const Made> history, const State& state, std::span<const Choice> choices,
               std::vector<float>& out) override {
        Play play = root_;
        for (const Made& made : history) {
            pass_until(play, made.mover);
            play.apply(move_of(made.choice));
        }
        pass_until(play, state.mover);
        moves_.clear();
        for (const Choice& choice : choices) moves_.push_back(move_of(choice));
        const OtherHands others{state.hands[next_role(state.mover)], state.hands[previous_role(state.mover)]};
        questions_.clear();
        questions_.add({play, state.hands[state.mover], Objective::Win, kRules}, moves_, turns_, &others);
        network_->values(questions_, scratch_, values_);
        out.clear();
        const float sign = state.mover == kLandlord ? 1.0f : -1.0f;
        for (size_t i = 0; i < choices.size(); ++i) out.push_back(sign * values_[i * kValueColumns + kWinColumn]);
    }

  private:
    static Move move_of(const Choice& choice) { return endgame::move_of(choice.cards, choice.cls, choice.rank); }
    static void pass_until(Play& play, int mover) {
        while (play.turn != mover) play.apply(Move{});
    }

    std::shared_ptr<const Network> network_;
    Play root_;
    std::vector<Move> moves_;
    Questions questions_;
    TurnCache turns_;
    Network::Scratch scratch_;
    std::vector<float> values_;
};

}  // namespace

OpenJudges::OpenJudges(std::shared_ptr<const Network> network) : network_(std::move(network)) {
    if (!network_->is_open()) throw std::invalid_argument("a judge of open positions must see all hands");
}

std::unique_ptr<endgame::Judge> OpenJudges::make() const { return std::make_unique<OpenJudge>(network_); }

}  // namespace mingpai::mcm
