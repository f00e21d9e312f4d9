"""An S3-compatible server on loopback."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from logging import WARNING, getLogger
from threading import Thread
from typing import Final

CREDENTIALS: Final = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret"}


@contextmanager
def s3_server(*buckets: str) -> Iterator[str]:
    """Run a server with these buckets and yield its `host:port`; anybody with CREDENTIALS may use it."""
    import boto3
    from moto.moto_server.werkzeug_app import MotoRequestHandler, create_backend_app
    from werkzeug.serving import make_server

    getLogger("werkzeug").setLevel(WARNING)  # nobody reads of each request
    # moto's own server looks for the service that a request is for among two hundred, in each request.
    server = make_server("127.0.0.1", 0, create_backend_app("s3"), threaded=True, request_handler=MotoRequestHandler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        address = f"127.0.0.1:{server.port}"
        client = boto3.client(
            "s3",
            endpoint_url=f"http://{address}",
            region_name="us-east-1",
            aws_access_key_id=CREDENTIALS["AWS_ACCESS_KEY_ID"],
            aws_secret_access_key=CREDENTIALS["AWS_SECRET_ACCESS_KEY"],
        )
        for bucket in buckets:
            client.create_bucket(Bucket=bucket)
        yield address
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
