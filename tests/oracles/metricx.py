"""MetricX as its program defines it: mT5 and one logit, in float64 and one text at a time."""

import numpy as np

ROW, LONGEST = 250089, {"24": 1536, "23": 1024, "23-qe": 1024}


def text(form, prediction, source=None, reference=None):
    if form == "24":
        return f"source: {source or ''} candidate: {prediction}" + (
            "" if reference is None else f" reference: {reference}"
        )
    return f"candidate: {prediction} " + (f"reference: {reference}" if form == "23" else f"source: {source}")


def score(weights, ids, n_heads, n_encoder, n_decoder):
    """The score of a text from its ids, without the last one, and the weights by their names in a checkpoint."""
    mt5 = MT5({name: np.asarray(value, np.float64) for name, value in weights.items()}, n_heads)
    states = mt5.stack("encoder", n_encoder, ids)
    found = mt5.stack("decoder", n_decoder, [0], states)
    return float(np.clip(found[0] @ mt5.weights["lm_head.weight"][ROW], 0, 25))


class MT5:
    """The two stacks; attention without scaling, and its bias by distance in the first layer's own table."""

    def __init__(self, weights, n_heads):
        self.weights, self.n_heads = weights, n_heads

    def stack(self, name, n_layers, ids, others=None):
        x = self.weights["shared.weight"][ids]
        bias = self.bias(name, len(ids), is_two_sided=others is None)
        for i in range(n_layers):
            block = f"{name}.block.{i}.layer"
            own = self.normed(x, f"{block}.0.layer_norm")
            x = x + self.attention(f"{block}.0.SelfAttention", own, own, bias)
            if others is not None:
                x = x + self.attention(
                    f"{block}.1.EncDecAttention", self.normed(x, f"{block}.1.layer_norm"), others, 0.0
                )
            last = f"{block}.{1 if others is None else 2}"
            own = self.normed(x, f"{last}.layer_norm")
            gate, inner, out = (self.weights[f"{last}.DenseReluDense.{part}.weight"] for part in ("wi_0", "wi_1", "wo"))
            x = x + (gelu(own @ gate.T) * (own @ inner.T)) @ out.T
        return self.normed(x, f"{name}.final_layer_norm")

    def normed(self, x, name):
        return x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-6) * self.weights[f"{name}.weight"]

    def attention(self, name, queries, others, bias):
        q, k, v = (
            (side @ self.weights[f"{name}.{part}.weight"].T).reshape(len(side), self.n_heads, -1).swapaxes(0, 1)
            for side, part in ((queries, "q"), (others, "k"), (others, "v"))
        )
        powers = q @ k.swapaxes(1, 2) + bias
        powers = np.exp(powers - powers.max(-1, keepdims=True))
        mixed = (powers / powers.sum(-1, keepdims=True)) @ v
        return mixed.swapaxes(0, 1).reshape(len(queries), -1) @ self.weights[f"{name}.o.weight"].T

    def bias(self, name, n, *, is_two_sided):
        table = self.weights[f"{name}.block.0.layer.0.SelfAttention.relative_attention_bias.weight"]
        buckets = [[bucket(j - i, len(table), is_two_sided=is_two_sided) for j in range(n)] for i in range(n)]
        return table[np.array(buckets)].transpose(2, 0, 1)


def bucket(distance, n_buckets, *, is_two_sided, farthest=128):
    first = 0
    if is_two_sided:
        n_buckets //= 2
        first = n_buckets if distance > 0 else 0
    distance = abs(distance) if is_two_sided else max(-distance, 0)
    exact = n_buckets // 2
    if distance < exact:
        return first + distance
    far = exact + int(np.log(distance / exact) / np.log(farthest / exact) * (n_buckets - exact))
    return first + min(far, n_buckets - 1)


def gelu(x):
    """The form with tanh."""
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))
