"""Words that cannot be: exit code 2, and one line that says what is wrong and what is meant."""

import shlex

import pytest

from cli.conftest import says

TEXTS = ["the cat sat on a mat", "a dog barks", "it rains"]
LISTS = [{"prediction": ["a", "b", "c"], "reference": ["a"], "p": [0.5]}, {"prediction": ["d", "e"], "p": [0.5] * 2}]
FILES = {
    "hyp.txt": TEXTS, "ref.txt": TEXTS[::-1], "b.txt": TEXTS, "one.txt": TEXTS[:1], "long.txt": TEXTS * 2,
    "empty.txt": [], "others.jsonl": [{"reference": "a dog"}], "numbers.jsonl": [{"prediction": 1}] * 2,
    "lists.jsonl": LISTS, "lines.jsonl": [{"prediction": ["a\nb", "a\nb"]}],
    "returns.jsonl": [{"prediction": ["a\rb", "a\rb"]}],
    "given.jsonl": [{"id": "a", "prediction_text": "x"}], "answers.jsonl": [{"id": "a", "answers": {"text": ["x"]}}],
    "short.jsonl": [{"id": "b", "prediction_text": "x"}], "no_text.jsonl": [{"id": "a"}],
    "no_answer.jsonl": [{"id": "a", "answers": ["x"]}], "a_list.jsonl": ['["a"]'],
    "weights.jsonl": [{"prediction": ["a", "b"], "p": "[1, 2]", "q": None}], "dev.json": '{"data": [{"pages": []}]}',
}  # fmt: skip

BLEU, ROUGE, PPL = "score -m bleu a -r b", "score -m rouge a -r b", "score -m perplexity hyp.txt"
NGRAMS, MODEL = f"{PPL} --ngram-train ref.txt", f"{PPL} --model-id x"
COMPARE, PAIR = "compare -m bleu -r ref.txt", "compare -m bleu -r ref.txt hyp.txt b.txt"
EXPLAIN, TEXT = "explain -m bleu hyp.txt -r ref.txt", "explain --text 'a cat' --against 'the cat'"
SQUAD = "-m token_f1 --format squad -r answers.jsonl"

# What the program answers, for `says`.
OF_METRICS = {
    "score": "score needs a file, as in textgauge score hyp.txt -r ref.txt. Try",
    "scores": "there is no command 'scores'; did you mean score?",
    "bleu hyp.txt ref.txt": "there is no command 'bleu'; did you mean textgauge score hyp.txt -r ref.txt -m bleu?",
    "rougeL 'a b' -r ref.txt --json": "... did you mean textgauge score 'a b' -r ref.txt --json -m rougeL?",
    "chrf": "there is no command 'chrf'; did you mean textgauge score hyp.txt -r ref.txt -m chrf?",
    "hyp.txt -r ref.txt": "there is no command 'hyp.txt'; did you mean textgauge score hyp.txt -r ref.txt?",
    "hyp.txt ref.txt": "there is no command 'hyp.txt'; did you mean textgauge score hyp.txt -r ref.txt?",
    "hyp2.txt -r ref.txt": "there is no command 'hyp2.txt'; choose from score, compare, ",
    "blub": "there is no command 'blub'; choose from score, compare, ",
    "help questeval": "there is no help about 'questeval'; choose from score, ",
    "score a -m blue": "there is no metric 'blue'; did you mean bleu?",
    "score a -m ROUGE-L": "there is no metric 'ROUGE-L'; did you mean rougeL?",
    "score a -m rougel": "there is no metric 'rougel'; did you mean rougeL?",
    "score a -m BLEU": "there is no metric 'BLEU'; did you mean bleu?",
    "score a -m spbleu": "there is no metric 'spbleu'; it is -m \"sacrebleu(tokenizer='flores200')\" here",
    "score a -m bert": "there is no metric 'bert'; it is -m bertscore here",
    "score a -m bleu chrf++ ter": "there is no metric 'chrf++'; it is -m 'chrf(word_order=2)' here",
    "score a -m chrf++": "there is no metric 'chrf++'; it is -m 'chrf(word_order=2)' here",
    "score a -m rouge0": "there is no metric 'rouge0'; did you mean rouge",
    "score a -m questeval": "there is no metric 'questeval'; choose from sacrebleu, bleu, Bleu_1, ",
    "score a -m bleu chfr ter": "chfr is neither a metric nor a file; did you mean chrf?",
    "score a -m preset=x": "there is no metric 'preset=x'",
    "score hyp.txt -r ref.txt -m sacrebleu lowercase": "... sacrebleu: -m sacrebleu lowercase=true, or --lowercase.",
    "score hyp.txt -r ref.txt -m chrf confidence 0.95": "... -m chrf confidence=0.95, or --confidence 0.95.",
    "score a -m bleu,ter lowercase=true chrf word-order 2 -b": "word-order is an option of chrf: -m chrf word_order=2,",
    "score hyp.txt -r ref.txt -m rouge1 beta": "beta is an option of rouge: -m rouge1 beta=VALUE, or --beta VALUE.",
    "score hyp.txt -r ref.txt -m rougeL stemmer": "there is no option stemmer, use_stemmer is one of rouge: -m rougeL",
    "score hyp.txt -r ref.txt -m chrf lower bleu": "there is no option lower, lowercase is one of chrf: -m chrf lower",
    "score hyp.txt -r ref.txt -m bleu rogue": "rogue is neither a metric nor a file; did you mean rouge?",
    "score hyp.txt -r ref.txt -m chrf json brief": "json is an option: --json. Try",
    "score hyp.txt -r ref.txt -m bleu --confidence 95%": "bleu: confidence: ... got '95%' (str)",
    "ROUGE-L hyp.txt ref.txt": "there is no command 'ROUGE-L'; did you mean textgauge score hyp.txt -r ref.txt -m",
    "chrf++ hyp.txt ref.txt": "... did you mean textgauge score hyp.txt -r ref.txt -m 'chrf(word_order=2)'?",
    "compare -r ref.txt hyp.txt b.txt -m chrf confidence 0.9": "confidence is an option: --confidence 0.9.",
    "score -m bleu lowercaze hyp.txt -r ref.txt": "there is no option lowercaze, lowercase is one of bleu",
    "score -m bleu blue hyp.txt -r ref.txt": "blue is neither a metric nor a file; did you mean bleu?",
    "score -r ref.txt -m bleu zzz": "cannot read zzz: no such file",
    "score a -m chrf word_order=2 chrf word_order=0": "chrf is named twice; give its options",
    "score a -m chrf word_order=2 ter chrf": "chrf is named twice; give its options once",
    "score a -m rougeL beta=1 rouge1 beta=2": "rouge has beta twice, 1 and 2: its scores",
    f"{COMPARE} -m blue hyp.txt b.txt": "there is no metric 'blue'; did you mean bleu?",
    "explain -m questeval hyp.txt -r ref.txt": "there is no metric 'questeval'; choose from sacrebleu, bleu, ",
}
OF_OPTIONS = {
    "score a -x": "there is no option -x. Try",
    "agree a.csv --human-field b": "there is no option --human-field; did you mean --human?",
    "score a -r b --confidence-level 0.9": "there is no option --confidence-level; did you mean --confidence?",
    "help ''": "there is no help about ''; choose from",
    "score a -r b --ref c": "there is no option --ref; did you mean --references?",
    "score a -r b --refs c": "there is no option --refs; did you mean --references?",
    "score a -r b -m rougeL --stem": "there is no option --stem; did you mean --use-stemmer?",
    "score a -r b --ngram 2": "there is no option --ngram; did you mean --max-order?",
    "compare a b -r c --per-segment": "there is no option --per-segment here; it is one of textgauge score or",
    "help chrf++": "there is no help about 'chrf++'; it is chrf(word_order=2) here: textgauge help chrf.",
    "score a -r b --documents 3": "there is no option --documents here; it is one of textgauge compare.",
    "score a -r b --group-field g": "there is no option --group-field here; it is one of textgauge diversity.",
    f"{BLEU} --colour red": "there is no option --colour",
    f"{BLEU} --tokeniser 13a": "there is no option --tokeniser; did you mean --tokenizer?",
    f"{BLEU} --conf 1": "there is no option --conf; did you mean --confusions or --confidence?",
    "score a --quiet -r b": "there is no option --quiet. Try",
    "score --hyp a -r b": "there is no option --hyp; did you mean --predictions?",
    "score a -r b --stemmer": "there is no option --stemmer; did you mean --use-stemmer, an option of rouge?",
    "score a -r b -m wer --normalize": "normalize is an option of meteor15, not of wer; did you mean --normalizer?",
    "score a -m sacrebleu smooth_method=exp": "sacrebleu has no option 'smooth_method'; did you mean smoothing?",
    "score a -m bleu tokenize=13a": "bleu has no option 'tokenize'; did you mean tokenizer?",
    f"{PAIR} --test bs": "Invalid value for '--test': 'bs' is 'bootstrap' here",
    f"{PAIR} --test ar": "Invalid value for '--test': 'ar' is 'permutation' here",
    f"{BLEU} --seed": "--seed needs a value. Try 'textgauge score --help'",
    f"{BLEU} -w 99": "Invalid value for '-w' / '--width': 99 is not in",
    f"{NGRAMS} --order 2": "there is no option --order; did you mean --ngram-order?",
    f"{NGRAMS} --scale 100": "there is no option --scale",
    "pairwise hyp.txt --confidence 0.9": "there is no option --confidence",
    "score -m bleu smothing=exp a -r b": "bleu has no option 'smothing'; did you mean smoothing, ",
    "score -m bleu xyz=exp a -r b": "bleu has no option 'xyz'; textgauge help bleu lists them",
    "score -m perplexity order=2 hyp.txt": "perplexity has no option 'order'; did you mean ngram_order?",
    "score a -m sacrebleu preset=nltk": "sacrebleu has no option 'preset'",
    "score a --preset nltk": "preset is an option of bleu, rouge and cer, not of sacrebleu",
    "score a -m sacrebleu --preset sacrebleu": "... not of sacrebleu; leave it out. Try",
    "score a -m chrf --preset sacrebleu": "... not of chrf; leave it out, or name the metric sacrebleu",
    "score a -m chrf --preset=nltk": "preset is an option of bleu, rouge and cer, not of chrf. Try",
    f"{BLEU} --use-stemmer": "use_stemmer is an option of rouge, not of bleu. Try '",
    f"{ROUGE} --max-order 2": "max_order is an option of sacrebleu and bleu, not of rouge",
    f"{NGRAMS} --smoothing exp": "smoothing is an option of sacrebleu and bleu, not of perplexity",
    f"{BLEU} --model-id x":
        "model_id is an option of perplexity, bertscore, comet, metricx, bleurt, consistency and frugalscore, not",
    f"{BLEU} --normalizer none":
        "normalizer is an option of wer, cer, token_f1, squad, squad_v2, exact_match and cpwer, not of bleu",
    f"{PAIR} --use-stemmer": "use_stemmer is an option of rouge, not of bleu",
    f"{EXPLAIN} --use-stemmer": "use_stemmer is an option of rouge, not of bleu",
    "score a -r b -m rouge1 --rouge-types rouge2":
        "rouge_types cannot be given with -m rouge1, which implies it; use -m rouge with rouge_types",
    "pairwise hyp.txt -m rouge rouge_types=rouge1,rouge2": "rouge: metric: ... rouge",
    # Values are refused as in Python: tests/robustness has those.
    f"{BLEU} --seed 1": "bleu: `seed` has no effect without `confidence`",
    f"{BLEU} --max-order 0": "bleu: max_order: ... got 0",
    f"{BLEU} --max-order x": "bleu: max_order: ... got 'x'",
    "score -m bleu smoothing=flour a -r b": "bleu: smoothing: ... got 'flour'",
    f"{BLEU} --confidence 95": "bleu: confidence: ... got 95.0 (float); 95 percent is 0.95",
    f"{PAIR} --confidence 101": "compare: confidence: ... got 101.0 (float)",
    "plan -m bleu -r ref.txt hyp.txt b.txt --power 80":
        "plan: power: ... between 0.025, half the level of the test, and 1, got 80.0 (float); 80 percent is 0.8",
    "score a -m anls min_similarity=50 -r b": "anls: min_similarity: ... got 50.0 (float); 50 percent is 0.5",
    f"{BLEU} --weights 1,x": "bleu: weights: ... got '1,x'",
    f"{BLEU} --weights 1,2": "bleu: weights: ... `max_order=2` ... got [1.0, 2.0]",
    f"{BLEU} --smooth-value 2": "bleu: smooth_value: ... `smoothing='none'` ... got 2.0",
    f"{BLEU} --smooth --smoothing exp": "bleu: smoothing: ... `smooth=True` ... got 'exp'",
    "score -m bleu hyp.txt -r ref.txt --all-orders --weights 1,1,1,1": "bleu: weights: ... got (1.0, 1.0, 1.0, 1.0)",
    "score -m chrf a -r b --lowercase=ascii": "chrf: lowercase: ... got 'ascii'",
    f"{ROUGE} --beta nan": "rouge: beta: ... got nan",
    f"{ROUGE} --no-use-aggregator --aggregator mean": "rouge: `aggregator` cannot be given with `use_agg",
    f"{ROUGE} --use-stemmer --tokenizer unicode": "rouge: use_stemmer: ... got True",
    f"{ROUGE} --weight 2": "rouge: `weight` has no effect without 'rougeW' among `rouge_types`",
    "score -m bleu hyp.txt -r ref.txt --preset nltk --smoothing chen-cherry-5 --confidence 0.9":
        "bleu: smoothing: ... got 'chen-cherry-5'",
    f"{PAIR} -n 0": "compare: n_resamples: ... got 0",
    f"{PAIR} --test permutation --p-value sacrebleu": "compare: p_value: ... got 'sacrebleu'",
    f"{EXPLAIN} -n 2000000": "explain: n_resamples: ... 1,000,000 ... got 2000000",
    PPL: "perplexity: model_id: ... `ngram_train` ... got None",
    "explain -m perplexity hyp.txt": "perplexity: model_id: ... `ngram_train` ... got None",
    f"{NGRAMS} --model-id x": "perplexity: `model_id` cannot be given with `ngram_train`",
    f"{NGRAMS} --stride 2": "perplexity: `stride` cannot be given with `ngram_train`",
    f"{NGRAMS} --prefixes ref.txt": "perplexity: `prefixes` cannot be given with an NgramModel",
    f"{NGRAMS} --ngram-order 0": "perplexity: ngram_order: ... got 0",
    f"{MODEL} --ngram-order 2": "perplexity: `ngram_order` has no effect without `ngram_train`",
    f"{MODEL} --tokenizer 13a": "perplexity: tokenizer: ... `ngram_train` ... got '13a'",
    f"{MODEL} --stride 4 --max-length 4": "perplexity: stride: ... (4) ... got 4",
    f"{MODEL} --dtype half": "perplexity: dtype: ... got 'half'",
    "mbr lists.jsonl -m ter --aggregate": "... ter: aggregate: ... 'ter' ... got True",
    "tokenize --stem hyp.txt": "--stem needs --tokenizer rouge. Try 'textgauge tokenize --help'",
}  # fmt: skip
OF_FILES = {
    "score -m bleu a -p b": "a has no flag beside -p b: give each file its own -p or -r",
    "score -p a -r b c": "c has no flag beside -p a: give each file its own -p or -r",
    "score -m bleu -p hyp.txt -p b.txt": "hyp.txt and b.txt are systems, and there are no references: a file of",
    "mbr": "mbr needs a file, as in textgauge mbr samples.jsonl --prediction-field candidates -m chrf",
    "compare": "compare needs a file, as in textgauge compare baseline.txt other.txt -r ref.txt",
    "score -m bleu articles hyp.txt b.txt": "articles is neither a file nor a metric",
    "diversity hyp.txt --confidence": "... confidence: ... got 0.95",
    "score a b": "a is neither a file nor a metric",
    "score -r ref.txt": "score needs a file; '-' is standard input, as in textgauge score - -r ref.txt",
    "compare -r ref.txt": "compare needs a file; '-' is standard input",
    "score hyp.txt -r ref.txt -m ver": "... 'ver'; choose from sacrebleu, bleu,",
    "score hyp.txt -r ref.txt -m bleu ver": "ver is neither a file nor a metric",
    "score hyp.txt -r ref.txt -w 18": "... 18 is not in the range 0 to 17",
    "pairwise hyp.txt --top 0": "... 0 is not in the range 1 or more",
    "score hyp.txt b.txt": "... needs -r, as in textgauge score hyp.txt -r b.txt; -r hyp.txt takes the references in",
    "score hyp.txt -r ref.txt -m bleu --lowercase ter": "ter is a metric: name it behind -m, before other options",
    "score hyp.txt -r ref.txt -m bleu chrf --confidence word_order=2":
        "word_order=2 belongs right behind its metric: -m chrf word_order=2",
    "score hyp.txt -r ref.txt lowercase=True": "lowercase=True belongs right behind its metric: -m sacrebleu lowerc",
    "score hyp.txt -r ref.txt -m bleu --lowercase beta=True": "beta=True belongs right behind its metric: -m bleu beta",
    "score '' -r b": "cannot read ''",
    "score a.parquet.gz": "a.parquet.gz: ... got a name that ends in .gz",
    "score x.jsonl.zst -r ref.txt": "x.jsonl.zst: ... got .zst, which is not",
    "score x.txt.XZ -r ref.txt": "x.txt.XZ: ... got .XZ, which is not supported",
    "score nope.txt -r ref.txt": "cannot read nope.txt: no such file or directory",
    "score hyp.txt -r nope.parquet": "cannot read nope.parquet: ",
    "tokenize nope.txt": "cannot read nope.txt: ",
    "pairwise nope.txt": "... cannot read nope.txt",
    f"{COMPARE} hyp.txt nope.txt": "cannot read nope.txt: no such file",
    "score -m bleu hyp.txt": "no references: hyp.txt is plain text, which has no column for them; give --references",
    f"{NGRAMS} -m bleu": "no references: hyp.txt is plain text",
    f"{MODEL} --prefixes ref.txt -m bleu": "no references: hyp.txt is plain text",
    f"{NGRAMS} -r ref.txt": "--references has no effect: none of these metrics uses references",
    "explain -m perplexity hyp.txt --ngram-train ref.txt -r b": "--references has no effect: none of these",
    "explain -m perplexity bleu hyp.txt --ngram-train ref.txt -r b": "perplexity uses no references: write",
    f"{PPL} --ngram-train empty.txt": "empty.txt: the file is empty",
    f"{MODEL} --prefixes long.txt": "long.txt: ... hyp.txt ... got 6",
    "score - -r -": "standard input ('-') can be read for one file only. Try 'textgauge score --help'",
    f"{COMPARE} - -": "standard input ('-') can be read for one file only",
    "score -m perplexity --ngram-train - -p -": "standard input ('-') can be read for one",
    "score - --format parquet": "standard input: ... format",
    f"{COMPARE} hyp.txt": "compare needs a baseline and at least one other system",
    f"{COMPARE} hyp.txt one.txt": "one.txt: ... hyp.txt ... (3) ... got 1",
    "compare -r one.txt -m bleu one.txt one.txt": "one.txt: ... segments ... got 1",
    "score -m rouge one.txt -r one.txt --confidence 0.95": "rouge: confidence: ... got 0.95",
    "explain -m bleu -p a -p b -o c": "... as in textgauge explain a -r b; -r a takes the references in its own",
    "scor hyp.txt -r ref.txt": "... did you mean score?",
    "pairwise one.txt": "... a single text has no other",
    "pairwise hyp.txt -m chrf bleu": "... pairwise takes one score, got chrf and bleu",
    "pairwise hyp.txt hyp.txt": "... pairwise takes one file, got hyp.txt, hyp.txt",
    "pairwise hyp.txt -r ref.txt -r others.jsonl": "... pairwise takes one file of references",
    "pairwise hyp.txt -m perplexity": "... pairwise needs a metric that compares texts with others, not perplexity",
    "pairwise others.jsonl": "... others.jsonl, line 1: there is no field 'prediction'",
    # A way out that the command lacks is not offered.
    "pairwise numbers.jsonl": "... got 1 (2 bad rows, line 1 and line 2)$",
    "diversity numbers.jsonl": "... got 1 (2 bad rows, line 1 and line 2)$",
    "mbr lists.jsonl -r others.jsonl": "... others.jsonl: ... lists.jsonl ... (2) ... got 1$",
    "mbr numbers.jsonl": "... (2 bad rows, line 1 and line 2)$",
    "mbr hyp.txt": '... no lists of texts: mbr reads JSON Lines or Parquet, a row as {"prediction": ["a", "b"]}.',
    "mbr others.jsonl --prediction-field reference":
        'others.jsonl: ... several candidates, such as {"reference": ["a", "b"]}, got one text in every row',
    "mbr lists.jsonl --weights-field q": "... lists.jsonl, line 1: there is no field 'q', only 'prediction', ",
    "mbr lists.jsonl --weights-field prediction":
        "... lists.jsonl, row 1, field 'prediction': ... numbers, got [",
    "mbr others.jsonl --prediction-field reference --weights-field reference":
        "... row 1, field 'reference': ... got \"a dog\"",
    "mbr weights.jsonl --weights-field p":
        "... weights.jsonl, row 1, field 'p': ... got \"[1, 2]\"",
    "mbr weights.jsonl --weights-field q": "... weights.jsonl, row 1, field 'q': ... got null",
    "mbr lists.jsonl --weights-field p": "... sacrebleu: weights[0]: ... got [0.5]",
    "mbr lists.jsonl --prediction-field p": "... lists.jsonl, line 1, field 'p': ... got [0.5]",
    "mbr lines.jsonl": "... lines.jsonl, row 1: the chosen text has several lines; use --json",
    "mbr returns.jsonl": "... returns.jsonl, row 1: the chosen text has several lines; use --json",
    f"{TEXT} hyp.txt": "--text and --against are used without files, got hyp.txt",
    "explain --text 'a cat'": "--text needs a reference to be compared with: give --against",
    "explain --against 'a cat'": "--against needs a text to compare: give --text",
    f"{TEXT} -m perplexity --ngram-train ref.txt": "--against has no effect: none of these metrics uses references",
}  # fmt: skip
OF_FIELDS = {
    f"{BLEU} -s ref.txt": "--sources has no effect: bleu uses no sources. Try",
    f"{BLEU} -s exp": "--sources has no effect: bleu uses no sources; smoothing is --smoothing. Try",
    "score -m bleu chrf -r b -s floor a": "--sources has no effect: bleu and chrf use no sources; smoothing is",
    f"{BLEU} --prediction-field x": "--prediction-field has no effect: plain text has",
    f"{PAIR} --prediction-field d": "--prediction-field has no effect: plain text has no",
    f"{NGRAMS} --prediction-field x": "--prediction-field has no effect: plain text has no columns",
    "pairwise hyp.txt --reference-field a": "... hyp.txt is plain text, which has no column for them",
    "score a.csv --reference-field prediction": "--prediction-field and --reference-field name the same",
    f"{NGRAMS} --reference-field x": "--reference-field has no effect: none of these metrics uses",
    f"{MODEL} --prefix-field p": "--prefix-field has no effect without --prefixes",
    f"{MODEL} --prefixes ref.txt --prefix-field p": "--prefix-field has no effect: plain text has no columns",
    f"{PAIR} --document-field d": "--document-field names a column, and plain text has none: --documents FILE has",
    f"{PAIR} --name a": "--name must be given once per system, 2 in all",
    f"{EXPLAIN} --name a --name b": "--name must be given once per system, 1 in all",
    f"{TEXT} --name a --name b": "--name must be given once per system, 1 in all",
    "pairwise hyp.txt --name a": "there is no option --name",
    "pairwise hyp.txt --skip-bad": "there is no option --skip-bad",
    "mbr lists.jsonl --table latex": "there is no option --table",
    f"{TEXT} --format csv": "--format has no effect with --text",
    f"{TEXT} --sources ref.txt": "--sources has no effect with --text, whose source is --source TEXT",
    f"{TEXT} --source-field src": "--source-field has no effect with --text, whose source is --source TEXT",
    f"{EXPLAIN} --source 'le chat'": "--source ",
    f"{TEXT} --reference-field gold": "--reference-field has no effect with --text",
    "explain -m perplexity --model-id m --prefixes ref.txt hyp.txt": "prefixes are not supported: a page shows texts",
    "explain --text a -m perplexity --ngram-train ref.txt --prefixes ref.txt": "prefixes are not supported: a page",
    f"{NGRAMS} --format squad": "--format squad is for metrics with references",
    f"{NGRAMS} -m bleu --format squad": "--format squad is for metrics with references",
    "pairwise hyp.txt --format squad": "... 'squad' is not one of 'text', 'trn'",
    f"score {SQUAD} given.jsonl -r b": "--format squad takes one file of references, whose rows hold all answers",
    f"score {SQUAD} given.jsonl --prediction-field x": "--prediction-field has no effect with --format squad",
    f"score {SQUAD} given.jsonl --skip-bad": "--skip-bad has no effect with --format squad, whose rows are matched by",
    f"compare {SQUAD} given.jsonl given.jsonl --documents b": "--documents cannot be used with --format squad",
    f"compare {SQUAD} given.jsonl given.jsonl --reference-field x": "--reference-field has no effect with --format",
    f"compare {SQUAD} given.jsonl short.jsonl":
        "short.jsonl: predictions: ... 'a' ... got none",
    f"score {SQUAD} short.jsonl": "short.jsonl: predictions: ... 'a' ... got none",
    f"score {SQUAD} no_text.jsonl": "no_text.jsonl: predictions[0]: ... got {",
    f"score {SQUAD} empty.txt": "empty.txt: the file is empty",
    "score -m token_f1 --format squad given.jsonl -r no_answer.jsonl": "given.jsonl: references[0]",
    "score -m token_f1 --format squad given.jsonl -r a_list.jsonl":
        'a_list.jsonl, object 1: ... got "a"',
    "score -m token_f1 --format squad given.jsonl -r dev.json": "dev.json: not a file of SQuAD: KeyError 'paragraphs'",
}  # fmt: skip
SEGMENTS = "has no effect on the scores of segments, which x.csv is for"
OF_OUTPUT = {
    f"{BLEU} --brief --json": "--brief cannot be given with --json",
    "mbr lists.jsonl -b --json": "... --brief cannot be given with --json",
    f"{BLEU} --brief --signature": "--brief cannot be given with --signature",
    f"{BLEU} --brief --confidence 0.9 --per-segment": "--brief cannot be given with both --confidence and",
    f"{BLEU} --table latex --json": "--json cannot be given with --table",
    f"{BLEU} --table latex -b": "--brief cannot be given with",
    f"{PAIR} --table latex --json": "--json cannot be given with --table",
    f"{PAIR} --table latex -b": "--brief cannot be given with",
    "score hyp.txt -r ref.txt --table latex --per-segment": "--table is for scores of the corpus, not for those",
    "score hyp.txt -r ref.txt -m rouge1 --table latex --no-use-aggregator": "--table is for scores of the corpus",
    **{f"{BLEU} --{option} -o x.csv": f"--{option} {SEGMENTS}" for option in ("confidence", "signature", "counts")},
    "score a -r b -o -": "--output: ... got '-'",
    f"{EXPLAIN} -o no/such/folder": "--output: cannot write no/such/folder",
    f"{EXPLAIN} -o x.csv": "--output: a page cannot be written to x.csv: .csv is for rows per segment",
    f"{EXPLAIN} -o x.json": "--output: a page cannot be written to x.json: .json is for rows per segment",
    f"{BLEU} --table latex -o x.parquet": "--output: a table cannot be written to x.parquet",
    f"{BLEU} -b -o x.CSV": "--output: lines of numbers cannot be written to x.CSV: .csv is for rows per segment",
    f"{BLEU} -b -o x.csv": "--output: lines of numbers cannot be written to x.csv",
    f"{BLEU} --json -o x.jsonl": "--output: JSON cannot be written to x.jsonl",
    f"{BLEU} --percent -o x.csv": "--percent is for what people read: JSON and rows have the scores as they are",
    f"{BLEU} -o x.html": "--output: a table cannot be written to x.html: .html is for a page of",
    f"{BLEU} -o x.xlsx":
        "--output: a table cannot be written to x.xlsx: rows per segment are .json, .jsonl, .csv or .parquet",
    f"{BLEU} -o x.csv.gz": "--output: a table cannot be written to x.csv.gz",
    f"{PAIR} -o x.parquet": "--output: a table cannot be written to x.parquet",
    f"{PAIR} -o x.json": "--output: a table cannot be written to x.json: .json is for JSON",
    "explain hyp.txt -r ref.txt -o x.pdf": "... a page cannot be written to x.pdf: a page is .html",
    "mbr lists.jsonl -o x.csv": "... lines of text cannot be written to x.csv",
    "mbr lists.jsonl -o x.jsonl": "... lines of text cannot be written to x.jsonl: .jsonl is for JSON, with --json",
    "mbr lists.jsonl -o x.parquet --json": "... JSON cannot be written to x.parquet",
    "diversity hyp.txt -o x.csv": "... a table cannot be written to x.csv",
    "diversity hyp.txt -o x.json": "... a table cannot be written to x.json: .json is for JSON, with --json",
    "pairwise hyp.txt -o x.txt": "... --output needs a name that ends in .npy, .csv or .parquet",
    **{f"pairwise hyp.txt -o x.npy {flag}": "... --output writes the matrix" for flag in ("--json", "--brief")},
    "pairwise hyp.txt -o x.npy --top 3": "... --top has no effect with --output, which",
    f"{PAIR} --plot x.jpg": "--plot needs a name that ends in .png, .svg or .pdf, not 'x.jpg'",
    f"{PAIR.replace('bleu', 'chrf')} --plot no/a.png": "--plot: cannot write no/a.png: ",
}  # fmt: skip
# Flags of sacreBLEU.
OF_HABIT = {
    "-tok none": "-t or --tokenizer", "-l en-de": "no language pairs",
    "-sl": "it is --per-segment here",
    "--chrf-word-order 2": "--word-order", "--smooth-method exp": "--smoothing",
    "--scale 100": "the scale belongs to the name of a metric",
    "--ter-no-punct": "--no-punct", "-lc": "--lowercase", "-f text": "it is --json or --table latex here",
    "--test-set wmt20": "there are no test sets",
    "--paired-bs": "it is textgauge compare a.txt b.txt -r ref.txt --p-value sacrebleu here",
}  # fmt: skip
REFUSED = OF_METRICS | OF_OPTIONS | OF_FILES | OF_FIELDS | OF_OUTPUT


@pytest.fixture
def files(write, request):
    """The files that a test names, and those that most name."""
    named = f"hyp.txt ref.txt {request.node.callspec.params}"
    for name, content in FILES.items():
        if name in named:
            write(name, content)


@pytest.mark.parametrize("words", REFUSED)
def test_words_that_cannot_be(refused, files, tmp_path, words):
    message = refused(*shlex.split(words))
    assert says(message, REFUSED[words]), message
    assert not list(tmp_path.glob("x.*"))


@pytest.mark.parametrize("words", OF_HABIT)
def test_flags_of_sacrebleu_are_answered_with_ours(refused, files, words):
    message = refused("score", "ref.txt", "-i", "hyp.txt", *words.split())
    assert message.startswith(f"there is no option {words.split()[0]}")
    assert OF_HABIT[words] in message


@pytest.mark.parametrize("name", ["wmt20", "wmt20/tworefs"])
def test_a_test_set_is_no_tokenizer(refused, files, name):
    message = "-t is --tokenizer here; there are no test sets, give the files of references with -r"
    assert refused("score", "ref.txt", "-i", "hyp.txt", "-t", name).startswith(message)
