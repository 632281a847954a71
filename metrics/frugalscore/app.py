"""The page of this metric in a browser: `python app.py`, or a Hugging Face Space."""

from pathlib import Path

from textgauge.apps import launch, page

demo = page(Path(__file__).parent)

if __name__ == "__main__":
    launch(demo)
