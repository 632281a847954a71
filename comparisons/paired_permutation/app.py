"""The page of this comparison in a browser: `python app.py`, or a Hugging Face Space."""

from pathlib import Path

from textgauge.apps import comparison_page, launch

demo = comparison_page(Path(__file__).parent)

if __name__ == "__main__":
    launch(demo)
