"""A llama.cpp server over a cross-encoder of random weights, for a machine without a model hub: its scores mean
nothing, but it answers as with a real model. Run with an interpreter that has `gguf` and `xllamacpp`; prints its
address, ends with its input."""

import sys
import tempfile
from pathlib import Path

import gguf
import numpy as np
import xllamacpp

WIDTH, HIDDEN, HEADS, LAYERS, WINDOW = 32, 64, 4, 1, 512
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def write_model(path: Path) -> None:
    """A BERT of one layer with a classifier of one output, whose words are the letters."""
    letters = [chr(code) for code in range(33, 127)]
    tokens = [*SPECIAL, *("\u2581" + letter for letter in letters), *letters]  # \u2581 begins a word
    writer = gguf.GGUFWriter(path, "bert")
    writer.add_context_length(WINDOW)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(HIDDEN)
    writer.add_head_count(HEADS)
    writer.add_layer_norm_eps(1e-12)
    writer.add_causal_attention(False)
    writer.add_pooling_type(gguf.PoolingType.RANK)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("bert")
    writer.add_tokenizer_pre("default")
    writer.add_token_type_count(2)
    writer.add_token_list(tokens)
    plain = len(tokens) - len(SPECIAL)
    writer.add_token_types([gguf.TokenType.CONTROL] * len(SPECIAL) + [gguf.TokenType.NORMAL] * plain)
    writer.add_pad_token_id(SPECIAL.index("[PAD]"))
    writer.add_unk_token_id(SPECIAL.index("[UNK]"))
    writer.add_bos_token_id(SPECIAL.index("[CLS]"))
    writer.add_eos_token_id(SPECIAL.index("[SEP]"))
    writer.add_sep_token_id(SPECIAL.index("[SEP]"))
    writer.add_mask_token_id(SPECIAL.index("[MASK]"))
    random = np.random.default_rng(7)

    def add(name: str, *shape: int, size: float = 1.0) -> None:
        writer.add_tensor(name, (random.standard_normal(shape) * size).astype(np.float32))

    def linear(name: str, outputs: int, inputs: int) -> None:
        add(f"{name}.weight", outputs, inputs, size=inputs**-0.5)
        add(f"{name}.bias", outputs, size=0.1)

    def norm(name: str) -> None:
        writer.add_tensor(f"{name}.weight", np.ones(WIDTH, np.float32))
        writer.add_tensor(f"{name}.bias", np.zeros(WIDTH, np.float32))

    add("token_embd.weight", len(tokens), WIDTH)
    add("position_embd.weight", WINDOW, WIDTH)
    add("token_types.weight", 2, WIDTH)
    norm("token_embd_norm")
    for layer in range(LAYERS):
        for part in ("attn_q", "attn_k", "attn_v", "attn_output"):
            linear(f"blk.{layer}.{part}", WIDTH, WIDTH)
        linear(f"blk.{layer}.ffn_up", HIDDEN, WIDTH)
        linear(f"blk.{layer}.ffn_down", WIDTH, HIDDEN)
        norm(f"blk.{layer}.attn_output_norm")
        norm(f"blk.{layer}.layer_output_norm")
    linear("cls", WIDTH, WIDTH)
    add("cls.output.weight", 1, WIDTH, size=WIDTH**-0.5)
    writer.add_tensor("cls.output.bias", np.full(1, 3.0, np.float32))  # logits above 1, which are no shares
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="rerank") as folder:
        model = Path(folder) / "random.gguf"
        write_model(model)
        params = xllamacpp.CommonParams()
        params.model.path = str(model)
        params.n_ctx = 4 * WINDOW
        params.n_parallel = 1
        params.hostnames = ["127.0.0.1"]
        params.port = 0
        params.embedding = True
        params.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_RANK
        server = xllamacpp.Server(params)
        sys.stdout.write(f"\n{server.listening_address}\n")
        sys.stdout.flush()
        sys.stdin.read()


if __name__ == "__main__":
    main()
