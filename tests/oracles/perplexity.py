"""Perplexity by its definition, a token at a time, and the loop of the reference module."""

import math


def double_loop(model, sequence, first):
    """Sum -log p over the tokens from `first` on, each predicted from all tokens before it."""
    import torch

    nll = 0.0
    for end in range(first, len(sequence)):
        with torch.no_grad():
            logits = model(torch.tensor([sequence[:end]])).logits[0, -1].double()
        nll -= torch.log_softmax(logits, dim=0)[sequence[end]].item()
    return nll


def sliding_loop(model, sequence, size, stride):
    """Windows that end `stride` tokens apart, each one full where the text allows it."""
    import torch

    nll, scored, stop = 0.0, 1, min(size, len(sequence))
    while scored < len(sequence):
        start = max(0, stop - size)
        with torch.no_grad():
            logits = model(torch.tensor([sequence[start:stop]])).logits[0].double()
        for i in range(scored, stop):
            nll -= torch.log_softmax(logits[i - start - 1], dim=0)[sequence[i]].item()
        scored, stop = stop, min(len(sequence), stop + stride)
    return nll


def probabilities_loop(rows):
    """Return perplexity per row and of all rows: Jelinek et al. (1977)."""
    logs = [[-math.log(p) for p in row] for row in rows]
    per_row = [math.exp(sum(row) / len(row)) for row in logs]
    flat = [value for row in logs for value in row]
    return per_row, math.exp(sum(flat) / len(flat))


def reference_module(model, tokenizer, texts, batch_size=16, add_start_token=True):
    """Return the perplexities as the reference module computes them."""
    import torch

    encodings = tokenizer(
        texts, add_special_tokens=False, padding=True, return_tensors="pt", return_attention_mask=True
    )
    perplexities = []
    for start in range(0, len(texts), batch_size):
        ids = encodings["input_ids"][start : start + batch_size]
        mask = encodings["attention_mask"][start : start + batch_size]
        if add_start_token:
            ids = torch.cat((torch.full((len(ids), 1), tokenizer.bos_token_id), ids), dim=1)
            mask = torch.cat((torch.ones((len(mask), 1), dtype=torch.int64), mask), dim=1)
        with torch.no_grad():
            logits = model(ids, attention_mask=mask).logits
        losses = torch.nn.CrossEntropyLoss(reduction="none")(
            logits[..., :-1, :].contiguous().transpose(1, 2), ids[..., 1:].contiguous()
        )
        mask = mask[..., 1:]
        perplexities += torch.exp((losses * mask).sum(1) / mask.sum(1)).tolist()
    return perplexities
