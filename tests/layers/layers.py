"""Fails when a folder of src/ includes one that is not below it.

usage: layers.py <root of the tree>

The rules are those of the stack in ARCHITECTURE.md: a folder includes itself
and what stands below it; design/ is for cli/ and server/ alone; the public
headers in include/taula/ include each other and nothing of src/.
"""

import pathlib
import re
import sys

# Top down. A folder may include those to its right.
STACK = ["cli", "server", "cloudwatch", "design", "transfer", "client", "database", "api", "engine", "metrics", "catalog", "storage", "partiql", "expression", "buckets", "codec", "value", "base"]
USERS_OF_DESIGN = {"cli", "server", "design"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
SOURCES = {".h", ".cc"}


def includes(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(2)


def wrong_in_source(folder, target):
    """Why a file of src/<folder>/ may not include `target`, or None."""
    if ".." in pathlib.PurePosixPath(target).parts:
        return "includes are written from the root of src/, without .."
    first = target.split("/")[0]
    if first not in STACK or "/" not in target:
        return None
    if first == "design" and folder not in USERS_OF_DESIGN:
        return "design/ is for cli/ and server/ alone"
    if STACK.index(first) < STACK.index(folder):
        return f"{first}/ is not below {folder}/"
    return None


def wrong_in_public(root, target):
    """Why a file of include/taula/ may not include `target`, or None."""
    if target.startswith("taula/"):
        return None if (root / "include" / target).is_file() else "there is no such public header"
    if target.startswith(".") or (root / "src" / target).exists() or (root / "include" / "taula" / target).exists():
        return 'a public header includes only the standard library and "taula/..."'
    if target.endswith(".h") and "/" in target:
        return "a public header includes no other library's header"
    return None


def violations(root):
    for path in sorted((root / "src").rglob("*")):
        if path.suffix not in SOURCES:
            continue
        folder = path.relative_to(root / "src").parts[0]
        if folder not in STACK:
            yield f"{path.relative_to(root)}:1: the folder {folder}/ has no place in the stack"
            continue
        for number, target in includes(path):
            why = wrong_in_source(folder, target)
            if why:
                yield f"{path.relative_to(root)}:{number}: {target}: {why}"
    for path in sorted((root / "include").rglob("*.h")):
        for number, target in includes(path):
            why = wrong_in_public(root, target)
            if why:
                yield f"{path.relative_to(root)}:{number}: {target}: {why}"


def main():
    root = pathlib.Path(sys.argv[1])
    if not (root / "src").is_dir():
        sys.exit(f"{root} has no src/")
    found = list(violations(root))
    for line in found:
        print(line)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
