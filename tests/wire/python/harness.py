"""A running server and boto3 clients for it.

The server is the one at TAULA_ENDPOINT, or else one that this process starts
for itself, in memory, and stops at its end.
"""

import atexit
import itertools
import os
import pathlib
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

import boto3
import botocore.config

ROOT = pathlib.Path(__file__).resolve().parents[3]
REGION = "us-east-1"
CREDENTIALS = {"aws_access_key_id": "AKIDEXAMPLE", "aws_secret_access_key": "secret"}
READY_SECONDS_MAX = 20

_names = itertools.count(1)


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _answers(endpoint):
    try:
        with urllib.request.urlopen(endpoint, timeout=5) as response:
            return response.status == 200
    except (urllib.error.URLError, ConnectionError):
        return False


def _start():
    binary = os.environ.get("TAULA_BINARY", str(ROOT / "build/release/bin/taula"))
    port = _free_port()
    log = tempfile.TemporaryFile()
    child = subprocess.Popen([binary, "serve", "--memory", "--port", str(port), "--log-level", "warning"],
                             stdout=log, stderr=log)
    atexit.register(child.wait)
    atexit.register(child.kill)
    endpoint = f"http://127.0.0.1:{port}"
    deadline = time.monotonic() + READY_SECONDS_MAX
    while not _answers(endpoint):
        if child.poll() is not None or time.monotonic() > deadline:
            log.seek(0)
            raise RuntimeError(f"the server did not start: {log.read().decode()}")
        time.sleep(0.01)
    return endpoint


ENDPOINT = os.environ.get("TAULA_ENDPOINT") or _start()

_settings = {
    "endpoint_url": ENDPOINT,
    "region_name": REGION,
    "config": botocore.config.Config(retries={"max_attempts": 0}, parameter_validation=False),
    **CREDENTIALS,
}
client = boto3.client("dynamodb", **_settings)
cloudwatch = boto3.client("cloudwatch", **_settings)
resource = boto3.resource("dynamodb", **_settings)


def unique_name(prefix="table"):
    return f"{prefix}-py{os.getpid()}-{next(_names)}"


def table_input(key, **more):
    """key: {"pk": "S", "sk": "N"}, partition key first."""
    names = list(key)
    return {
        "TableName": unique_name(),
        "KeySchema": [{"AttributeName": name, "KeyType": kind} for name, kind in zip(names, ["HASH", "RANGE"])],
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": key[name]} for name in names],
        "BillingMode": "PAY_PER_REQUEST",
        **more,
    }


def create_table(key, **more):
    wanted = table_input(key, **more)
    client.create_table(**wanted)
    client.get_waiter("table_exists").wait(TableName=wanted["TableName"], WaiterConfig={"Delay": 1, "MaxAttempts": 30})
    return wanted["TableName"]
