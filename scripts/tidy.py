"""Runs clang-tidy over src/, without its tests, and remembers which files passed.

usage: tidy.py <build folder>

A file is checked again when its compile command, the configuration or any file
it includes has changed since it last passed: the compiler's own dependency
lists say what it includes. So the run after no change takes a second. What has
passed is kept in the user's cache folder, as ccache does with what it compiled:
it serves every checkout, wherever that is.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

TIDY = "clang-tidy-16"
SECONDS_PER_FILE_MAX = 600
DAYS_KEPT = 60

# GCC's arguments as clang 16 wants them. Its __cpp_concepts says 201907, for
# which libstdc++ hides <expected>, although clang can compile it.
TO_CLANG = [(re.compile(r"-std=gnu\+\+23"), "-std=gnu++2b"), (re.compile(r" -Werror\b"), "")]
EXTRA = " -U__cpp_concepts -D__cpp_concepts=202002L -Wno-builtin-macro-redefined -Wno-unknown-warning-option"


class Fingerprints:
    """What a file's content is known by: a hash inside the tree; size and time for installed headers."""

    def __init__(self, root):
        self.root = str(root) + os.sep
        self.known = {}

    def of(self, path):
        if path not in self.known:
            if path.startswith(self.root):
                self.known[path] = hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()
            else:
                status = os.stat(path)
                self.known[path] = f"{status.st_size}-{status.st_mtime_ns}"
        return self.known[path]


def dependencies(build):
    """Object file → the files it was compiled from, as ninja recorded them."""
    text = subprocess.run(["ninja", "-C", build, "-t", "deps"], capture_output=True, text=True, check=True).stdout
    found, current = {}, None
    for line in text.splitlines():
        if line.startswith("    "):
            path = line.strip()
            current.append(os.path.normpath(path if os.path.isabs(path) else os.path.join(build, path)))
        elif ": #deps" in line:
            current = found.setdefault(line.split(": #deps")[0], [])
    return found


def key(command, files, fingerprints, settings):
    """Of a check, whichever folder the tree is in."""
    digest = hashlib.sha256(settings)
    digest.update(command.replace(fingerprints.root, "").encode())
    for line in sorted(f"{path.removeprefix(fingerprints.root)} {fingerprints.of(path)}\n" for path in set(files)):
        digest.update(line.encode())
    return digest.hexdigest()


def marks_folder():
    """Where there is an empty file for every check that has passed."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    folder = pathlib.Path(cache) / "taula" / "tidy"
    folder.mkdir(parents=True, exist_ok=True)
    oldest = time.time() - DAYS_KEPT * 24 * 60 * 60
    for mark in folder.iterdir():
        if mark.stat().st_mtime < oldest:
            mark.unlink(missing_ok=True)
    return folder


def only_elsewhere(output, root):
    """Whether all findings are in installed headers, into which the analyzer follows calls: not ours to mend."""
    places = re.findall(r"^(/\S+?):\d+:\d+: error:", output, re.MULTILINE)
    return bool(places) and not any(place.startswith(str(root) + os.sep) for place in places)


def check(path, database, root):
    try:
        done = subprocess.run([TIDY, "--quiet", "-p", database, path], capture_output=True, text=True,
                              timeout=SECONDS_PER_FILE_MAX)
    except subprocess.TimeoutExpired:
        return False, f"clang-tidy took longer than {SECONDS_PER_FILE_MAX} s"
    passed = done.returncode == 0 or only_elsewhere(done.stdout, root)
    return passed, done.stdout + ("" if passed else done.stderr)


def main():
    build = os.path.abspath(sys.argv[1])
    root = pathlib.Path(__file__).resolve().parent.parent
    folder = pathlib.Path(build) / "tidy"
    folder.mkdir(parents=True, exist_ok=True)
    passed = marks_folder()

    version = subprocess.run([TIDY, "--version"], capture_output=True, check=True).stdout
    settings = version + (root / ".clang-tidy").read_bytes() + EXTRA.encode()
    fingerprints = Fingerprints(root)
    objects = dependencies(build)

    database, todo = [], []
    for entry in json.loads((pathlib.Path(build) / "compile_commands.json").read_text()):
        source = os.path.normpath(os.path.join(entry["directory"], entry["file"]))
        if not source.startswith(str(root / "src") + os.sep) or source.endswith("_test.cc"):
            continue
        command = re.sub(r"^\S*ccache ", "", entry["command"])
        for pattern, replacement in TO_CLANG:
            command = pattern.sub(replacement, command)
        entry["command"] = command + EXTRA
        database.append(entry)
        files = objects.get(entry["output"] if "output" in entry else re.search(r" -o (\S+)", command).group(1))
        mark = passed / key(entry["command"], files or [source], fingerprints, settings)
        if files and mark.exists():
            mark.touch()
        else:
            todo.append((source, mark))
    (folder / "compile_commands.json").write_text(json.dumps(database))

    failed = 0
    print(f"clang-tidy: {len(todo)} of {len(database)} files changed", flush=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        running = {pool.submit(check, source, str(folder), root): (source, mark) for source, mark in todo}
        for done, future in enumerate(concurrent.futures.as_completed(running), 1):
            source, mark = running[future]
            ok, output = future.result()
            print(f"[{done}/{len(todo)}] {os.path.relpath(source, root)}", flush=True)
            if ok:
                mark.touch()
            else:
                failed += 1
                print(output, flush=True)
    print(f"clang-tidy: {failed} files with findings")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
