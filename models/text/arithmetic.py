"""The fastest arithmetic of this machine."""

from __future__ import annotations

import warnings
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from torch.nn import Module

    Model = TypeVar("Model", bound=Module)

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


def chosen_precision(precision: str, device: str) -> str:
    """A precision, of which ``auto`` is the best one of the device: in a training, and where a model judges texts."""
    return best_precision(device.partition(":")[0]) if precision == "auto" else precision


@cache
def best_precision(device: str) -> str:
    """``bf16`` where it is fast, otherwise ``fp32``."""
    if device == "cuda":
        return "bf16"
    try:
        facts = CPU_FACTS.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "fp32"
    return "bf16" if any(flag in facts for flag in BF16) else "fp32"


def quantised(model: Model, *, by_channel: bool = False) -> Model:
    """The model with the weights and products of its dense layers in 8 bits, on the CPU; activations are scaled as they come.

    Args:
        by_channel: a scale for each row of a weight matrix rather than one for all: closer to 32 bits, and hardly slower.
    """
    import torch
    from torch.ao.quantization import default_dynamic_qconfig, per_channel_dynamic_qconfig

    scales = per_channel_dynamic_qconfig if by_channel else default_dynamic_qconfig
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that torch will move this function to another package
        made: Model = torch.ao.quantization.quantize_dynamic(model, {torch.nn.Linear: scales}, dtype=torch.qint8)
    return made
