// Exact search of three-handed open positions: the landlord, seat 0, against two farmers who see everything and share a win.
// Answers are the landlord's: kWon when he wins.
#pragma once
#include <array>

#include "native/endgame/search.hpp"

namespace mingpai::endgame {

class ThreeHanded : public Search {
  public:
    ThreeHanded(AnswerTable& table, core::Budget& budget, size_t max_hand_bytes, const Pruning& pruning,
                const std::atomic<bool>* stop = nullptr)
        : Search(table, budget, max_hand_bytes, pruning, stop) {}

    void reset(const Position& root, const Rules& rules) override;
    Answer solve(const Position& position) override;
    Answer solve_move(const Position& position, const Move& move) override;
    State state_of(const Position& position) override;
    void list_choices(const State& state, std::vector<Choice>& out) override;
    State after(const State& state, const Choice& choice) override;
    Answer solve(const State& state) override;
    void record(const State& state, bool landlord_wins, uint64_t nodes) override;
    void trim() override;
    int turns(int seat, Hand hand) override { return hands_[seat].turns(hands_[seat].number_of(hand)); }

  private:
    static constexpr int kPlayers = 3;

    // A state in which `mover` must answer: `left` players, he included, come before the owner of the move to beat.
    struct Turn {
        int mover;
        int left;
        Reply to_beat;

        int owner() const { return left == 1 ? next(mover) : next(next(mover)); }
        bool is_mates() const { return mover != 0 && owner() != 0; }
        // All who may still answer are on one side, so an easier move to beat never hurts it.
        bool is_one_sided() const { return left == 1 || mover == 1; }
    };

    static int next(int seat) { return seat == kPlayers - 1 ? 0 : seat + 1; }
    const HandInfo& hand(int seat) { return hands_[seat][numbers_[seat]]; }

    Answer lead(int mover);
    Answer follow(const Turn& turn);
    // Skips the players who cannot answer (cls, threshold): the first who can, or the owner's lead, which has none left to answer.
    Turn settle(int mover, int left, Class cls, int threshold);
    // Goes on from there.
    Answer answer(int mover, int left, Class cls, int threshold);
    Answer after(int mover, uint32_t number, Class cls, int rank);

    void add_leads(int mover, const HandInfo& own);
    void add_follows(const Turn& turn, const HandInfo& own);
    bool is_gap_skip(int mover, const HandInfo& own, const HandMove& move);
    bool can_be_finished_on(int mover, Class cls, int rank);
    bool has_control(int mover, Hand cards);
    bool takes_control(const Turn& turn, const HandInfo& own);
    struct Key {
        uint64_t key;
        int threshold;
        bool is_canonical;
    };
    // What the table says, for the landlord, of the position with a group of one hand raised; the key is not canonical.
    Answer compare(int mover, const Key& key);
    Key key_of(int mover, int left, Reply to_beat);
    void set_numbers(const std::array<Hand, kMaxPlayers>& hands);
    static Turn turn_of(const State& state) { return {state.mover, state.left, {state.cls, state.threshold}}; }
    // The turn with the hands as the numbers have them.
    State state_of(const Turn& turn) const;
    size_t hand_bytes() const { return hands_[0].bytes() + hands_[1].bytes() + hands_[2].bytes(); }
    bool enter_node() {
        return enter([this] { return hand_bytes(); });
    }

    // The lower candidate of gap dominance met last, while candidates are listed.
    struct Gap {
        Class cls = kNoClass;
        int rank = 0;
        Reply replies[2];
    };

    std::array<HandTable, kPlayers> hands_;
    std::array<uint32_t, kPlayers> numbers_{};
    Gap gap_;
};

}  // namespace mingpai::endgame
