"""The command line of sacreBLEU over our metrics."""

from . import imported_here

imported_here("sacrebleu").main()
