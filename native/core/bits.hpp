// Bit operations: one instruction where the build has it, portable otherwise.
#pragma once
#include <bit>
#include <cstdint>
#if defined(__BMI2__)
#include <immintrin.h>
#endif

namespace mingpai::core {

// Bits of x at the places of mask, packed to the low end.
inline uint64_t pext64(uint64_t x, uint64_t mask) {
#if defined(__BMI2__)
    return _pext_u64(x, mask);
#else
    uint64_t out = 0;
    for (uint64_t bit = 1; mask; bit += bit, mask &= mask - 1) {
        if (x & mask & (~mask + 1)) out |= bit;
    }
    return out;
#endif
}

// The lowest bit of each of the 16 nibbles of x, packed into 16 bits.
inline uint32_t gather_nibbles(uint64_t x) {
#if defined(__BMI2__)
    return static_cast<uint32_t>(_pext_u64(x, 0x1111111111111111ULL));
#else
    x &= 0x1111111111111111ULL;
    x = (x | (x >> 3)) & 0x0303030303030303ULL;
    x = (x | (x >> 6)) & 0x000F000F000F000FULL;
    x = (x | (x >> 12)) & 0x000000FF000000FFULL;
    return static_cast<uint32_t>((x | (x >> 24)) & 0xFFFFULL);
#endif
}

inline int popcount(uint64_t x) { return std::popcount(x); }
// Index of the lowest set bit; x must not be zero.
inline int lowest(uint64_t x) { return std::countr_zero(x); }
// Index of the highest set bit; x must not be zero.
inline int highest(uint64_t x) { return 63 - std::countl_zero(x); }

}  // namespace mingpai::core
