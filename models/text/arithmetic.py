"""The fastest arithmetic of this machine."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

CPU_FACTS = Path("/proc/cpuinfo")
BF16 = ("avx512_bf16", "amx_bf16", " bf16")
"""Flags of CPUs that multiply bfloat16 numbers; others emulate it, which is slower than 32 bits."""


@cache
def cuda_is_there() -> bool:
    """Whether torch is installed and finds a CUDA device."""
    if find_spec("torch") is None:
        return False
    import torch

    return torch.cuda.is_available()


@cache
def best_precision(device: str) -> str:
    """``bf16`` where it is fast, otherwise ``fp32``; the labels are the same."""
    if device == "cuda":
        return "bf16"
    try:
        facts = CPU_FACTS.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "fp32"
    return "bf16" if any(flag in facts for flag in BF16) else "fp32"
