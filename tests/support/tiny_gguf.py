"""A language model of a few thousand numbers as a GGUF file, such as llama.cpp reads."""

from __future__ import annotations

from pathlib import Path

DIMENSION, INNER = 32, 64


def save(path: Path) -> Path:
    """Writes a model of one layer with a byte-level tokenizer; it says nothing that means anything."""
    import gguf
    import numpy as np
    from tokenizers import pre_tokenizers

    tokens = ["<|endoftext|>", *sorted(pre_tokenizers.ByteLevel.alphabet()), "th", "the"]
    generator = np.random.default_rng(0)
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_block_count(1)
    writer.add_context_length(64)
    writer.add_embedding_length(DIMENSION)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(2)
    writer.add_head_count_kv(2)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(DIMENSION // 2)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    writer.add_token_types([3, *[1] * (len(tokens) - 1)])
    writer.add_token_merges(["t h", "th e"])
    writer.add_bos_token_id(0)
    writer.add_eos_token_id(0)
    square, ones = (DIMENSION, DIMENSION), (DIMENSION,)
    shapes = {
        "token_embd": (len(tokens), DIMENSION),
        "output": (len(tokens), DIMENSION),
        **{f"blk.0.attn_{part}": square for part in ("q", "k", "v", "output")},
        **{f"blk.0.ffn_{part}": (INNER, DIMENSION) for part in ("gate", "up")},
        "blk.0.ffn_down": (DIMENSION, INNER),
    }
    for name, shape in shapes.items():
        writer.add_tensor(f"{name}.weight", generator.normal(0, 0.3, shape).astype(np.float32))
    for name in ("output_norm", "blk.0.attn_norm", "blk.0.ffn_norm"):
        writer.add_tensor(f"{name}.weight", np.ones(ones, np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
