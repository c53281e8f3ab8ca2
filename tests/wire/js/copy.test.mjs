// `taula copy`: tables to another server, exactly, while others write to them.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, createTable, dynamodb, endpoint, N, plain, S, tableInput, uniqueName, untilActive } from '../harness/index.mjs';
import { binary, freePort, startServer, temporaryFolder } from '../harness/server.mjs';

const STREAM = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' };
const target = await startServer();
const there = connect(target.endpoint);
const state = temporaryFolder();

const children = new Set();
let ending = false;
after(() => {
  ending = true;
  children.forEach((child) => child.kill('SIGKILL'));
});

// Runs the copy: { child, ended, output() }.
function start(args, { to = target.endpoint, from = endpoint, env = {} } = {}) {
  const child = spawn(binary, ['copy', '--from', from, '--to', to, '--state', state, '--settle', '0.3', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  children.add(child);
  let out = '';
  let err = '';
  child.stdout.on('data', (data) => (out += data));
  child.stderr.on('data', (data) => (err += data));
  const ended = once(child, 'close').then(([code, signal]) => {
    children.delete(child);
    return { code, signal, out, err };
  });
  return { child, ended, output: () => out };
}

const copy = (args, options) => start(args, options).ended;

async function done(args, options) {
  const { code, out, err } = await copy(args, options);
  assert.equal(code, 0, `${out}\n${err}`);
  return { out, err };
}

async function refused(args, words, options) {
  const { code, err } = await copy(args, options);
  assert.notEqual(code, 0);
  assert.match(err, words);
}

async function until(condition, what) {
  for (const begun = Date.now(); Date.now() - begun < 20_000; await sleep(20)) if (await condition()) return;
  assert.fail(`never: ${what}`);
}

async function itemsOf(client, TableName) {
  const items = new Map();
  for (let ExclusiveStartKey; ; ) {
    const page = await client.scan({ TableName, ConsistentRead: true, ExclusiveStartKey });
    for (const item of page.Items) items.set(JSON.stringify([item.pk, item.sk]), plain(item));
    ExclusiveStartKey = page.LastEvaluatedKey;
    if (!ExclusiveStartKey) return items;
  }
}

async function sameItems(name, as = name, client = there) {
  const [source, copied] = await Promise.all([itemsOf(dynamodb, name), itemsOf(client, as)]);
  assert.deepEqual([...copied].sort(), [...source].sort());
  return source.size;
}

// Fills a table 25 items at a time.
async function fill(TableName, count, more = {}) {
  for (let first = 0; first < count; first += 25) {
    const requests = Array.from({ length: Math.min(25, count - first) }, (_, i) => ({
      PutRequest: { Item: { pk: S(`p${(first + i) % 50}`), sk: N(first + i), text: S(`first ${first + i}`), ...more } },
    }));
    await dynamodb.batchWriteItem({ RequestItems: { [TableName]: requests } });
  }
}

// Writers that put, update and delete until they are told to stop.
function writers(TableName, keys, count = 4) {
  let stopped = false;
  let writes = 0;
  const work = async (seed) => {
    for (let i = seed; !stopped && !ending; i += 7) {
      const sk = (i * 31) % keys;
      const Key = { pk: S(`p${sk % 50}`), sk: N(sk) };
      if (i % 5 === 0) await dynamodb.deleteItem({ TableName, Key });
      else if (i % 5 < 3) await dynamodb.putItem({ TableName, Item: { ...Key, text: S(`put ${i}`), set: { NS: ['1', String(i + 2)] } } });
      else {
        await dynamodb.updateItem({
          TableName, Key, UpdateExpression: 'ADD times :one SET changed = :i', ExpressionAttributeValues: { ':one': N(1), ':i': N(i) },
        });
      }
      ++writes;
    }
  };
  const all = Promise.all(Array.from({ length: count }, (_, seed) => work(seed + 1)));
  return {
    writes: () => writes,
    stop: () => {
      stopped = true;
      return all;
    },
  };
}

const described = async (client, TableName) => {
  const { Table } = await client.describeTable({ TableName });
  const throughput = (from) => from && [from.ReadCapacityUnits, from.WriteCapacityUnits];
  const index = ({ IndexName, KeySchema, Projection, ProvisionedThroughput, OnDemandThroughput }) =>
    ({ IndexName, KeySchema, Projection, throughput: throughput(ProvisionedThroughput), OnDemandThroughput });
  const byName = (a, b) => (a.IndexName < b.IndexName ? -1 : 1);
  const { TimeToLiveDescription } = await client.describeTimeToLive({ TableName });
  const { ContinuousBackupsDescription } = await client.describeContinuousBackups({ TableName });
  const { Tags } = await client.listTagsOfResource({ ResourceArn: Table.TableArn });
  return {
    KeySchema: Table.KeySchema,
    AttributeDefinitions: [...Table.AttributeDefinitions].sort((a, b) => (a.AttributeName < b.AttributeName ? -1 : 1)),
    billing: Table.BillingModeSummary?.BillingMode ?? 'PROVISIONED',
    throughput: throughput(Table.ProvisionedThroughput),
    OnDemandThroughput: Table.OnDemandThroughput,
    StreamSpecification: Table.StreamSpecification,
    TableClass: Table.TableClassSummary?.TableClass,
    protection: Table.DeletionProtectionEnabled,
    local: Table.LocalSecondaryIndexes?.map(index).sort(byName),
    global: Table.GlobalSecondaryIndexes?.map(index).sort(byName),
    TimeToLiveDescription,
    recovery: ContinuousBackupsDescription.PointInTimeRecoveryDescription.PointInTimeRecoveryStatus,
    Tags,
  };
};

test('a copy has the keys, the indexes and all settings of its table', async () => {
  const name = await createTable({
    key: 'pk:S sk:N',
    local: { byText: { key: 'pk:S text:S', projection: 'KEYS_ONLY' } },
    global: { byKind: { key: 'kind:S sk:N', projection: ['text'] }, byTime: 'time:N' },
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
    OnDemandThroughput: { MaxReadRequestUnits: 300, MaxWriteRequestUnits: 200 },
    TableClass: 'STANDARD_INFREQUENT_ACCESS',
    DeletionProtectionEnabled: true,
    Tags: [{ Key: 'team', Value: 'shop @ 1' }, { Key: 'stage', Value: '' }],
  });
  await dynamodb.updateTimeToLive({ TableName: name, TimeToLiveSpecification: { Enabled: true, AttributeName: 'expires' } });
  await dynamodb.updateContinuousBackups({ TableName: name, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } });
  await fill(name, 60, { kind: S('a'), time: N(1) });
  const { out, err } = await done([name, '--no-follow', '--verify']);
  assert.equal(err, '');
  assert.match(out, new RegExp(`^${name}: both have the same 60 items$`, 'm'));
  assert.match(out, new RegExp(`^Now point your application at ${target.endpoint}$`, 'm'));
  assert.deepEqual(await described(there, name), await described(dynamodb, name));
  assert.equal(await sameItems(name), 60);
  const { Count } = await there.query({
    TableName: name, IndexName: 'byKind', KeyConditionExpression: 'kind = :a', ExpressionAttributeValues: { ':a': S('a') },
  });
  assert.equal(Count, 60);
  assert.deepEqual(readdirSync(state), [], 'a copy that is done leaves nothing');

  const provisioned = await createTable({
    BillingMode: 'PROVISIONED',
    ProvisionedThroughput: { ReadCapacityUnits: 7, WriteCapacityUnits: 6 },
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }, { AttributeName: 'k', AttributeType: 'B' }],
    GlobalSecondaryIndexes: [{
      IndexName: 'byK', KeySchema: [{ AttributeName: 'k', KeyType: 'HASH' }], Projection: { ProjectionType: 'ALL' },
      ProvisionedThroughput: { ReadCapacityUnits: 3, WriteCapacityUnits: 2 },
    }],
  });
  await done([provisioned, '--no-follow']);
  assert.deepEqual(await described(there, provisioned), await described(dynamodb, provisioned));
});

test('a copy is exact, although others write and it is killed twice', { timeout: 90_000 }, async () => {
  const name = await createTable({ key: 'pk:S sk:N', StreamSpecification: STREAM });
  const keys = 5000;
  await fill(name, keys);
  const writing = writers(name, keys);

  // In the middle of the scan,
  const first = start([name, '--rate', '1500', '--parallel', '2']);
  const scanned = () => {
    const file = readdirSync(state).find((each) => each.includes(name) && each.endsWith('.json'));
    return file ? (JSON.parse(readFileSync(join(state, file), 'utf8')).scan?.items ?? 0) : 0;
  };
  await until(() => scanned() > 0, 'something of the scan is kept');
  assert.ok(scanned() < keys * 0.9, 'not all of it');
  first.child.kill('SIGKILL');
  assert.equal((await first.ended).signal, 'SIGKILL');
  await until(() => writing.writes() > 300, 'writes while nobody copies');

  // and while it follows.
  const second = start([name]);
  await until(() => second.output().includes('Following the changes'), 'the second run follows');
  assert.match(second.output(), /goes on where an earlier run was \([1-9][\d,]* items/);
  const before = writing.writes();
  await until(() => writing.writes() > before + 300, 'writes while it follows');
  second.child.kill('SIGKILL');
  await second.ended;

  const third = start([name, '--verify']);
  await until(() => third.output().includes('Following the changes'), 'the third run follows');
  await sleep(300);
  await writing.stop();
  third.child.kill('SIGINT');
  const { code, out, err } = await third.ended;
  assert.equal(code, 0, out + err);
  assert.match(out, /both have the same [\d,]+ items/);
  assert.match(out, new RegExp(`^${name}: [\\d,]+ items and [\\d,]+ changes copied$`, 'm'));
  assert.ok((await sameItems(name)) > 1000);
  assert.ok(!readdirSync(state).some((file) => file.includes(name)));
});

test('a target that is killed, lost answers, throttling and unprocessed items do no harm', { timeout: 90_000 }, async () => {
  const faults = ['throttle=0.1', 'internal-error=0.05', 'lost-answer=0.05', 'unprocessed=0.2'].flatMap((fault) => ['--fault', `${fault} operations=BatchWriteItem`]);
  const data = temporaryFolder();
  const port = await freePort();
  let server = await startServer({ data, port, options: faults });
  const client = connect(server.endpoint);
  const name = await createTable({ key: 'pk:S sk:N', StreamSpecification: STREAM });
  const keys = 1000;
  await fill(name, keys);
  const writing = writers(name, keys);
  const copying = start([name], { to: server.endpoint });
  await until(() => copying.output().includes('Following the changes'), 'it follows');
  await server.kill('SIGKILL');
  const before = writing.writes();
  await until(() => writing.writes() > before + 200, 'writes while the target is away');
  server = await startServer({ data, port, options: faults });
  await sleep(300);
  await writing.stop();
  copying.child.kill('SIGTERM');
  const { code, out, err } = await copying.ended;
  assert.equal(code, 0, out + err);
  assert.match(err, /^taula: Cannot reach .*Trying again\.$/m);
  await server.kill('SIGKILL');
  server = await startServer({ data, port });
  await sameItems(name, name, client);
  await server.kill('SIGTERM');
});

test('a stream that shows no new images is followed by reading the items', async () => {
  for (const StreamViewType of ['KEYS_ONLY', 'OLD_IMAGE']) {
    const name = await createTable({ key: 'pk:S sk:N', StreamSpecification: { StreamEnabled: true, StreamViewType } });
    await fill(name, 200);
    const writing = writers(name, 200, 2);
    const copying = start([name]);
    await until(() => copying.output().includes('Following the changes'), 'it follows');
    const before = writing.writes();
    await until(() => writing.writes() > before + 50, 'writes while it follows');
    await writing.stop();
    copying.child.kill('SIGINT');
    assert.equal((await copying.ended).code, 0);
    await sameItems(name);
  }
});

test('what happened before the copy is not replayed, what happens after it began is', async () => {
  const name = await createTable({ key: 'pk:S sk:N', StreamSpecification: STREAM });
  await fill(name, 100);
  const { out } = await done([name, '--until-caught-up']);
  assert.match(out, new RegExp(`^${name}: 100 items and 0 changes copied$`, 'm'));
});

test('a table without a stream gets one only if that was said', async () => {
  const name = await createTable({ key: 'pk:S sk:N' });
  await fill(name, 10);
  await refused([name], /has no stream, without which its changes cannot be followed\. --yes turns one on there/);
  assert.equal((await dynamodb.describeTable({ TableName: name })).Table.StreamSpecification, undefined);
  const copying = start([name, '--yes']);
  await until(() => copying.output().includes('Following the changes'), 'it follows');
  await dynamodb.putItem({ TableName: name, Item: { pk: S('later'), sk: N(1) } });
  copying.child.kill('SIGINT');
  const { code, out } = await copying.ended;
  assert.equal(code, 0);
  assert.match(out, /10 items and 1 change copied/);
  assert.deepEqual((await dynamodb.describeTable({ TableName: name })).Table.StreamSpecification, STREAM);
  assert.equal((await there.describeTable({ TableName: name })).Table.StreamSpecification, undefined, 'the copy is as the table was');
  assert.equal(await sameItems(name), 11);
});

test('an interrupted scan goes on with the same command', async () => {
  const name = await createTable({ key: 'pk:S sk:N' });
  await fill(name, 600);
  const copying = start([name, '--no-follow', '--rate', '300']);
  await until(async () => {
    const { Count } = await there.scan({ TableName: name, Select: 'COUNT' }).catch(() => ({ Count: 0 }));
    return Count > 100;
  }, 'items arrive');
  copying.child.kill('SIGINT');
  const { code, err } = await copying.ended;
  assert.equal(code, 1);
  assert.match(err, /^taula: Interrupted\. The same command goes on with it\.$/m);
  await refused([name], /An earlier run began to copy .* with --no-follow\. Go on like that, or delete/);
  await done([name, '--no-follow']);
  assert.equal(await sameItems(name), 600);
});

test('several tables, by patterns, all of them, under other names', async () => {
  const prefix = uniqueName('shop');
  const names = [`${prefix}-a`, `${prefix}-b`];
  for (const name of [...names, `${prefix}x`]) {
    await createTable({ name, key: 'pk:S sk:N' });
    await fill(name, 30);
  }
  const planned = await done([`${prefix}-*`, '--prefix', 'copy-', '--no-follow', '--dry-run']);
  assert.deepEqual(planned.out.trim().split('\n'), names.map((name) => `${name} as copy-${name}: about 30 items, 609 bytes; made with key pk and sk`));
  await assert.rejects(there.describeTable({ TableName: `copy-${names[0]}` }), { name: 'ResourceNotFoundException' });
  await done([`${prefix}-*`, '--prefix', 'copy-', '--no-follow']);
  for (const name of names) assert.equal(await sameItems(name, `copy-${name}`), 30);
  await assert.rejects(there.describeTable({ TableName: `copy-${prefix}x` }), { name: 'ResourceNotFoundException' });
  await done([names[0], '--as', `${names[0]}.second`, '--no-follow'], { to: endpoint });
  assert.equal(await sameItems(names[0], `${names[0]}.second`, dynamodb), 30);

  const source = await startServer();
  const client = connect(source.endpoint);
  for (const TableName of ['one', 'two']) {
    await client.createTable(tableInput({ name: TableName }));
    await untilActive(client, TableName);
  }
  await done(['--all', '--no-follow', '--quiet'], { from: source.endpoint });
  const { TableNames } = await there.listTables({});
  assert.ok(TableNames.includes('one') && TableNames.includes('two'));
});

test('into a table that is there, and what a comparison finds', async () => {
  const name = await createTable({ key: 'pk:S sk:N' });
  await fill(name, 40);
  await there.createTable(tableInput({ name, key: 'pk:S sk:N' }));
  await untilActive(there, name);
  await there.putItem({ TableName: name, Item: { pk: S('own'), sk: N(1) } });
  await refused([name, '--no-follow'], new RegExp(`There is a table ${name} at ${target.endpoint}\\. --into-existing copies into it`));
  const { code, out, err } = await copy([name, '--no-follow', '--into-existing', '--verify']);
  assert.equal(code, 1);
  assert.match(out, /into the table that is there/);
  assert.match(err, /differs: 0 items missing at the target, 0 different, 1 only at the target\n {2}only at the target \{"pk":\{"S":"own"\},"sk":\{"N":"1"\}\}/);
  assert.equal((await itemsOf(there, name)).size, 41);

  const other = await createTable({ key: 'pk:S' });
  await there.createTable(tableInput({ name: other, key: 'pk:N' }));
  await untilActive(there, other);
  await refused([other, '--no-follow', '--into-existing'], /cannot take the items: its key pk is of type N, the source's of type S\./);
  await refused([other, '--as', name, '--no-follow', '--into-existing'], /cannot take the items: its key is pk and sk, the source's pk\./);
});

test('says what is wrong', async () => {
  const name = await createTable({ name: uniqueName('invoices'), key: 'pk:S sk:N' });
  await refused([name.replace('invoices', 'invoicse')], new RegExp(`has no table '.*'\\. Did you mean '${name}'\\?`));
  await refused(['none-like-*'], /has no table like 'none-like-\*'\./);
  await refused([], /which tables\? Name them, or give --all\./);
  await refused([name, '--no-follow'], new RegExp(`${name} cannot be copied onto itself; --as gives the copy another name`), { to: endpoint });
  await refused([`${name}*`, name, 'other', '--as', 'x'], /--as names one copy, and there are 2 tables; --prefix is for several/);
  await refused([name, '--no-follow'], /Cannot reach http:\/\/127\.0\.0\.1:1: the connection was refused/, { from: 'http://127.0.0.1:1' });
  await refused([name, '--no-follow'], /Cannot reach http:\/\/127\.0\.0\.1:1: the connection was refused/, { to: 'http://127.0.0.1:1' });
  const env = { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '', AWS_PROFILE: '', HOME: '/nonexistent' };
  await refused([name], /There are no credentials for https:\/\/dynamodb\.eu-west-1\.amazonaws\.com/, { from: 'https://dynamodb.eu-west-1.amazonaws.com', env });
  await refused([name, '--from-profile', 'nobody'], /The profile 'nobody' .* has no access key/, { from: 'https://dynamodb.eu-west-1.amazonaws.com', env });
});
