// The JSON Schema for editors and the loader agree: a design is changed in a
// thousand ways, and what the schema refuses the loader refuses as well. The
// other way around, the schema knows all members, and all types but those that
// only the whole design tells.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import Ajv from 'ajv';
import yaml from 'js-yaml';
import { binary, temporaryFolder } from '../wire/harness/server.mjs';
import { ROOT } from './systems.mjs';

const SYSTEMS = ['notifications', 'goals', 'store', 'blog', 'kefir'];
const read = (name) => yaml.load(readFileSync(join(ROOT, 'designs', name, 'design.yaml'), 'utf8'), { schema: yaml.CORE_SCHEMA });

let valid;
before(() => {
  const schema = JSON.parse(execFileSync(binary, ['design', 'schema'], { encoding: 'utf8' }));
  valid = new Ajv({ strict: false, allErrors: true }).compile(schema);
});

const UNKNOWN = 'no-such-member';

// Every place in a document, as a list of names.
function* places(node, path = []) {
  yield path;
  if (node === null || typeof node !== 'object') return;
  for (const name of Object.keys(node)) yield* places(node[name], [...path, name]);
}

const at = (document, path) => path.reduce((node, name) => node[name], document);

function changed(document, path, change) {
  const copy = structuredClone(document);
  change(at(copy, path.slice(0, -1)), path.at(-1));
  return copy;
}

// What the checker says of each design, in one run of the command.
function loaderSays(designs) {
  const folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  const files = designs.map((design, i) => {
    const file = join(folder, `${i}.yaml`);
    writeFileSync(file, JSON.stringify(design)); // JSON is YAML
    return file;
  });
  const findings = files.map(() => []);
  for (let i = 0; i < files.length; i += 200) {
    const run = spawnSync(binary, ['design', 'check', '--format=json', ...files.slice(i, i + 200)], { encoding: 'utf8', maxBuffer: 1 << 28 });
    for (const finding of JSON.parse(run.stdout)) {
      if (finding.severity === 'error') findings[Number(/(\d+)\.yaml$/.exec(finding.file)[1])].push(finding);
    }
  }
  return findings;
}

const describe = (path, findings) =>
  `${path.join('/')}\nschema: ${valid.errors?.map((each) => `${each.instancePath} ${each.message}`).join('; ')}\nloader: ${findings.map((each) => `${each.code} ${each.what}`).join('; ')}`;

// The names in an entity's keys are those of its table, which no schema can
// know; whatever else has a member too many, both refuse.
const isNamedByTable = (path) => path[0] === 'entities' && ['key', 'indexes'].includes(path[2]);

function compare(document, changes) {
  const designs = changes.map(({ path, change }) => changed(document, path, change));
  const said = loaderSays(designs);
  let refused = 0;
  designs.forEach((design, i) => {
    const { path } = changes[i];
    const isValid = valid(design);
    refused += isValid ? 0 : 1;
    if (!isValid) assert.notEqual(said[i].length, 0, `only the schema refuses ${describe(path, said[i])}`);
    if (!isValid || isNamedByTable(path)) return;
    const unknown = said[i].filter((each) => each.code === 'unknown-member' && each.what.endsWith(`'${UNKNOWN}'`));
    assert.deepEqual(unknown, [], `only the loader refuses ${describe(path, said[i])}`);
  });
  return refused;
}

for (const name of SYSTEMS) {
  test(`the design of ${name} is valid`, () => {
    assert.ok(valid(read(name)), JSON.stringify(valid.errors));
  });

  test(`both refuse a member too many in ${name}`, () => {
    const document = read(name);
    const maps = [...places(document)].filter((path) => path.length && typeof at(document, path) === 'object' && !Array.isArray(at(document, path)));
    const refused = compare(document, maps.map((path) => ({ path, change: (parent, member) => (parent[member][UNKNOWN] = 'x') })));
    assert.ok(refused > maps.length / 3, `${refused} of ${maps.length}`);
  });

  test(`both see a member too few in ${name}`, () => {
    const document = read(name);
    const members = [...places(document)].filter((path) => path.length && !Array.isArray(at(document, path.slice(0, -1))));
    const refused = compare(document, members.map((path) => ({ path, change: (parent, member) => delete parent[member] })));
    assert.ok(refused > 5, `${refused}`);
  });
}

for (const [kind, value] of [['a list', ['a', ['b']]], ['a map', { a: { b: 'c' } }], ['a text', 'some text']]) {
  test(`the loader sees ${kind} wherever the schema does`, () => {
    const document = read('kefir');
    compare(document, [...places(document)].filter((path) => path.length).map((path) => ({ path, change: (parent, member) => (parent[member] = value) })));
  });
}
