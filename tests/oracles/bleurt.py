"""BLEURT as its program defines it: BERT, or with embeddings of another size, in float64 and one pair at a time."""

import math

import numpy as np


def inputs(reference, prediction, longest, cls=2, sep=3):
    """The ids and types of a pair: the longer list loses its last id, of two equal ones the second."""
    first, second = list(reference), list(prediction)
    while len(first) + len(second) > longest - 3:
        (first if len(first) > len(second) else second).pop()
    return [cls, *first, sep, *second, sep], [0] * (len(first) + 2) + [1] * (len(second) + 1)


def score(weights, ids, types, gelu, n_heads=2, n_layers=2):
    """The score of a pair, from the weights by their names in a checkpoint."""
    w = {name.removeprefix("bleurt.").removeprefix("bert."): value.astype(float) for name, value in weights.items()}
    x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.token_type_embeddings.weight"][types]
    x = normed(x + w["embeddings.position_embeddings.weight"][: len(ids)], w, "embeddings.LayerNorm")
    if "encoder.embedding_projection.weight" in w:
        x = linear(x, w, "encoder.embedding_projection")
    for i in range(n_layers):
        layer = f"encoder.layer.{i}"
        own = linear(attention(x, w, f"{layer}.attention.self", n_heads), w, f"{layer}.attention.output.dense")
        x = normed(x + own, w, f"{layer}.attention.output.LayerNorm")
        inner = GELUS[gelu](linear(x, w, f"{layer}.intermediate.dense"))
        x = normed(x + linear(inner, w, f"{layer}.output.dense"), w, f"{layer}.output.LayerNorm")
    return float(linear(np.tanh(linear(x[0], w, "pooler.dense")), w, "classifier")[0])


def linear(x, w, name):
    return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]


def normed(x, w, name):
    x = x - x.mean(-1, keepdims=True)
    x = x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-12)
    return x * w[f"{name}.weight"] + w[f"{name}.bias"]


def attention(x, w, name, n_heads):
    q, k, v = (
        linear(x, w, f"{name}.{part}").reshape(len(x), n_heads, -1).swapaxes(0, 1) for part in ("query", "key", "value")
    )
    powers = q @ k.swapaxes(1, 2) / math.sqrt(q.shape[-1])
    powers = np.exp(powers - powers.max(-1, keepdims=True))
    return ((powers / powers.sum(-1, keepdims=True)) @ v).swapaxes(0, 1).reshape(len(x), -1)


GELUS = {
    "tanh": lambda x: 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))),
    "exact": lambda x: 0.5 * x * (1 + np.vectorize(math.erf)(x / math.sqrt(2))),
}
