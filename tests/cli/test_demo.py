"""`textgauge demo` and its sample."""

import json

import textgauge
from textgauge import sample


def test_contents_of_the_sample():
    translations, summaries = sample.segments("translations"), sample.segments("summaries")
    assert (len(translations), {len(one["reference"]) for one in translations}) == (24, {1, 2, 3})
    assert len(summaries) == 10
    assert all("\n" in text for segment in summaries for text in segment["reference"])
    scores = textgauge.rouge(*sample.columns("summaries"), use_aggregator=False)["rouge2"]
    assert (min(scores) < 0.1, max(scores), len({*scores})) == (True, 1, 10)


def test_demo_shows_the_scores_of_the_sample(run):
    result = run("demo")
    assert (result.exit_code, result.stderr) == (0, "")
    assert max(map(len, result.stdout.splitlines())) <= 80
    bleu = textgauge.bleu(*sample.columns("translations"), preset="sacrebleu")
    rouge = textgauge.rouge(*sample.columns("summaries"), detailed=True)
    lines = [line.split() for line in result.stdout.splitlines()]
    assert ["BLEU", f"{100 * bleu['bleu']:.2f}"] in [line[:2] for line in lines]
    for kind, parts in rouge.items():
        assert [kind, *(f"{value:.4f}" for value in parts.values())] in [line[:4] for line in lines]


def test_demo_of_perplexity(run):
    translations, references = sample.columns("translations")
    model = textgauge.NgramModel(3).fit([text for texts in references for text in texts])
    forwards = model.score(translations)["corpus_perplexity"]
    shown = {line.rsplit(maxsplit=3)[0].strip(): float(line.split()[-3]) for line in run("demo").stdout.splitlines()
             if line.strip().startswith(("translations", "the same"))}  # fmt: skip
    assert shown["translations"] == round(forwards, 2) < shown["the same, words backwards"]


def test_saved_sample(run):
    lines = run("demo", "--save", "sample").stdout.splitlines()
    commands = [line.partition("score it by: ")[2] for line in lines]
    assert len(commands) == 2
    results = [json.loads(run(*command.split()[1:], "--json").stdout)["metrics"] for command in commands]
    assert results[0]["sacrebleu"] == textgauge.sacrebleu(*sample.columns("translations"))
    assert results[1]["rouge"] == textgauge.rouge(*sample.columns("summaries"))


def test_saving_overwrites_nothing(run, refused, tmp_path):
    run("demo", "--save", tmp_path)
    before = (tmp_path / "summaries.jsonl").read_bytes()
    message = refused("demo", "--save", tmp_path)
    assert message == f"--save: {tmp_path} already has translations.jsonl; name another folder"
    assert (tmp_path / "summaries.jsonl").read_bytes() == before
    file = tmp_path / "file"
    file.write_text("")
    assert refused("demo", "--save", file).startswith("--save: cannot write ")
