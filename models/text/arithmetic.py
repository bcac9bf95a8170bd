"""What arithmetic this machine does quickly."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

CPU_FACTS = Path("/proc/cpuinfo")
BF16 = ("avx512_bf16", "amx_bf16", " bf16")
"""Flags of processors that multiply 16-bit brain floats; others would only emulate it, more slowly than 32 bits."""


@cache
def cuda_is_there() -> bool:
    """Whether torch is installed and finds a CUDA device."""
    if find_spec("torch") is None:
        return False
    import torch

    return torch.cuda.is_available()


@cache
def best_precision(device: str) -> str:
    """``bf16`` where it is quick, otherwise ``fp32``, which changes no label."""
    if device == "cuda":
        return "bf16"
    try:
        facts = CPU_FACTS.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "fp32"
    return "bf16" if any(flag in facts for flag in BF16) else "fp32"
