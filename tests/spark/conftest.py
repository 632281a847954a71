import os
import random
import re
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

WORDS = ["the", "cat", "sat", "on", "a", "mat.", "5.5", "猫", "dogs", "running", "&quot;", "\n"]


def java_version():
    program = shutil.which("java")
    if program is None:
        return 0
    shown = subprocess.run([program, "-version"], capture_output=True, text=True, check=False).stderr
    found = re.search(r'version "(\d+)', shown)
    return int(found[1]) if found else 0


@pytest.fixture(scope="session")
def spark(request):
    sql = pytest.importorskip("pyspark.sql", reason="pyspark is not installed: pip install -e '.[spark]'")
    if java_version() < 17:
        pytest.skip("Spark needs Java 17 or newer on the path")
    have_models = any("test_sources" in item.nodeid for item in request.session.items)
    options = {
        "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1", "spark.sql.shuffle.partitions": "2",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "20",
        # Compiling does not pay for the few rows of these tests.
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        "spark.sql.codegen.wholeStage": "false", "spark.sql.adaptive.enabled": "false",
        "spark.python.daemon.module": "spark.daemon", "spark.executorEnv.PYTHONPATH": str(Path(__file__).parents[1]),
        "spark.executorEnv.IMPORTED_ONCE":
            "textgauge.spark transformers.modeling_utils" if have_models else "textgauge.spark",
    }  # fmt: skip
    # Else the workers are the first python3 of the path.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        session = sql.SparkSession.builder.master("local[2]").config(map=options).getOrCreate()
    yield session
    session.stop()


@pytest.fixture(scope="session")
def texts():
    """Predictions and one to three references each."""
    draw = random.Random(0)

    def text():
        return " ".join(draw.choices(WORDS, k=draw.randint(0, 12)))

    predictions = [text() for _ in range(301)]
    return predictions, [[text() for _ in range(draw.randint(1, 3))] for _ in predictions]


@pytest.fixture(scope="session")
def table(spark, texts):
    rows = [(i, p, r[0], r) for i, (p, r) in enumerate(zip(*texts, strict=True))]
    frame = spark.createDataFrame(rows, "id int, hyp string, `first.ref` string, refs array<string>")
    return frame.repartition(5).cache()
