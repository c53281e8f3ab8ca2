"""The built server in a process of its own, plainly or under callgrind, and one connection to it."""

import json
import os
import pathlib
import signal
import socket
import subprocess
import time

READY_SECONDS_MAX = 60
ANSWER_SECONDS_MAX = 30

# callgrind counts every round of a `rep movsb`, which is one instruction to a processor, and glibc copies that way
# from 2 KB on; so it is told to copy in its loop of vector instructions.
TUNABLES = "glibc.cpu.x86_rep_movsb_threshold=1073741824:glibc.cpu.x86_rep_stosb_threshold=1073741824"


class Failure(Exception):
    """What is wrong, in a sentence for whoever runs this."""


def request_bytes(operation, body):
    """A request as an SDK sends it; signature and date are fixed, for the server reads but does not verify them."""
    return ("POST / HTTP/1.1\r\n"
            "Host: 127.0.0.1:8000\r\n"
            "User-Agent: instruction-counts\r\n"
            "Content-Type: application/x-amz-json-1.0\r\n"
            f"X-Amz-Target: DynamoDB_20120810.{operation}\r\n"
            "X-Amz-Date: 20260101T000000Z\r\n"
            "Authorization: AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260101/us-east-1/dynamodb/aws4_request, "
            f"SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature={'0123456789abcdef' * 4}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n{body}").encode()


class Connection:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=ANSWER_SECONDS_MAX)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, request):
        """The body of the answer, which must be a good one."""
        self.socket.sendall(request)
        received = b""
        while b"\r\n\r\n" not in received:
            received += self._receive()
        head, _, body = received.partition(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
        while len(body) < length:
            body += self._receive()
        if not head.startswith(b"HTTP/1.1 200 "):
            raise Failure(f"the server refused a request: {body.decode()}")
        return body

    def call(self, operation, parameters):
        return json.loads(self.send(request_bytes(operation, json.dumps(parameters))))

    def _receive(self):
        received = self.socket.recv(1 << 16)
        if not received:
            raise Failure("the server closed the connection")
        return received

    def close(self):
        self.socket.close()


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A server on a data folder; `with` stops it. Its log lies beside the folder."""

    def __init__(self, binary, data, options=(), prefix=(), environment=None):
        self.port = _free_port()
        self.log = pathlib.Path(f"{data}.log")
        command = [*prefix, str(binary), "serve", "--port", str(self.port), "--data", str(data), "--threads", "1",
                   "--log-level", "warning", *options]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                            env={**os.environ, **(environment or {})})

    def connect(self):
        deadline = time.monotonic() + READY_SECONDS_MAX
        while True:
            try:
                return Connection(self.port)
            except ConnectionRefusedError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise Failure(f"the server did not start:\n{self.log.read_text()}") from None
                time.sleep(0.02)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(READY_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class CountedServer(Server):
    """Runs under callgrind, which counts nothing until it is told to."""

    def __init__(self, binary, data, options=()):
        self.profile = pathlib.Path(f"{data}.callgrind")
        self.pipes = f"{data}.vgdb"
        self.dumps = 0
        prefix = ["valgrind", "--tool=callgrind", "--instr-atstart=no",
                  "--collect-atstart=yes",
                  f"--callgrind-out-file={self.profile}", f"--vgdb-prefix={self.pipes}", "--"]
        super().__init__(binary, data, options, prefix, {"GLIBC_TUNABLES": TUNABLES})

    def start_counting(self):
        self._monitor("instrumentation on")

    def stop_counting(self):
        """How many instructions all threads of the server have executed since the start of the counting."""
        self._monitor("instrumentation off", "dump")
        self.dumps += 1
        dump = pathlib.Path(f"{self.profile}.{self.dumps}").read_text()
        return int(dump.rpartition("\ntotals: ")[2].split()[0])

    def _monitor(self, *commands):
        arguments = [argument for command in commands for argument in ("-c", *command.split())]
        done = subprocess.run(["vgdb", f"--pid={self.process.pid}", f"--vgdb-prefix={self.pipes}", "--max-invoke-ms=5",
                               *arguments], capture_output=True, text=True, timeout=READY_SECONDS_MAX)
        if done.returncode != 0:
            raise Failure(f"vgdb could not reach the server:\n{done.stdout}{done.stderr}")
