// `taula export` and `taula import`: tables to files and back, in every format,
// through interruptions, and what people are told when something is wrong.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { B, createTable, dynamodb, endpoint, N, plain, putAll, S, scanAll, uniqueName } from '../harness/index.mjs';
import { binary, temporaryFolder } from '../harness/server.mjs';

// ./test --soak has more of them.
const MANY = Number(process.env.TAULA_EXPORT_ITEMS ?? 6000);

// Runs the command: { child, ended: { code, out, err } }.
function run(args, { at = endpoint, input, cwd } = {}) {
  const child = spawn(binary, args, { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, TAULA_SERVER: at }, cwd });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (data) => (out += data));
  child.stderr.setEncoding('utf8').on('data', (data) => (err += data));
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const ended = once(child, 'close').then(([code]) => ({ code, out, err }));
  return { child, ended };
}

async function succeeds(args, options) {
  const { code, out, err } = await run(args, options).ended;
  assert.equal(code, 0, err);
  return { out, err };
}

async function fails(expected, words, args, options) {
  const { code, err } = await run(args, options).ended;
  assert.equal(code, expected, err);
  assert.match(err, words);
  assert.match(err, /^taula: /m);
  return err;
}

const sorted = (items) => items.map((item) => JSON.stringify(plain(item), Object.keys(flat(item)).sort())).sort();
// All names in an item, so that its text does not depend on their order.
function flat(value, names = {}) {
  if (value instanceof Uint8Array || typeof value !== 'object' || value === null) return names;
  for (const [name, inner] of Object.entries(value)) {
    names[name] = true;
    flat(inner, names);
  }
  return names;
}
const contents = async (table) => sorted((await scanAll({ TableName: table })).Items);

// A way to the server that the test can make slow, or busy: answers of
// `operation` come `ms` later, and `before` may answer instead.
const proxies = [];
after(() => proxies.forEach((proxy) => proxy.close()));
async function slowly(operation, ms, before = () => undefined) {
  const proxy = createServer(async (incoming, outgoing) => {
    const body = Buffer.concat(await incoming.toArray());
    const called = incoming.headers['x-amz-target'].split('.')[1];
    const instead = called === operation ? before(body.toString()) : undefined;
    if (instead) {
      outgoing.writeHead(instead.status, { 'content-type': 'application/x-amz-json-1.0' });
      outgoing.end(JSON.stringify(instead.body));
      return;
    }
    if (called === operation) await sleep(ms);
    const forward = request(endpoint, { method: 'POST', headers: incoming.headers }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers);
      answer.pipe(outgoing);
    });
    forward.on('error', () => outgoing.destroy());
    forward.end(body);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  proxy.unref();
  proxies.push(proxy);
  return `http://127.0.0.1:${proxy.address().port}`;
}

async function killWhen(command, condition) {
  let over = false;
  command.ended.then(() => (over = true));
  while (!condition()) {
    assert.ok(!over, 'it ended before it could be killed');
    await sleep(5);
  }
  command.child.kill('SIGKILL');
  await command.ended;
}

const TYPES = [
  { pk: S('text'), v: S('hello') },
  { pk: S('text that could be more'), v: S('42'), w: S('true'), x: S('null'), y: S('[1]'), z: S('{"a":1}'), q: S('"quoted"') },
  { pk: S('empty text'), v: S('') },
  { pk: S('difficult text'), v: S('a,b "c"\r\nd\n e\r'), w: S('  spaces '), x: S('ünï 🎈 \u0000\u001f'), y: S("=1+1") },
  { pk: S('numbers'), v: N('12345678901234567890123456789012345678'), w: N('1E-130'), x: N('-9.9999999999999999999999999999999999999E+125'), y: N('0'), z: N('-0.5') },
  { pk: S('binary'), v: B(0, 1, 255), w: { B: new Uint8Array() } },
  { pk: S('words'), v: { BOOL: true }, w: { BOOL: false }, x: { NULL: true } },
  { pk: S('sets'), v: { SS: ['a', 'b,"c"', ''] }, w: { NS: ['1', '2.5', '12345678901234567890123456789012345678'] }, x: { BS: [Uint8Array.of(1), Uint8Array.of(2, 3)] } },
  { pk: S('lists'), v: { L: [S('1'), N(1), { L: [] }, { M: {} }, { NULL: true }] }, w: { L: [] } },
  { pk: S('maps'), v: { M: { 'a b': S('x'), n: { M: { deep: { SS: ['y'] } } } } }, w: { M: {} } },
  { pk: S('maps like marks'), v: { M: { $set: { L: [S('a')] } } }, w: { M: { $binary: S('aGk=') } }, x: { M: { $$set: N(1) } }, y: { L: [{ M: { $x: N(1) } }] } },
  { pk: S('names'), 'a,b': S('1'), 'say "x"': S('2'), $set: { L: [S('a')] }, 'ü\n': S('3') },
];

for (const name of ['items.ndjson', 'items.ndjson.gz', 'items.ndjson.zst', 'items.csv', 'items.csv.gz', 'items.csv.zst', 'items.json']) {
  test(`all types come back from ${name} as they were`, async () => {
    const table = await createTable();
    await putAll(table, TYPES);
    const file = join(temporaryFolder(), name);
    const format = name === 'items.json' ? ['--format', 'dynamodb-json'] : [];
    const { err } = await succeeds(['export', table, file, ...format]);
    assert.match(err, new RegExp(`^Exported ${table}: ${TYPES.length} items, `));
    const copy = uniqueName();
    await succeeds(['import', copy, file, '--key', 'pk:S']);
    assert.deepEqual(await contents(copy), await contents(table));
    await succeeds(['import', copy, file]);
    assert.equal((await scanAll({ TableName: copy })).Count, TYPES.length);
  });
}

test('keys of all types come back from CSV', async () => {
  for (const [AttributeType, values] of [['N', [N(7), N('-1.5')]], ['B', [B(1), B(2, 3)]], ['S', [S('7'), S('[1]'), S('"x"')]]]) {
    const table = await createTable({ key: `pk:${AttributeType}` });
    await putAll(table, values.map((pk) => ({ pk, v: S('x') })));
    const file = join(temporaryFolder(), 'keys.csv');
    await succeeds(['export', table, file]);
    const copy = uniqueName();
    await succeeds(['import', copy, file, '--key', `pk:${AttributeType}`]);
    assert.deepEqual(await contents(copy), await contents(table));
  }
});

test('plain JSON and CSV look as people want them', async () => {
  const table = await createTable();
  await putAll(table, [{ pk: S('a'), total: N('19.90'), tags: { SS: ['x', 'y'] }, zip: S('01234'), note: S('one, two') }]);
  assert.equal((await succeeds(['export', table])).out, '{"note":"one, two","pk":"a","tags":{"$set":["x","y"]},"total":19.9,"zip":"01234"}\n');
  assert.equal(
    (await succeeds(['export', table, '--format', 'csv'])).out,
    'pk,note,tags,total,zip\r\na,"one, two","{""$set"":[""x"",""y""]}",19.9,01234\r\n',
  );
  assert.equal((await succeeds(['export', table, '-', '--format', 'csv', '--columns', 'zip,pk,none'])).out, 'zip,pk,none\r\n01234,a,\r\n');
  assert.equal((await succeeds(['export', table, '--columns', 'total'])).out, '{"total":19.9}\n');
  assert.equal(
    (await succeeds(['export', table, '--format', 'dynamodb-json', '--columns', 'total'])).out,
    '{"Item":{"total":{"N":"19.9"}}}\n',
  );
});

test('a spreadsheet becomes items, with types where they are said', async () => {
  const table = uniqueName();
  const csv = 'id,zip,age,active,note,tags\n1,01234,44,true,,"[""x""]"\n2,55555,"44",false,"",\n';
  await succeeds(['import', table, '-', '--format', 'csv', '--key', 'id:S', '--types', 'zip:S,tags:SS'], { input: csv });
  const { Items } = await scanAll({ TableName: table });
  assert.deepEqual(plain(Items.find(({ id }) => id.S === '1')), {
    id: S('1'), zip: S('01234'), age: N(44), active: { BOOL: true }, tags: { SS: ['x'] },
  });
  assert.deepEqual(plain(Items.find(({ id }) => id.S === '2')), {
    id: S('2'), zip: S('55555'), age: S('44'), active: { BOOL: false }, note: S(''),
  });
  const texts = uniqueName();
  await succeeds(['import', texts, '-', '--format', 'csv', '--key', 'id:S', '--text', '--keep-empty'], { input: 'id,n,e\n1,5,\n' });
  assert.deepEqual((await scanAll({ TableName: texts })).Items, [{ id: S('1'), n: S('5'), e: S('') }]);
});

test('an export goes through a pipe into an import', async () => {
  const table = await createTable();
  await putAll(table, TYPES);
  const copy = uniqueName();
  const pipe = spawn('sh', ['-c', `"$0" export ${table} | "$0" import ${copy} - --key pk:S`, binary], {
    env: { ...process.env, TAULA_SERVER: endpoint },
    stdio: 'ignore',
  });
  assert.equal((await once(pipe, 'close'))[0], 0);
  assert.deepEqual(await contents(copy), await contents(table));
});

test('an index is exported with what is projected into it', async () => {
  const table = await createTable({ global: { byG: { key: 'g:S', projection: 'KEYS_ONLY' } } });
  await putAll(table, [{ pk: S('a'), g: S('x'), v: N(1) }, { pk: S('b') }]);
  assert.equal((await succeeds(['export', table, '--index', 'byG'])).out, '{"g":"x","pk":"a"}\n');
  await fails(1, /has no index 'byH'\. Did you mean 'byG'\?/, ['export', table, '--index', 'byH']);
});

let many;
// A table with many items, once for all tests: { table, keys }.
function manyItems() {
  many ??= (async () => {
    const table = uniqueName();
    const lines = [];
    for (let i = 0; i < MANY; ++i) lines.push(JSON.stringify({ pk: `item-${i}`, n: i, filler: 'x'.repeat(900) }));
    const file = join(temporaryFolder(), 'many.ndjson');
    writeFileSync(file, lines.join('\n'));
    await succeeds(['import', table, file, '--key', 'pk:S']);
    return { table, file };
  })();
  return many;
}
const numbersIn = (text) => [...text.matchAll(/item-(\d+)/g)].map((match) => Number(match[1])).sort((a, b) => a - b);
const allNumbers = Array.from({ length: MANY }, (_, i) => i);

for (const name of ['many.ndjson', 'many.csv.gz']) {
  test(`an export to ${name} that was killed goes on, with no item missing or doubled`, async () => {
    const { table } = await manyItems();
    const folder = temporaryFolder();
    const file = join(folder, name);
    // Longer than from one checkpoint to the next, so that each page has one.
    const slow = await slowly('Scan', 600);
    const args = ['export', table, file, '--segments', '2'];
    const state = `${file}.taula-resume`;
    await killWhen(run(args, { at: slow }), () => existsSync(state));
    assert.ok(!existsSync(file), 'no file before it is whole');
    await fails(1, /was interrupted\. --resume goes on with it, --restart begins anew\./, args, { at: slow });
    // Once more, behind where the first one was.
    const first = readFileSync(state, 'utf8');
    await killWhen(run([...args, '--resume'], { at: slow }), () => readFileSync(state, 'utf8') !== first);
    const { err } = await succeeds([...args, '--resume'], { at: slow });
    assert.match(err, new RegExp(`${MANY.toLocaleString('en')} items`));
    assert.deepEqual(readdirSync(folder), [name]);
    const content = readFileSync(file);
    assert.deepEqual(numbersIn((name.endsWith('.gz') ? gunzipSync(content) : content).toString()), allNumbers);
  });
}

test('an import that was killed goes on, with no item missing', async () => {
  const { file } = await manyItems();
  const table = uniqueName();
  const folder = temporaryFolder();
  const checkpoint = join(folder, 'checkpoint');
  const slow = await slowly('BatchWriteItem', 20);
  const args = ['import', table, file, '--key', 'pk:S', '--checkpoint', checkpoint, '--in-flight', '4'];
  await killWhen(run(args, { at: slow }), () => existsSync(checkpoint));
  const before = JSON.parse(readFileSync(checkpoint, 'utf8')).items;
  assert.ok(before > 0 && before < MANY);
  let calls = 0;
  const counting = await slowly('BatchWriteItem', 0, () => void ++calls);
  // Another way to the same server, so the checkpoint has to be told.
  writeFileSync(checkpoint, readFileSync(checkpoint, 'utf8').replace(slow, counting));
  await succeeds([...args, '--resume'], { at: counting });
  assert.equal((await scanAll({ TableName: table, Select: 'COUNT' })).Count, MANY);
  assert.ok(calls * 25 < MANY, 'not from the start again');
  assert.ok(!existsSync(checkpoint));
});

test('writes that a busy server leaves over, or refuses for now, come again', async () => {
  const table = uniqueName();
  const tries = new Map();
  const busy = await slowly('BatchWriteItem', 0, (body) => {
    const { RequestItems } = JSON.parse(body);
    const first = RequestItems[table][0].PutRequest.Item.pk.S;
    tries.set(first, (tries.get(first) ?? 0) + 1);
    if (tries.get(first) === 1) return { status: 200, body: { UnprocessedItems: RequestItems } };
    if (tries.get(first) === 2) {
      return { status: 400, body: { __type: 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException', message: 'busy' } };
    }
    return undefined;
  });
  const input = Array.from({ length: 200 }, (_, i) => JSON.stringify({ pk: `k${i}` })).join('\n');
  await succeeds(['import', table, '-', '--key', 'pk:S'], { input, at: busy });
  assert.equal((await scanAll({ TableName: table })).Count, 200);
  assert.ok([...tries.values()].every((count) => count === 3));
});

test('the last of several items with one key stays', async () => {
  const table = uniqueName();
  const input = Array.from({ length: 3000 }, (_, i) => JSON.stringify({ pk: `k${i % 7}`, i })).join('\n');
  await succeeds(['import', table, '-', '--key', 'pk:S'], { input });
  const { Items } = await scanAll({ TableName: table });
  assert.deepEqual(Items.map(({ i }) => Number(i.N)).sort(), [2993, 2994, 2995, 2996, 2997, 2998, 2999]);
});

test('items that are refused are put aside with their lines and reasons', async () => {
  const table = await createTable();
  const folder = temporaryFolder();
  const file = join(folder, 'data.ndjson');
  const lines = ['{"pk":"a"}', 'no JSON', '{"nokey":1}', '{"pk":5}', `{"pk":"big","v":"${'x'.repeat(420_000)}"}`, '{"pk":"b"}'];
  writeFileSync(file, lines.join('\n'));
  const dry = await fails(6, /4 of them would be refused, the first one at .*data\.ndjson:2: is not a JSON object/, ['import', table, file, '--dry-run']);
  assert.ok(!dry.includes('.rejects'));
  assert.equal((await scanAll({ TableName: table })).Count, 0);
  await fails(6, /4 of them were refused, the first one at .*data\.ndjson:2: is not a JSON object; all are in .*data\.ndjson\.rejects/, ['import', table, file]);
  const rejects = readFileSync(`${file}.rejects`, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
  assert.deepEqual(rejects.map(({ line, reason }) => [line, reason]), [
    [2, 'is not a JSON object'],
    [3, 'the key attribute pk is missing'],
    [4, 'the key attribute pk is of type N, and of type S in the table'],
    [5, 'the item has 420006 bytes, and 409600 at most are possible'],
  ]);
  assert.deepEqual([rejects[0].text, rejects[1].item], ['no JSON', { nokey: 1 }]);
  assert.deepEqual(sorted((await scanAll({ TableName: table })).Items), sorted([{ pk: S('a') }, { pk: S('b') }]));
});

test('what is wrong is said in a sentence', async () => {
  const table = await createTable({ name: `${uniqueName()}-orders` });
  const slip = table.replace('orders', 'odrers');
  const folder = temporaryFolder();
  await fails(1, new RegExp(`has no table '${slip}'\\. Did you mean '${table}'\\?`), ['export', slip]);
  await fails(1, /--key makes the table: --key pk:S/, ['import', slip, '-'], { input: '{"pk":"a"}' });
  await fails(1, /^taula: Cannot reach http:\/\/127\.0\.0\.1:1: /, ['export', table, '--endpoint', 'http://127.0.0.1:1']);
  await fails(1, /^taula: Cannot reach http:\/\/127\.0\.0\.1:1: /, ['import', table, '-', '--endpoint', 'http://127.0.0.1:1'], { input: '' });
  await fails(1, /none\.ndjson: No such file or directory\./, ['import', table, 'none.ndjson'], { cwd: folder });
  await fails(1, /its key is another one than --key says/, ['import', table, '-', '--key', 'other:S'], { input: '' });
  await fails(2, /--types: 'zip' is not NAME:TYPE/, ['import', table, '-', '--types', 'zip'], { input: '' });
  await fails(2, /--key: a key has one or two attributes/, ['import', table, '-', '--key', 'pk:BOOL'], { input: '' });
  await fails(1, /--resume needs a file to go on with/, ['export', table, '--resume']);
  await fails(1, /no\/such\/folder\/x\.csv/, ['export', table, 'no/such/folder/x.csv'], { cwd: folder });
  writeFileSync(join(folder, 'twice.csv'), 'pk,pk\n1,2\n');
  await fails(1, /twice\.csv:1: the header names pk twice\./, ['import', table, 'twice.csv'], { cwd: folder });
  assert.deepEqual(readdirSync(folder), ['twice.csv']);
});

test('a table of nothing is a file of nothing', async () => {
  const table = await createTable();
  const folder = temporaryFolder();
  for (const name of ['none.ndjson', 'none.ndjson.gz', 'none.csv']) {
    const file = join(folder, name);
    await succeeds(['export', table, file]);
    assert.match((await succeeds(['import', table, file])).err, /: 0 items, /);
  }
  assert.equal(readFileSync(join(folder, 'none.csv'), 'utf8'), 'pk\r\n');
});
