"""Seeded random streams. One seed reproduces a run; randomness is always an argument, never global."""

import hashlib

import numpy as np

Part = int | str

Rng = np.random.Generator


def seed_of(seed: int, *path: Part) -> int:
    """A 63-bit seed for the stream named by `path`: equal paths give equal seeds, different ones are independent."""
    text = "\x1f".join(f"{type(part).__name__}:{part}" for part in (seed, *path))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") >> 1


def stream(seed: int, *path: Part) -> Rng:
    """A NumPy generator for the stream named by `path`."""
    return np.random.Generator(np.random.PCG64(seed_of(seed, *path)))
