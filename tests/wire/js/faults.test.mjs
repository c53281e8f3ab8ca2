// Things that go wrong on purpose: `taula serve --fault`, /faults and `taula faults`.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { connect, S, tableInput } from '../harness/index.mjs';
import { binary, startServer, temporaryFolder } from '../harness/server.mjs';

const run = promisify(execFile);

let server;
let dynamodb;
before(async () => {
  server = await startServer();
  dynamodb = connect(server.endpoint);
});
after(() => server.kill());

const set = async (profile, at = server) => {
  const answer = await fetch(`${at.endpoint}/faults`, { method: 'PUT', body: JSON.stringify(profile) });
  return { status: answer.status, body: await answer.json() };
};
const clear = () => fetch(`${server.endpoint}/faults`, { method: 'DELETE' });
beforeEach(clear);

async function createTable(shape = {}) {
  const input = tableInput({ key: 'pk:S', ...shape });
  await dynamodb.createTable(input);
  return input.TableName;
}

const name = (promise) => promise.then(() => 'ok', (error) => error.name);
const put = (TableName, pk = 'a', more = {}) => dynamodb.putItem({ TableName, Item: { pk: S(pk), ...more } });
const get = (TableName, more = {}) => dynamodb.getItem({ TableName, Key: { pk: S('a') }, ...more });

test('a share of requests is throttled, the same ones for the same seed', async () => {
  const TableName = await createTable();
  const outcomes = async () => {
    await set({ seed: 7, rules: [{ operations: ['PutItem'], tables: [TableName], throttle: 0.3 }] });
    const seen = [];
    for (let i = 0; i < 60; ++i) seen.push(await name(put(TableName)));
    return seen;
  };
  const first = await outcomes();
  const hit = first.filter((each) => each === 'ProvisionedThroughputExceededException').length;
  assert.ok(hit > 5 && hit < 35, `${hit} of 60`);
  assert.equal(first.filter((each) => each === 'ok').length, 60 - hit);
  assert.deepEqual(await outcomes(), first);
  assert.equal(await name(get(TableName)), 'ok');
});

test('what is throttled is counted as what a table has no capacity for', async () => {
  const TableName = await createTable();
  const events = async (kind) => {
    const text = await (await fetch(`${server.endpoint}/metrics`)).text();
    const line = text.split('\n').find((one) => one.startsWith(`taula_${kind}_throttle_events_total{`) && one.includes(`"${TableName}"`));
    return line ? Number(line.split(' ').at(-1)) : 0;
  };
  await set({ rules: [{ tables: [TableName], throttle: 1 }] });
  assert.equal(await name(put(TableName)), 'ProvisionedThroughputExceededException');
  assert.equal(await name(put(TableName)), 'ProvisionedThroughputExceededException');
  assert.equal(await name(get(TableName)), 'ProvisionedThroughputExceededException');
  assert.deepEqual([await events('write'), await events('read')], [2, 1]);
});

test('the SDK gets through by trying again', async () => {
  const TableName = await createTable();
  await set({ rules: [{ throttle: 0.3, 'internal-error': 0.1, unavailable: 0.1 }] });
  const patient = connect(server.endpoint, { maxAttempts: 15 });
  for (let i = 0; i < 30; ++i) await patient.putItem({ TableName, Item: { pk: S(`${i}`) } });
  await clear();
  assert.equal((await dynamodb.scan({ TableName })).Count, 30);
});

test('what is invalid is said before anything goes wrong', async () => {
  const TableName = await createTable();
  await set({ rules: [{ throttle: 1 }] });
  assert.equal(await name(dynamodb.putItem({ TableName, Item: { pk: S('a'), n: { N: 'x' } } })), 'ValidationException');
  assert.equal(await name(put(TableName)), 'ProvisionedThroughputExceededException');
});

test('internal errors and unavailability have their statuses', async () => {
  const TableName = await createTable();
  const status = (promise) => promise.then(() => 200, (error) => error.$metadata.httpStatusCode);
  await set({ rules: [{ 'internal-error': 1 }] });
  assert.equal(await status(get(TableName)), 500);
  await set({ rules: [{ unavailable: 1 }] });
  assert.equal(await status(get(TableName)), 503);
});

test('a lost answer is carried out all the same', async () => {
  const TableName = await createTable();
  await set({ rules: [{ operations: ['PutItem'], 'lost-answer': 1 }] });
  assert.equal(await name(put(TableName)), 'InternalServerError');
  assert.ok((await get(TableName)).Item);
});

test('writes meet transactions, alone and in one', async () => {
  const TableName = await createTable();
  await set({ rules: [{ conflict: 1 }] });
  assert.equal(await name(put(TableName)), 'TransactionConflictException');
  const Put = { TableName, Item: { pk: S('a') } };
  const Delete = { TableName, Key: { pk: S('b') } };
  await assert.rejects(dynamodb.transactWriteItems({ TransactItems: [{ Put }, { Delete }] }), (error) => {
    assert.equal(error.name, 'TransactionCanceledException');
    assert.deepEqual(error.CancellationReasons.map((reason) => reason.Code), ['TransactionConflict', 'None']);
    return true;
  });
  const statements = [{ Statement: `INSERT INTO "${TableName}" VALUE {'pk': 'c'}` }];
  assert.equal(await name(dynamodb.executeTransaction({ TransactStatements: statements })), 'TransactionCanceledException');
  await clear();
  assert.equal((await dynamodb.scan({ TableName })).Count, 0);
});

test('batches hand back a share of their items', async () => {
  const TableName = await createTable();
  await set({ seed: 3, rules: [{ unprocessed: 0.4 }] });
  let puts = Array.from({ length: 25 }, (_, i) => ({ PutRequest: { Item: { pk: S(`${i}`) } } }));
  let rounds = 0;
  while (puts?.length) {
    ++rounds;
    const answer = await dynamodb.batchWriteItem({ RequestItems: { [TableName]: puts } }).catch(() => undefined);
    if (answer) puts = answer.UnprocessedItems[TableName];
  }
  assert.ok(rounds > 1, `${rounds} rounds`);
  let Keys = Array.from({ length: 25 }, (_, i) => ({ pk: S(`${i}`) }));
  const got = [];
  while (Keys?.length) {
    const answer = await dynamodb.batchGetItem({ RequestItems: { [TableName]: { Keys } } }).catch(() => undefined);
    if (!answer) continue;
    got.push(...answer.Responses[TableName].map((item) => Number(item.pk.S)));
    Keys = answer.UnprocessedKeys[TableName]?.Keys;
  }
  assert.deepEqual(got.sort((a, b) => a - b), Array.from({ length: 25 }, (_, i) => i));
});

test('answers are held back, and nobody waits for those of others', async () => {
  const TableName = await createTable();
  const others = await createTable();
  await set({ rules: [{ tables: [TableName], latency: '300ms' }] });
  const took = async (promise) => {
    const begun = performance.now();
    await promise;
    return performance.now() - begun;
  };
  const [slow, alsoSlow, quick] = await Promise.all([took(get(TableName)), took(put(TableName)), took(get(others))]);
  assert.ok(slow >= 295 && slow < 1500, `${slow} ms`);
  assert.ok(alsoSlow >= 295 && alsoSlow < 1500, `${alsoSlow} ms`);
  assert.ok(quick < 250, `${quick} ms`);
});

test('indexes lag behind, tables do not', async () => {
  const TableName = await createTable({ global: { byStatus: 'status:S' } });
  await set({ 'index-lag': '600ms' });
  await put(TableName, 'a', { status: S('new') });
  const found = async () =>
    (await dynamodb.query({
      TableName, IndexName: 'byStatus',
      KeyConditionExpression: '#s = :s', ExpressionAttributeNames: { '#s': 'status' }, ExpressionAttributeValues: { ':s': S('new') },
    })).Count;
  assert.equal(await found(), 0);
  assert.ok((await get(TableName)).Item);
  await sleep(900);
  assert.equal(await found(), 1);
});

test('eventually consistent reads may be stale, consistent ones never', async () => {
  const TableName = await createTable();
  await put(TableName, 'a', { n: S('old') });
  await set({ 'stale-reads': 0.5, 'stale-lag': '30s' });
  await put(TableName, 'a', { n: S('new') });
  const seen = { old: 0, new: 0 };
  for (let i = 0; i < 60; ++i) {
    assert.equal((await get(TableName, { ConsistentRead: true })).Item.n.S, 'new');
    ++seen[(await get(TableName)).Item.n.S];
  }
  assert.ok(seen.old > 10 && seen.new > 10, JSON.stringify(seen));
});

test('a profile that makes no sense is refused, and the one before stays', async () => {
  await set({ rules: [{ throttle: 0.5 }] });
  const { status, body } = await set({ rules: [{ throttle: 5 }] });
  assert.equal(status, 400);
  assert.equal(body.error.code, 'InvalidProfile');
  assert.match(body.error.message, /throttle is a share from 0 to 1, not '5'/);
  const now = await (await fetch(`${server.endpoint}/faults`)).json();
  assert.deepEqual(now.rules, [{ throttle: 0.5 }]);
  assert.equal((await fetch(`${server.endpoint}/faults`, { method: 'POST' })).status, 405);
});

test('web pages of others cannot set faults', async () => {
  const answer = await fetch(`${server.endpoint}/faults`, {
    method: 'PUT', headers: { Origin: 'https://example.com' }, body: '{"rules":[{"throttle":1}]}',
  });
  assert.equal(answer.status, 403);
});

test('taula faults shows, sets and clears them', async () => {
  const faults = async (...options) =>
    JSON.parse((await run(binary, ['faults', '--endpoint', server.endpoint, ...options])).stdout);
  assert.deepEqual(await faults(), { seed: 1, rules: [] });
  const expected = { seed: 5, 'index-lag': '200ms', rules: [{ operations: ['PutItem'], throttle: 0.25 }] };
  assert.deepEqual(await faults('--fault', 'throttle=0.25 operations=PutItem', '--fault', 'index-lag=200ms seed=5'), expected);
  assert.deepEqual(await faults(), expected);
  assert.deepEqual(await faults('--clear'), { seed: 1, rules: [] });
  await assert.rejects(run(binary, ['faults', '--fault', 'rain=1']), (error) => {
    assert.equal(error.code, 2);
    assert.match(error.stderr, /there is no fault 'rain'/);
    return true;
  });
});

test('taula serve takes a file and settings', async () => {
  const file = join(temporaryFolder(), 'faults.yaml');
  writeFileSync(file, 'seed: 3\nrules:\n  - operations: GetItem\n    internal-error: 1\n');
  const own = await startServer({ options: ['--faults', file, '--fault', 'latency=50ms'] });
  const client = connect(own.endpoint);
  const input = tableInput({ key: 'pk:S' });
  await client.createTable(input);
  const { TableName } = input;
  const begun = performance.now();
  await client.putItem({ TableName, Item: { pk: S('a') } });
  assert.ok(performance.now() - begun >= 49);
  assert.equal(await name(client.getItem({ TableName, Key: { pk: S('a') } })), 'InternalServerError');
  await own.kill('SIGTERM');
});
