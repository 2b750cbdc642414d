"""Dense layers in half precision, on processors that gain by it. Needs torch: training only."""

from functools import cache

import torch


@cache
def has_bfloat16() -> bool:
    """Whether the processor multiplies bfloat16 itself; elsewhere torch imitates it, at a third of the speed."""
    able = torch.cpu.get_capabilities()
    return bool(able.get("avx512_bf16") or able.get("amx_bf16"))


def half_precision(wanted: bool) -> torch.autocast:
    """Where it is entered, dense layers run in bfloat16, if that is wanted and the processor has it."""
    return torch.autocast("cpu", torch.bfloat16, enabled=wanted and has_bfloat16())
