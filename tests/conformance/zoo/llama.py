"""A real llama.cpp with a small window. Its model is a tiny one of random numbers, whose tokens are
bytes: it writes noise, but window, overflow, streams and usage are the server's own. With a model
file in NEXI_GGUF that one is served, and has to answer."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import gguf
import numpy

PACKAGE = "xllamacpp 2026.10.11549"
WINDOW = 16384
SERVER = """
import sys, time, xllamacpp
params = xllamacpp.CommonParams()
params.model.path, params.n_ctx, params.n_parallel, params.use_jinja = sys.argv[1], int(sys.argv[2]), 1, True
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
time.sleep(3600)
"""


def tiny(path):
    """Writes a llama of one layer that knows 256 bytes."""
    random = numpy.random.default_rng(1)
    width, inner, words = 32, 64, 259
    out = gguf.GGUFWriter(str(path), "llama")
    out.add_context_length(2 * WINDOW)
    out.add_embedding_length(width)
    out.add_block_count(1)
    out.add_feed_forward_length(inner)
    out.add_head_count(2)
    out.add_head_count_kv(2)
    out.add_layer_norm_rms_eps(1e-5)
    out.add_rope_dimension_count(width // 2)
    out.add_vocab_size(words)
    out.add_tokenizer_model("llama")
    out.add_token_list([b"<unk>", b"<s>", b"</s>"] + [f"<0x{byte:02X}>".encode() for byte in range(256)])
    out.add_token_scores([0.0] * words)
    out.add_token_types([2, 3, 3] + [6] * 256)
    out.add_bos_token_id(1)
    out.add_eos_token_id(2)
    out.add_unk_token_id(0)
    ones = numpy.ones(width, numpy.float32)
    for name in ("output_norm", "blk.0.attn_norm", "blk.0.ffn_norm"):
        out.add_tensor(f"{name}.weight", ones)
    shapes = {"token_embd": (words, width), "output": (words, width), "blk.0.ffn_gate": (inner, width), "blk.0.ffn_up": (inner, width), "blk.0.ffn_down": (width, inner)}
    shapes |= {f"blk.0.attn_{part}": (width, width) for part in ("q", "k", "v", "output")}
    for name, shape in shapes.items():
        out.add_tensor(f"{name}.weight", random.standard_normal(shape).astype(numpy.float32) * 0.05)
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()


class Question:
    package = PACKAGE

    def __init__(self, name, question, judge):
        self.name, self.question, self.judge = name, question, judge


def whole(report):
    answered = report["state"] in ("answered", "partial") and report["tokens"]["completion"] > 0
    return [] if answered else [f"{report['state']}: {report.get('reason')}"]


def full(report):
    reason = report.get("reason") or ""
    named = report["state"] == "failed" and "context window" in reason and str(WINDOW) in reason
    return [] if named or report["answer"] else [f"{report['state']}: {reason}"]


LLAMA = [
    Question("llama.cpp, running: a question is answered by whatever the model writes", "When was the lighthouse of Orvik lit?", whole),
    Question("llama.cpp, running: a question larger than its window is told as that", "Why is the sea salty and the river sweet? " * 700, full),
]


class Llama:
    def __init__(self):
        self.place = tempfile.TemporaryDirectory()
        model = os.environ.get("NEXI_GGUF") or pathlib.Path(self.place.name) / "tiny.gguf"
        if not os.environ.get("NEXI_GGUF"):
            tiny(model)
            print("llama.cpp serves a tiny model of random numbers; NEXI_GGUF names a real one", flush=True)
        self.log = pathlib.Path(self.place.name) / "log"
        with self.log.open("w") as log:
            self.process = subprocess.Popen([sys.executable, "-c", SERVER, str(model), str(WINDOW)], stdout=log, stderr=subprocess.STDOUT)
        for _ in range(120):
            found = re.search(r"^http://\S+", self.log.read_text(errors="replace"), re.M)
            if found:
                self.address = found[0]
                return
            if self.process.poll() is not None:
                break
            time.sleep(1)
        self.process.kill()
        raise RuntimeError("llama.cpp does not start: " + self.log.read_text(errors="replace")[-600:])

    def stop(self):
        self.process.kill()
        self.process.wait(10)

    def settings(self):
        return f'llm_backends = ["llama"]\nsearch_backends = ["documents"]\n[providers.llama]\ntype = "openai_compatible"\nbase_url = "{self.address}/v1"\nmodel = "local"\n'
