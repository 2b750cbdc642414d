"""Half precision is used where it is wanted and the processor has it, and nowhere else."""

import pytest

torch = pytest.importorskip("torch")
from mingpai.training import precision  # noqa: E402


@pytest.mark.parametrize(
    "able", [{}, {"avx512_bf16": False, "amx_bf16": False}, {"avx512_bf16": True}, {"amx_bf16": True}]
)
@pytest.mark.parametrize("wanted", [False, True])
def test_a_dense_layer_runs_in_it_where_wanted_and_possible(
    monkeypatch: pytest.MonkeyPatch, able: dict[str, bool], wanted: bool
) -> None:
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: able)
    precision.has_bfloat16.cache_clear()
    with precision.half_precision(wanted):
        kind = torch.nn.Linear(2, 2)(torch.zeros(1, 2)).dtype
    precision.has_bfloat16.cache_clear()
    assert (kind is torch.bfloat16) == (wanted and any(able.values()))
