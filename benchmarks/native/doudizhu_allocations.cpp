// Plays random and greedy deals with a counting allocator: prints the deals, the moves, and the allocations made meanwhile.
//   g++ -std=c++20 -O2 -I. benchmarks/native/doudizhu_allocations.cpp native/doudizhu/{movegen,state,policy}.cpp
#include <cstdio>
#include <cstdlib>
#include <new>

#include "native/doudizhu/policy.hpp"

namespace {
long allocations = 0;
}

void* operator new(std::size_t size) {
    ++allocations;
    if (void* memory = std::malloc(size)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

int main() {
    using namespace mingpai::doudizhu;
    constexpr int kDeals = 20000;
    static MoveList scratch;
    mingpai::core::Rng rng(1);
    long moves = 0;
    const long before = allocations;
    for (int deal = 0; deal < kDeals; ++deal) {
        const Policy policy = deal % 2 ? Policy::Greedy : Policy::Random;
        State state = State::start(shuffled_deal(rng), kProfiles[deal % std::size(kProfiles)].rules);
        moves += play_out(state, {policy, policy, policy}, rng, scratch);
        const View view = state.view(0);
        moves += view.sample(rng).status.turn < kSeats ? 0 : 1;
    }
    const long in_the_loop = allocations - before;
    ::operator delete(::operator new(1));
    const bool counts = allocations == before + in_the_loop + 1;
    std::printf("{\"deals\": %d, \"moves\": %ld, \"allocations\": %ld, \"counter_works\": %s}\n", kDeals, moves, in_the_loop,
                counts ? "true" : "false");
    return counts ? 0 : 1;
}
