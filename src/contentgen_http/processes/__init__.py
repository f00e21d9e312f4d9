"""The programs `serve` and `worker`: processes that are started, watched, started again and ended together."""
