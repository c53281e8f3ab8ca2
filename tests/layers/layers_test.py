"""The layers test must fail on trees that break a rule, and only on those."""

import pathlib
import tempfile
import unittest

from layers import violations

LEGAL = {
    "include/taula/value.h": "#include <vector>\n",
    "include/taula/error.h": '#include "taula/value.h"\n',
    "src/base/bytes.h": '#include <string>\n#include "taula/error.h"\n',
    "src/value/number.h": '#include "base/bytes.h"\n#include "value/size.h"\n',
    "src/storage/rocksdb/store.cc": '#include <rocksdb/db.h>\n#include "base/bytes.h"\n',
    "src/design/model.h": '#include "api/operations.h"\n',
    "src/server/server.cc": '#include "design/model.h"\n#include "api/operations.h"\n',
    "src/cli/serve.cc": '#include "server/server.h"\n#include "design/model.h"\n#include <CLI/CLI.hpp>\n',
}

ILLEGAL = [
    ("src/base/bytes.cc", '#include "value/number.h"\n', "value/ is not below base/"),
    ("src/storage/rocksdb/store.cc", '#include "engine/engine.h"\n', "engine/ is not below storage/"),
    ("src/expression/parser.cc", '#include <storage/store.h>\n', "storage/ is not below expression/"),
    ("src/engine/write.cc", '#  include "design/model.h"\n', "design/ is for cli/ and server/ alone"),
    ("src/api/put_item.cc", '#include "database/open.h"\n', "database/ is not below api/"),
    ("src/api/put_item.cc", '#include "design/model.h"\n', "design/ is for cli/ and server/ alone"),
    ("src/design/check.cc", '#include "server/server.h"\n', "server/ is not below design/"),
    ("src/server/server.cc", '#include "cli/serve.h"\n', "cli/ is not below server/"),
    ("src/value/number.cc", '#include "../engine/engine.h"\n', "without .."),
    ("src/misc/things.h", "", "has no place in the stack"),
    ("include/taula/database.h", '#include "engine/engine.h"\n', "no other library's header"),
    ("include/taula/database.h", "#include <rocksdb/db.h>\n", "no other library's header"),
    ("include/taula/database.h", '#include "value.h"\n', "only the standard library"),
    ("include/taula/database.h", '#include "taula/engine.h"\n', "no such public header"),
]


class Layers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name, text in LEGAL.items():
            self.write(name, text)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def test_accepts_a_tree_that_keeps_the_order(self):
        self.assertEqual(list(violations(self.root)), [])

    def test_names_the_file_the_line_and_the_reason(self):
        self.write("src/base/bytes.cc", '// why\n#include "value/number.h"\n')
        self.assertEqual(list(violations(self.root)), ["src/base/bytes.cc:2: value/number.h: value/ is not below base/"])

    def test_refuses_each_way_of_going_up(self):
        for name, text, reason in ILLEGAL:
            with self.subTest(name=name, text=text):
                before = (self.root / name).read_text(encoding="utf-8") if (self.root / name).exists() else None
                self.write(name, text)
                found = list(violations(self.root))
                self.assertEqual(len(found), 1, found)
                self.assertIn(reason, found[0])
                self.write(name, before) if before is not None else (self.root / name).unlink()


if __name__ == "__main__":
    unittest.main()
