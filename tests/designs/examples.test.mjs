// designs/*/examples.yaml has an example of each operation, and they run in
// their order on the seed data. Reads find something.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import yaml from 'js-yaml';
import { openSystem, ROOT } from './systems.mjs';

const read = (name, file) => yaml.load(readFileSync(join(ROOT, 'designs', name, file), 'utf8'), { schema: yaml.CORE_SCHEMA });

for (const name of ['notifications', 'goals', 'store', 'blog', 'kefir']) {
  test(`${name}: an example of each operation, and all of them run`, async () => {
    const examples = read(name, 'examples.yaml');
    const { operations } = read(name, 'design.yaml');
    assert.deepEqual(Object.keys(examples).sort(), Object.keys(operations).sort());
    const system = await openSystem(name);
    for (const [operation, parameters] of Object.entries(examples)) {
      const answer = await system.call(operation, parameters).catch((error) => assert.fail(`${operation}: ${error.message}`));
      if (operations[operation].query || operations[operation].scan) assert.notDeepEqual(answer.items, [], `${operation} finds nothing`);
    }
  });
}
