"""Counts the user-space instructions that the server executes for a request, and holds them against recorded ones.

usage: counts.py [--server <binary>] [--record] [--rounds <n>] [--only <part of a name>]

Time on a shared machine says little about a change of some percent; the number of instructions hardly varies from
run to run (--rounds shows it: by 0.2 % at most). It fails when an operation takes more than it is recorded with in
recorded.json, beyond a tolerance; --record writes that file anew, for a change that is worth what it costs, or one
that saves.

The counts are those of any x86-64 machine with AVX2, however new: valgrind shows the program a processor of that kind,
by which glibc, simdjson and RocksDB choose their code.

Every operation is counted in a server of its own, under callgrind, on a fresh copy of the same data, so that none
depends on what others left behind. The server that loaded the data has ended: by that, or by replaying its log at the
next start, the items are in a table file, as most are in a database that is in use.
"""

import argparse
import json
import os
import pathlib
import platform
import shutil
import sys
import tempfile
import time

from server import CountedServer, Failure, Server, request_bytes
from workload import COUNTED, OPERATIONS, WARMING, compact, load

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
RECORDED = HERE / "recorded.json"

MORE_PERCENT_MAX = 5
LESS_PERCENT_WORTH_RECORDING = 10

HOW_TO_RECORD = "To record what is measured: python3 tests/instructions/counts.py --record"

# What a user gets for reading one item is above all the way through the kernel and the sockets, and nginx sending the
# same bytes shows how short that can be. With this many instructions of our own we stay close to it.
BARS = {"GetItem": 20_000}

# What a request may take more than another that has the same effect, in percent: the price of derived keys, and of what
# a table remembers besides its items.
SHARES = {
    "PutItem under a design": ("PutItem, index entry moves", 20),
    "PutItem with a stream": ("PutItem, index entry moves", 15),
    "PutItem with recovery": ("PutItem, index entry moves", 15),
    "PutItem that moves an expiry": ("PutItem, an expiry that nobody keeps", 15),
}

# Between an answer and the next request, so that the server always finds its socket empty and goes to sleep: whether
# it does must not depend on who is faster.
PAUSE_SECONDS = 0.001


def count(binary, data, operation):
    """Instructions for each request, on average."""
    name, target, request, is_right, *more = operation
    options, settings = (more + [(), ()])[:2]
    requests = [request_bytes(target, compact(request(n))) for n in range(WARMING + COUNTED)]
    with CountedServer(binary, data, options) as server:
        connection = server.connect()
        for setting, parameters in settings:
            connection.call(setting, parameters)
        send_all(connection, requests[:WARMING])
        server.start_counting()
        answers = send_all(connection, requests[WARMING:])
        instructions = server.stop_counting()
        connection.close()
    if not all(is_right(json.loads(answer)) for answer in answers):
        raise Failure(f"{name}: an answer is not what it should be")
    return round(instructions / COUNTED)


def send_all(connection, requests):
    answers = []
    for request in requests:
        time.sleep(PAUSE_SECONDS)
        answers.append(connection.send(request))
    return answers


def count_all(binary, operations, rounds):
    """Name of each operation → its counts, one a round."""
    counts = {name: [] for name, *_ in operations}
    with tempfile.TemporaryDirectory(prefix="taula-instructions-") as folder:
        folder = pathlib.Path(folder)
        with Server(binary, folder / "loaded") as server:
            connection = server.connect()
            for operation, parameters in load():
                connection.call(operation, parameters)
            connection.close()
        for round_number in range(rounds):
            for number, operation in enumerate(operations):
                data = folder / f"{round_number}-{number}"
                shutil.copytree(folder / "loaded", data)
                counts[operation[0]].append(count(binary, data, operation))
                shutil.rmtree(data)
    return counts


def judge(name, measured, recorded, bar=None):
    """What is to be said about a count (or nothing), and whether it is a failure."""
    if bar is not None and measured > bar:
        return f"{name}: {measured:,} instructions, and {bar:,} is the most it may take", True
    if recorded is None:
        return f"{name}: measured {measured:,}, and nothing is recorded. {HOW_TO_RECORD}", True
    percent = (measured - recorded) / recorded * 100
    compared = f"{name}: recorded {recorded:,}, measured {measured:,}, {percent:+.1f} %"
    if percent > MORE_PERCENT_MAX:
        return f"{compared}, more than {MORE_PERCENT_MAX} % more. {HOW_TO_RECORD}", True
    if percent < -LESS_PERCENT_WORTH_RECORDING:
        return f"{compared}, worth recording. {HOW_TO_RECORD}", False
    return None, False


def judge_share(name, measured, other, measured_other, percent_max):
    """The same of a count that is held against another one's of the same run."""
    percent = (measured - measured_other) / measured_other * 100
    compared = f"{name}: {percent:+.1f} % against {other}"
    if percent > percent_max:
        return f"{compared}, and {percent_max} % is the most it may take more", True
    return compared, False


def report(counts, recorded):
    """Of several rounds the least counts: whatever disturbs one adds to it."""
    print(f"{'instructions a request':38} {'recorded':>10} {'measured':>10}")
    for name, values in counts.items():
        spread = (max(values) - min(values)) / min(values) * 100
        rounds = f"  {len(values)} rounds, spread {spread:.2f} %" if len(values) > 1 else ""
        print(f"{name:38} {recorded.get(name, 0):10,} {min(values):10,}{rounds}")


def reason_to_skip():
    if platform.machine() != "x86_64":
        return f"the recorded counts are of x86-64, and this is {platform.machine()}"
    for tool in ("valgrind", "vgdb"):
        if shutil.which(tool) is None:
            return f"there is no {tool} here; the Debian package is valgrind"
    return None


def main():
    parser = argparse.ArgumentParser(description="Counts the instructions of requests.")
    parser.add_argument("--server", default=os.environ.get("TAULA_BINARY", ROOT / "build/release/bin/taula"))
    parser.add_argument("--record", action="store_true", help="write recorded.json anew")
    parser.add_argument("--rounds", type=int, default=1, help="to see how much the counts vary")
    parser.add_argument("--only", default="", help="operations with this in their name")
    arguments = parser.parse_args()

    reason = reason_to_skip()
    if reason:
        print(f"skipped: {reason}")
        return 0
    operations = [operation for operation in OPERATIONS if arguments.only in operation[0]]
    recorded = json.loads(RECORDED.read_text()) if RECORDED.exists() else {}
    counts = count_all(arguments.server, operations, arguments.rounds)
    report(counts, recorded)
    if arguments.record:
        recorded.update({name: min(values) for name, values in counts.items()})
        recorded = {name: recorded[name] for name, *_ in OPERATIONS if name in recorded}
        RECORDED.write_text(json.dumps(recorded, indent=2) + "\n")
        print(f"recorded in {RECORDED.relative_to(ROOT)}")

    least = {name: min(values) for name, values in counts.items()}
    judgements = [judge(name, value, recorded.get(name), BARS.get(name)) for name, value in least.items()]
    for name, (other, percent_max) in SHARES.items():
        if name in least and other in least:
            judgements.append(judge_share(name, least[name], other, least[other], percent_max))
    failed = False
    for message, failure in judgements:
        if message:
            print(("FAILED  " if failure else "note    ") + message)
        failed = failed or failure
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        sys.exit(f"error: {failure}")
