import numpy as np

from mingpai.core.random import seed_of, stream


def test_equal_paths_give_equal_streams() -> None:
    assert np.array_equal(stream(1, "deal", 2).integers(0, 100, 20), stream(1, "deal", 2).integers(0, 100, 20))


def test_paths_do_not_run_together() -> None:
    seeds = {seed_of(1, "a", 11), seed_of(1, "a", 1, 1), seed_of(1, "a1", 1), seed_of(11, "a", 1)}
    assert len(seeds | {seed_of(1, "a", "11")}) == 5


def test_seeds_fit_a_signed_64_bit_word() -> None:
    assert all(0 <= seed_of(seed, "x") < 2**63 for seed in range(1000))
