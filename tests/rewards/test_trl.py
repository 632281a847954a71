"""Real trainers of TRL with a tiny model: rewards, names and logs, also from a checkpoint on."""

import importlib
import math

import numpy as np
import pytest
import textgauge
from textgauge.rewards import Reward
from tiny_models import save_model, save_tokenizer

from .documents import example

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

for name in ("trl", "torch", "transformers", "accelerate"):
    pytest.importorskip(name, reason=f"{name} is missing: pip install -e '.[rewards]'")
trl = importlib.import_module("trl")
datasets = importlib.import_module("datasets")

PROMPTS = ["the cat", "a dog", "one, two"]
COLUMNS = {
    "answer": ["the cat sat on the mat", "a dog barks", None],
    "translations": [["a cat sat", None], ["a dog barks at the cat", "the dog"], ["three!"]],
}


class Recorded(Reward):
    """Keeps what a trainer passed and what it got."""

    calls = ()

    def __call__(self, prompts=None, completions=None, **columns):
        rewards = super().__call__(prompts, completions, **columns)
        self.calls = (*self.calls, (completions, columns, rewards))
        return rewards


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("model")
    tokenizer = save_tokenizer(place, eos_token="<|start|>", pad_token="<|start|>")
    save_model(place, "gpt2", len(tokenizer), context=64)
    tokenizer.chat_template = "{% for message in messages %}{{ message['content'] }} {% endfor %}"
    tokenizer.save_pretrained(place)
    return place


@pytest.fixture(autouse=True)
def _one_thread():
    import torch

    datasets.disable_progress_bars()
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
    datasets.enable_progress_bars()


def trainer(kind, model, output, n_steps, *, chat=False):
    prompts = [[{"role": "user", "content": text}] for text in PROMPTS] if chat else PROMPTS
    arguments = getattr(trl, f"{kind}Config")(
        output_dir=str(output), per_device_train_batch_size=4, num_generations=4, max_completion_length=8,
        max_steps=n_steps, save_steps=2, logging_steps=1, report_to=[], use_cpu=True, disable_tqdm=True,
        dataloader_pin_memory=False,
    )  # fmt: skip
    return getattr(trl, f"{kind}Trainer")(
        model=str(model), args=arguments, train_dataset=datasets.Dataset.from_dict({"prompt": prompts, **COLUMNS}),
        reward_funcs=[Recorded("rougeL"), Recorded(["chrf", "ter"], reference="translations", weights=[3, 1])],
    )  # fmt: skip


def text(completion):
    return completion if isinstance(completion, str) else completion[0]["content"]


def scores(completion, references):
    """What the two rewards are by definition, score by score."""
    texts = [one for one in ([references] if isinstance(references, str) else references or []) if one is not None]
    if not texts:
        return None, None
    chrf, ter = (getattr(textgauge, name)([completion], [texts])[name] / 100 for name in ("chrf", "ter"))
    return textgauge.rouge([completion], [texts])["rougeL"], 0.75 * chrf + 0.25 * (1 - min(1, ter))


def numbers(rewards):
    return [math.nan if reward is None else reward for reward in rewards]


@pytest.mark.parametrize("chat", [False, True], ids=["text", "chat"])
@pytest.mark.parametrize("kind", ["GRPO", "RLOO"])
def test_trl_logs(kind, chat, folder, tmp_path):
    made = trainer(kind, folder, tmp_path, 3, chat=chat)
    made.train()
    rouge, both = made.reward_funcs
    assert len(rouge.calls) == len(both.calls) == 3
    seen = []
    for step, logged in enumerate(made.state.log_history[:3]):
        for place, reward in enumerate((rouge, both)):
            completions, columns, rewards = reward.calls[step]
            assert (isinstance(completions[0], str), len(rewards)) == (not chat, 4)
            assert columns["trainer_state"] is made.state
            wanted = [
                scores(text(one), references)[place]
                for one, references in zip(completions, columns[reward.reference], strict=True)
            ]
            assert numbers(rewards) == pytest.approx(numbers(wanted), rel=1e-12, nan_ok=True)
            # TRL has float32, and logs what is not finite as None.
            mean = numbers([logged[f"rewards/{reward.__name__}/mean"]])
            assert mean == pytest.approx([np.nanmean(numbers(wanted))], rel=1e-5, nan_ok=True)
            texts = [text(one) for one in completions]
            assert logged[f"rewards/{reward.__name__}/length"] == pytest.approx(sum(map(len, texts)) / 4)
            assert logged[f"rewards/{reward.__name__}/empty"] == 0
            seen += rewards
    assert (rouge.__name__, both.__name__) == ("rougeL", "chrf+ter")
    assert None in seen
    assert any(seen)


def test_training_goes_on_from_a_checkpoint(folder, tmp_path):
    trainer("GRPO", folder, tmp_path, 2).train()
    resumed = trainer("GRPO", folder, tmp_path, 3)
    resumed.train(resume_from_checkpoint=True)
    whole = trainer("GRPO", folder, tmp_path / "whole", 3)
    whole.train()
    assert [len(reward.calls) for reward in resumed.reward_funcs] == [1, 1]
    for one, other in zip(resumed.reward_funcs, whole.reward_funcs, strict=True):
        assert one.calls[0][1]["answer"] == other.calls[2][1]["answer"]
    steps = [logged["step"] for logged in resumed.state.log_history if "rewards/rougeL/mean" in logged]
    assert steps == [1, 2, 3]


@pytest.mark.parametrize("chat", [False, True], ids=["text", "chat"])
def test_completions_of_a_prompt_are_compared(folder, tmp_path, chat):
    made = trainer("GRPO", folder, tmp_path, 1, chat=chat)
    made.reward_funcs[0] = Recorded("chrf", group="mbr")
    made.train()
    [(completions, _, rewards)] = made.reward_funcs[0].calls
    scores = textgauge.pairwise([text(one) for one in completions], metric="chrf") / 100
    assert rewards == pytest.approx((scores.sum(axis=1) - scores.diagonal()) / 3, rel=1e-12)


def test_missing_column(folder, tmp_path):
    made = trainer("GRPO", folder, tmp_path, 1)
    made.reward_funcs = [Reward("rougeL", reference="anwser")]
    with pytest.raises(ValueError, match="reference: expected one of the columns .*, pass reference='answer'"):
        made.train()
    assert made.state.global_step == 0


def test_the_example_of_the_document_runs(folder, tmp_path):
    rows = datasets.Dataset.from_dict({"prompt": PROMPTS[:2], "answer": COLUMNS["answer"][:2]})
    settings = {"per_device_train_batch_size": 4, "max_completion_length": 8, "max_steps": 1, "use_cpu": True}
    theirs = {"model": str(folder), "rows": rows, "output_dir": str(tmp_path)}
    quick = ", ".join(f"{name}={value}" for name, value in settings.items())
    exec(example("GRPOTrainer(").replace("num_generations=4", f"num_generations=4, {quick}"), theirs)
    assert [reward.__name__ for reward in theirs["rewards"]] == ["bleu", "chrf+rougeL"]
