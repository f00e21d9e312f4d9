"""A llama.cpp server over a model of random weights, for a machine without a model hub: it answers nonsense, but by the
schema asked for. Run with an interpreter that has `gguf` and `xllamacpp`; prints its address, ends with its input."""

import sys
import tempfile
from pathlib import Path

import gguf
import numpy as np
import xllamacpp

WIDTH, HIDDEN, HEADS, LAYERS, CONTEXT = 64, 128, 4, 2, 32_768
FIRST_BYTE = 3


def write_model(path: Path) -> None:
    """A Llama of two layers whose tokens are the 256 bytes and the space."""
    special = [("<unk>", gguf.TokenType.UNKNOWN), ("<s>", gguf.TokenType.CONTROL), ("</s>", gguf.TokenType.CONTROL)]
    bytes_ = [(f"<0x{byte:02X}>", gguf.TokenType.BYTE) for byte in range(256)]
    tokens = [*special, *bytes_, ("\u2581", gguf.TokenType.NORMAL)]  # the tokenizer writes a space so
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(HIDDEN)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(len(tokens))
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_tokenizer_model("llama")
    writer.add_token_list([text for text, _ in tokens])
    writer.add_token_scores([0.0] * len(tokens))
    writer.add_token_types([kind for _, kind in tokens])
    writer.add_add_space_prefix(False)  # else no prompt is read back as it was written
    writer.add_unk_token_id(0)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    random = np.random.default_rng(7)

    def noise(*shape: int) -> np.ndarray:
        return (random.standard_normal(shape) * 0.05).astype(np.float32)

    def add(name: str, *shape: int) -> None:
        writer.add_tensor(name, noise(*shape))

    # One dimension is on for every token and serves as a bias: no broken UTF-8, and strings that end after some words.
    embedding, output = noise(len(tokens), WIDTH), noise(len(tokens), WIDTH)
    embedding[:, 0] = 1.0
    output[:, 0] = 0.0
    output[FIRST_BYTE + 128 : FIRST_BYTE + 256, 0] = -3.0
    output[FIRST_BYTE + ord('"'), 0] = 0.3
    writer.add_tensor("token_embd.weight", embedding)
    writer.add_tensor("output.weight", output)
    writer.add_tensor("output_norm.weight", np.ones(WIDTH, np.float32))
    for layer in range(LAYERS):
        for norm in ("attn_norm", "ffn_norm"):
            writer.add_tensor(f"blk.{layer}.{norm}.weight", np.ones(WIDTH, np.float32))
        for part in ("attn_q", "attn_k", "attn_v", "attn_output"):
            add(f"blk.{layer}.{part}.weight", WIDTH, WIDTH)
        add(f"blk.{layer}.ffn_gate.weight", HIDDEN, WIDTH)
        add(f"blk.{layer}.ffn_up.weight", HIDDEN, WIDTH)
        add(f"blk.{layer}.ffn_down.weight", WIDTH, HIDDEN)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="llama") as folder:
        model = Path(folder) / "random.gguf"
        write_model(model)
        params = xllamacpp.CommonParams()
        params.model.path = str(model)
        params.n_ctx = CONTEXT
        params.n_parallel = 1
        params.hostnames = ["127.0.0.1"]
        params.port = 0
        params.chat_template = "chatml"
        server = xllamacpp.Server(params)
        sys.stdout.write(f"\n{server.listening_address}\n")
        sys.stdout.flush()
        sys.stdin.read()


if __name__ == "__main__":
    main()
