// `taula tail` and `taula trigger`: the changes of a table, printed and handed on.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTable, dynamodb, endpoint, N, S } from '../harness/index.mjs';
import { binary, temporaryFolder } from '../harness/server.mjs';

const streamed = (StreamViewType = 'NEW_AND_OLD_IMAGES') =>
  createTable({ StreamSpecification: { StreamEnabled: true, StreamViewType } });
const put = (TableName, pk, more = {}) => dynamodb.putItem({ TableName, Item: { pk: S(pk), ...more } });

// Runs the command: { child, lines(), ended }, with its output as it comes.
function run(args, options = {}) {
  const env = { ...process.env, TAULA_SERVER: endpoint };
  const child = spawn(binary, args, { stdio: ['ignore', 'pipe', 'pipe'], env, ...options });
  let out = '';
  let err = '';
  child.stdout.on('data', (data) => (out += data));
  child.stderr.on('data', (data) => (err += data));
  const ended = once(child, 'close').then(([code]) => ({ code, out, err }));
  return { child, ended, lines: () => out.split('\n').filter(Boolean), errors: () => err };
}

async function until(condition, what) {
  for (let tries = 0; tries < 200; ++tries) {
    if (await condition()) return;
    await sleep(50);
  }
  assert.fail(`never: ${what}`);
}

test('tail prints what there is, as people read it', async () => {
  const table = await streamed();
  await put(table, 'a', { total: N(10), note: S('x') });
  await put(table, 'a', { total: N(20), tags: { L: [S('new'), N(1)] } });
  await dynamodb.deleteItem({ TableName: table, Key: { pk: S('a') } });
  const { code, out } = await run(['tail', table, '--from', 'oldest', '--until-end']).ended;
  assert.equal(code, 0);
  const lines = out.trim().split('\n').map((line) => line.replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d /, ''));
  assert.deepEqual(lines, [
    'INSERT  pk=a  note: "x", total: 10',
    'MODIFY  pk=a  note: "x" → (none), total: 10 → 20, tags: (none) → ["new",1]',
    'REMOVE  pk=a  tags: ["new",1], total: 20',
  ]);
});

test('tail prints changes as they happen, and as JSON', async () => {
  const table = await streamed();
  await put(table, 'before');
  const tail = run(['tail', table, '--format', 'json']);
  // It begins with what comes after its first look.
  await until(async () => {
    await put(table, `probe${Math.random()}`);
    return tail.lines().length > 0;
  }, 'a change is printed');
  await put(table, 'after', { n: N(1) });
  await until(() => tail.lines().some((line) => line.includes('"after"')), 'the last change is printed');
  tail.child.kill('SIGINT');
  const { out } = await tail.ended;
  const records = out.trim().split('\n').map((line) => JSON.parse(line));
  assert.ok(records.every((record) => record.eventName === 'INSERT'));
  assert.ok(!out.includes('"before"'));
});

test('tail says what is wrong', async () => {
  const plain = await createTable();
  const without = await run(['tail', plain]).ended;
  assert.equal(without.code, 1);
  assert.match(without.err, new RegExp(`^taula: Table ${plain} has no stream\\. It gets one with: aws dynamodb update-table`));
  const missing = await run(['tail', 'no-such-table']).ended;
  assert.equal(missing.code, 1);
  assert.match(missing.err, /Table: no-such-table not found/);
  const nobody = spawn(binary, ['tail', 'x', '--endpoint', 'http://127.0.0.1:1'], { stdio: ['ignore', 'ignore', 'pipe'] });
  let err = '';
  nobody.stderr.on('data', (data) => (err += data));
  const [code] = await once(nobody, 'close');
  assert.equal(code, 1);
  assert.match(err, /^taula: Cannot reach http:\/\/127\.0\.0\.1:1: /);
});

test('a trigger hands changes to a command, in order, and goes on where it was', async () => {
  const table = await streamed('NEW_IMAGE');
  const folder = temporaryFolder();
  const seen = join(folder, 'seen');
  const trigger = () =>
    run(['trigger', table, '--from', 'oldest', '--until-end', '--batch', '2', '--', 'sh', '-c', `cat >> ${seen}; echo >> ${seen}`], {
      cwd: folder,
    }).ended;
  const totals = () =>
    readFileSync(seen, 'utf8').trim().split('\n')
      .flatMap((line) => JSON.parse(line).Records.map((record) => record.dynamodb.NewImage.total.N));
  for (let total = 1; total <= 5; ++total) await put(table, 'a', { total: N(total) });
  assert.equal((await trigger()).code, 0);
  assert.deepEqual(totals(), ['1', '2', '3', '4', '5']);
  assert.ok(existsSync(join(folder, `taula-trigger-${table}.json`)));
  for (let total = 6; total <= 7; ++total) await put(table, 'a', { total: N(total) });
  assert.equal((await trigger()).code, 0);
  assert.deepEqual(totals(), ['1', '2', '3', '4', '5', '6', '7']);
});

test('a trigger hands on again what was not taken', async () => {
  const table = await streamed('NEW_IMAGE');
  const folder = temporaryFolder();
  const seen = join(folder, 'seen');
  writeFileSync(join(folder, 'command.sh'), `
if [ ! -e failed ]; then touch failed; exit 3; fi
cat >> ${seen}`);
  await put(table, 'a');
  const { code, err } = await run(['trigger', table, '--from', 'oldest', '--until-end', '--', 'sh', 'command.sh'], { cwd: folder }).ended;
  assert.equal(code, 0);
  assert.match(err, /sh ended with 3; 1 changes will be handed to it again/);
  assert.equal(JSON.parse(readFileSync(seen, 'utf8')).Records.length, 1);
});

test('a trigger posts changes to a web address until they are taken', async () => {
  const table = await streamed('NEW_IMAGE');
  const bodies = [];
  let answers = 0;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (data) => (body += data));
    request.on('end', () => {
      response.statusCode = ++answers === 1 ? 500 : 204;
      if (response.statusCode === 204) bodies.push(JSON.parse(body));
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  await put(table, 'a');
  const url = `http://127.0.0.1:${server.address().port}/changes`;
  const { code, err } = await run(['trigger', table, '--from', 'oldest', '--until-end', '--webhook', url], { cwd: temporaryFolder() }).ended;
  server.close();
  assert.equal(code, 0, err);
  assert.match(err, /answered with status 500/);
  assert.deepEqual(bodies.map((body) => body.Records.map((record) => record.eventName)), [['INSERT']]);
});

test('a trigger refuses options that make no sense', async () => {
  const table = await streamed();
  const folder = temporaryFolder();
  const neither = await run(['trigger', table], { cwd: folder }).ended;
  assert.equal(neither.code, 2);
  assert.match(neither.err, /either a command, behind --, or a --webhook/);
  writeFileSync(join(folder, 'other.json'), '{"table":"another","stream":"x","shards":[]}');
  const other = await run(['trigger', table, '--checkpoint', 'other.json', '--', 'true'], { cwd: folder }).ended;
  assert.equal(other.code, 2);
  assert.match(other.err, /other\.json is no checkpoint of this table/);
});
