// Forks: copies of a database for tests, on ports of their own (`taula fork`, /forks).

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { connect, connectStreams, N, S, tableInput } from '../harness/index.mjs';
import { binary, freePort, startServer, temporaryFolder } from '../harness/server.mjs';
import { untilActive } from '../harness/tables.mjs';

const run = promisify(execFile);
const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../../..');
const design = join(root, 'designs/notifications/design.yaml');

async function ask(endpoint, method, path = '/forks', body = undefined) {
  const answer = await fetch(endpoint + path, { method, body: body && JSON.stringify(body) });
  return { status: answer.status, body: await answer.json() };
}

async function fork(endpoint, wanted) {
  const { status, body } = await ask(endpoint, 'POST', '/forks', wanted);
  assert.equal(status, 201, JSON.stringify(body));
  return { ...body, dynamodb: connect(body.endpoint) };
}

const drop = (endpoint, name) => ask(endpoint, 'DELETE', `/forks/${name}`);
const put = (dynamodb, TableName, pk, more = {}) => dynamodb.putItem({ TableName, Item: { pk: S(pk), ...more } });
const keys = async (dynamodb, TableName) =>
  (await dynamodb.scan({ TableName })).Items.map(({ pk }) => pk.S).sort();

async function until(holds, seconds = 20) {
  for (const deadline = Date.now() + seconds * 1000; !(await holds()); await sleep(50)) {
    assert.ok(Date.now() < deadline, 'it does not come to pass');
  }
}

async function createTable(dynamodb, shape = {}) {
  const input = tableInput({ key: 'pk:S', ...shape });
  await dynamodb.createTable(input);
  await untilActive(dynamodb, input.TableName);
  return input.TableName;
}

for (const kind of ['memory', 'durable']) {
  describe(kind, async () => {
    const data = kind === 'durable' ? temporaryFolder() : undefined;
    const server = await startServer({ data, options: ['--design', design, '--seed', '--forks', '60'] });
    const dynamodb = connect(server.endpoint);
    after(() => server.kill());
    const filesOfForks = () => (data && existsSync(join(data, 'forks')) ? readdirSync(join(data, 'forks')) : []);

    test('a fork has all there is, and neither sees what the other writes', async () => {
      const TableName = await createTable(dynamodb, { global: { byOwner: 'owner:S' } });
      await put(dynamodb, TableName, 'before', { owner: S('me') });
      const { name, endpoint, dynamodb: there } = await fork(server.endpoint);
      assert.match(name, /^fork-\d+$/);
      assert.match(endpoint, /^http:\/\/127\.0\.0\.1:\d+$/);

      await put(there, TableName, 'there');
      await put(dynamodb, TableName, 'here');
      await there.updateItem({
        TableName, Key: { pk: S('before') }, UpdateExpression: 'SET #o = :you', ExpressionAttributeNames: { '#o': 'owner' },
        ExpressionAttributeValues: { ':you': S('you') },
      });
      assert.deepEqual(await keys(there, TableName), ['before', 'there']);
      assert.deepEqual(await keys(dynamodb, TableName), ['before', 'here']);
      const owned = async (client, owner) =>
        (await client.query({
          TableName, IndexName: 'byOwner', KeyConditionExpression: '#o = :o', ExpressionAttributeNames: { '#o': 'owner' },
          ExpressionAttributeValues: { ':o': S(owner) },
        })).Count;
      assert.deepEqual([await owned(there, 'me'), await owned(there, 'you')], [0, 1]);
      assert.deepEqual([await owned(dynamodb, 'me'), await owned(dynamodb, 'you')], [1, 0]);

      // Tables, too: the one goes here and stays there, another is there alone.
      await dynamodb.deleteTable({ TableName });
      assert.deepEqual(await keys(there, TableName), ['before', 'there']);
      const another = await createTable(there);
      await assert.rejects(dynamodb.describeTable({ TableName: another }), { name: 'ResourceNotFoundException' });

      const { status, body } = await drop(server.endpoint, name);
      assert.equal(status, 200);
      assert.equal(body.name, name);
      await assert.rejects(fetch(endpoint));
      assert.deepEqual(filesOfForks(), []);
    });

    test('a fork of a fork stays when the one between goes', async () => {
      const TableName = await createTable(dynamodb);
      const first = await fork(server.endpoint, { name: 'first' });
      await put(first.dynamodb, TableName, 'first');
      const second = await fork(first.endpoint, { name: 'second' });
      assert.equal(second.forkOf, 'first');
      await put(second.dynamodb, TableName, 'second');
      assert.deepEqual(await keys(first.dynamodb, TableName), ['first']);
      assert.deepEqual(await keys(dynamodb, TableName), []);
      const { body } = await ask(second.endpoint, 'GET');
      assert.deepEqual(body.forks.map(({ name }) => name), ['first', 'second']);
      await drop(server.endpoint, 'first');
      assert.deepEqual(await keys(second.dynamodb, TableName), ['first', 'second']);
      // It may also be asked to end itself.
      assert.equal((await drop(second.endpoint, 'second')).status, 200);
      await until(() => fetch(second.endpoint).then(() => false, () => true));
      assert.deepEqual((await ask(server.endpoint, 'GET')).body, { forks: [] });
    });

    test('designs, unique values, streams, time to live and backups are in a fork as they were', async () => {
      const TableName = await createTable(dynamodb, {
        StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
      });
      await dynamodb.updateTimeToLive({ TableName, TimeToLiveSpecification: { Enabled: true, AttributeName: 'ends' } });
      await put(dynamodb, TableName, 'before');
      const { BackupDetails: { BackupArn } } = await dynamodb.createBackup({ TableName, BackupName: 'early' });
      const call = (endpoint, operation, parameters) =>
        fetch(`${endpoint}/designs/notifications/${operation}`, {
          method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(parameters),
        });
      const signup = (endpoint, email) =>
        call(endpoint, 'signup', { email, password: 'correct horse battery' }).then(({ status }) => status);
      assert.equal(await signup(server.endpoint, `one-${kind}@example.com`), 200);

      const { name, endpoint, dynamodb: there } = await fork(server.endpoint);
      assert.equal(await signup(endpoint, `one-${kind}@example.com`), 409);
      assert.equal(await signup(endpoint, `two-${kind}@example.com`), 200);
      assert.equal(await signup(server.endpoint, `two-${kind}@example.com`), 200);

      await put(there, TableName, 'expired', { ends: N(Math.floor(Date.now() / 1000) - 60) });
      await until(async () => (await keys(there, TableName)).length === 1);
      const streams = connectStreams(endpoint);
      const { Table: { LatestStreamArn: StreamArn } } = await there.describeTable({ TableName });
      const { StreamDescription: { Shards } } = await streams.describeStream({ StreamArn });
      const records = [];
      for (const { ShardId } of Shards) {
        const { ShardIterator } = await streams.getShardIterator({ StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' });
        records.push(...(await streams.getRecords({ ShardIterator })).Records);
      }
      const seen = (pk) => records.filter(({ dynamodb: { Keys } }) => Keys.pk.S === pk).map(({ eventName }) => eventName);
      assert.deepEqual(seen('before'), ['INSERT']);
      assert.deepEqual(seen('expired'), ['INSERT', 'REMOVE']);

      await dynamodb.deleteBackup({ BackupArn });
      const TargetTableName = `${TableName}-restored`;
      await there.restoreTableFromBackup({ BackupArn, TargetTableName });
      await untilActive(there, TargetTableName);
      assert.deepEqual(await keys(there, TargetTableName), ['before']);
      assert.match(await (await fetch(`${endpoint}/metrics`)).text(), /taula_table_items/);
      await drop(server.endpoint, name);
    });

    test('fifty forks at once, each for itself', async () => {
      const TableName = await createTable(dynamodb);
      await Promise.all(Array.from({ length: 200 }, (_, i) => put(dynamodb, TableName, `item-${i}`)));
      const forks = await Promise.all(Array.from({ length: 50 }, (_, i) => fork(server.endpoint, { name: `worker-${i}` })));
      assert.equal(new Set(forks.map(({ endpoint }) => endpoint)).size, 50);
      await Promise.all(forks.map(async ({ name, dynamodb: there }) => {
        await put(there, TableName, name);
        await there.deleteItem({ TableName, Key: { pk: S('item-7') } });
        assert.equal((await there.scan({ TableName, Select: 'COUNT' })).Count, 200);
        const { Items } = await there.scan({
          TableName, FilterExpression: 'begins_with(pk, :w)', ExpressionAttributeValues: { ':w': S('worker-') },
        });
        assert.deepEqual(Items, [{ pk: S(name) }]);
      }));
      assert.equal((await dynamodb.scan({ TableName, Select: 'COUNT' })).Count, 200);
      await Promise.all(forks.map(({ name }) => drop(server.endpoint, name)));
      assert.deepEqual(filesOfForks(), []);
    });

    test('a fork can be deleted while requests run on it', async () => {
      const TableName = await createTable(dynamodb);
      for (let round = 0; round < 5; ++round) {
        const { name, dynamodb: there } = await fork(server.endpoint);
        let deleted = false;
        let answered = 0;
        const client = async (number) => {
          for (let i = 0; ; ++i) {
            try {
              await put(there, TableName, `${number}-${i}`);
              ++answered;
            } catch (error) {
              assert.ok(deleted, error.stack);
              assert.match(`${error.code} ${error.message}`, /ECONNREFUSED|ECONNRESET|EPIPE|socket hang up/);
              return;
            }
          }
        };
        const clients = Array.from({ length: 8 }, (_, number) => client(number));
        await until(() => answered > 50);
        deleted = true;
        assert.equal((await drop(server.endpoint, name)).status, 200);
        await Promise.all(clients);
        there.destroy();
      }
      assert.deepEqual(await keys(dynamodb, TableName), []);
      assert.deepEqual(filesOfForks(), []);
    });

    test('a fork that nobody uses goes by itself; one that is used stays', async () => {
      const used = await fork(server.endpoint, { name: 'used', idleSeconds: 1 });
      await fork(server.endpoint, { name: 'unused', idleSeconds: 1 });
      await used.dynamodb.listTables({});  // whose connection stays open
      await until(async () => (await ask(server.endpoint, 'GET', '/forks/unused')).status === 404);
      assert.equal((await ask(server.endpoint, 'GET', '/forks/used')).body.idleSeconds, 1);
      used.dynamodb.destroy();
      await until(async () => (await ask(server.endpoint, 'GET', '/forks/used')).status === 404);
    });

    test('a fork is there in milliseconds', async () => {
      const TableName = await createTable(dynamodb);
      for (let i = 0; i < 2000; i += 25) {
        const items = Array.from({ length: 25 }, (_, j) => ({ PutRequest: { Item: { pk: S(`${i + j}`), text: S('x'.repeat(1000)) } } }));
        await dynamodb.batchWriteItem({ RequestItems: { [TableName]: items } });
      }
      const times = [];
      for (let i = 0; i < 11; ++i) {
        const began = performance.now();
        const { name } = await fork(server.endpoint);
        times.push(performance.now() - began);
        await drop(server.endpoint, name);
      }
      const median = times.sort((a, b) => a - b)[5];
      assert.ok(median < 150, `${times.map((time) => time.toFixed(1))} ms`);
    });
  });
}

test('what cannot be made says why', async () => {
  const server = await startServer({ options: ['--forks', '2'] });
  const refusal = async (...request) => {
    const { status, body } = await ask(server.endpoint, ...request);
    return [status, body.error?.code];
  };
  await fork(server.endpoint, { name: 'a' });
  assert.deepEqual(await refusal('POST', '/forks', { name: 'a' }), [409, 'AlreadyExists']);
  assert.deepEqual(await refusal('POST', '/forks', { name: '../a' }), [400, 'InvalidName']);
  assert.deepEqual(await refusal('POST', '/forks', { name: 'x'.repeat(65) }), [400, 'InvalidName']);
  assert.deepEqual(await refusal('POST', '/forks', { name: 7 }), [400, 'InvalidRequest']);
  assert.deepEqual(await refusal('POST', '/forks', { names: 'b' }), [400, 'InvalidRequest']);
  assert.deepEqual(await refusal('POST', '/forks', { idleSeconds: -1 }), [400, 'InvalidRequest']);
  assert.deepEqual(await refusal('POST', '/forks', ['a']), [400, 'InvalidRequest']);
  assert.deepEqual(await refusal('PUT', '/forks'), [405, 'WrongMethod']);
  assert.deepEqual(await refusal('POST', '/forks/a'), [405, 'WrongMethod']);
  assert.deepEqual(await refusal('DELETE', '/forks/b'), [404, 'NotFound']);
  await fork(server.endpoint);
  assert.deepEqual(await refusal('POST', '/forks'), [429, 'TooManyForks']);
  await drop(server.endpoint, 'a');
  await fork(server.endpoint, { name: 'a' });

  // A page of another site makes none.
  const { status } = await fetch(`${server.endpoint}/forks`, { method: 'POST', headers: { Origin: 'https://example.com' } });
  assert.equal(status, 403);
  assert.deepEqual(await server.kill(), { code: 0, signal: null });
});

test('forks end with their server, and a killed one leaves files that the next start removes', async () => {
  const data = temporaryFolder();
  const forks = () => readdirSync(join(data, 'forks'));
  let server = await startServer({ data });
  await createTable(connect(server.endpoint));
  const { endpoint } = await fork(server.endpoint);
  await fork(endpoint);
  assert.equal(forks().length, 2);
  assert.deepEqual(await server.kill(), { code: 0, signal: null });
  assert.deepEqual(forks(), []);

  server = await startServer({ data });
  await fork(server.endpoint);
  assert.equal(forks().length, 1);
  await server.kill('SIGKILL');
  assert.equal(forks().length, 1);
  server = await startServer({ data });
  assert.ok(!existsSync(join(data, 'forks')));
  assert.equal((await connect(server.endpoint).listTables({})).TableNames.length, 1);
  await server.kill();
});

test('faults on purpose are in a fork, too, and are its own from then on', async () => {
  const server = await startServer({ options: ['--fault', 'throttle=1 operations=PutItem'] });
  const dynamodb = connect(server.endpoint);
  const TableName = await createTable(dynamodb);
  const { endpoint, dynamodb: there } = await fork(server.endpoint);
  await assert.rejects(put(there, TableName, 'a'), { name: 'ProvisionedThroughputExceededException' });
  await fetch(`${endpoint}/faults`, { method: 'DELETE' });
  await put(there, TableName, 'a');
  await assert.rejects(put(dynamodb, TableName, 'a'), { name: 'ProvisionedThroughputExceededException' });
  // An answer that is held back does not hold up the end.
  await fetch(`${endpoint}/faults`, { method: 'PUT', body: 'rules: [{ latency: 60s }]' });
  const held = put(there, TableName, 'b').then(() => 'answered', (error) => error.code ?? error.name);
  await sleep(100);
  const began = Date.now();
  await server.kill();
  assert.ok(Date.now() - began < 10_000);
  await held;
});

test('the example in the documentation runs, on the server and around it', async () => {
  const example = readFileSync(join(root, 'docs/fork.md'), 'utf8').match(/```js\n\/\/ (\S+)\n([\s\S]*?)```/);
  const folder = temporaryFolder();
  writeFileSync(join(folder, example[1]), example[2]);
  symlinkSync(join(root, 'tests/node_modules'), join(folder, 'node_modules'));
  const server = await startServer({ options: ['--design', join(root, 'designs/store/design.yaml'), '--seed'] });
  const env = { ...process.env, TAULA_SERVER: server.endpoint };
  delete env.NODE_TEST_CONTEXT;
  const words = [process.execPath, '--test', '--test-reporter=tap', join(folder, example[1])];
  // The second time the server that its forks are made of is a fork itself.
  for (const command of [words, [binary, 'fork', '--', ...words]]) {
    const { stdout } = await run(command[0], command.slice(1), { env });
    assert.match(stdout, /^# pass 2$/m);
  }
  assert.deepEqual((await ask(server.endpoint, 'GET')).body.forks, []);
  await server.kill();
});

test('ports can be given', async () => {
  const first = await freePort();
  const server = await startServer({ options: ['--fork-ports', `${first}-${first + 20}`] });
  for (let i = 0; i < 3; ++i) {
    const port = Number(new URL((await fork(server.endpoint)).endpoint).port);
    assert.ok(port >= first && port <= first + 20);
  }
  await server.kill();
});

test('taula fork: by name, in a list, deleted, around a command, and of a folder', async () => {
  const data = temporaryFolder();
  const server = await startServer({ data });
  const TableName = await createTable(connect(server.endpoint));
  await put(connect(server.endpoint), TableName, 'a');
  const taula = (...words) =>
    run(binary, ['fork', ...words], { env: { ...process.env, TAULA_SERVER: server.endpoint } }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    );

  const { stdout } = await taula('--name', 'mine', '--idle', '60');
  assert.deepEqual(await keys(connect(stdout.trim()), TableName), ['a']);
  assert.match((await taula('--list')).stdout, new RegExp(`^mine +${stdout.trim()} +20`));
  assert.match((await taula('--name', 'mine')).stderr, /^taula: There is a fork 'mine'\.\n$/);
  assert.deepEqual(await taula('--delete', 'mine'), { code: 0, stdout: '', stderr: '' });
  assert.equal((await taula('--delete', 'mine')).code, 1);
  assert.equal((await taula('--list')).stdout, '');

  const script = 'echo $AWS_ENDPOINT_URL_DYNAMODB $AWS_ENDPOINT_URL_DYNAMODB_STREAMS $TAULA_SERVER; exit 7';
  const command = await taula('--', 'sh', '-c', script);
  assert.equal(command.code, 7);
  const [endpoint, streams, own] = command.stdout.trim().split(' ');
  assert.ok(endpoint !== server.endpoint && endpoint === streams && endpoint === own);
  await assert.rejects(fetch(endpoint));
  assert.equal((await taula('--', 'sh', '-c', 'kill -TERM $$')).code, 128 + 15);
  const missing = await taula('no-such-command');
  assert.equal(missing.code, 127);
  assert.match(missing.stderr, /^taula: no-such-command cannot be run: No such file or directory; a name .* --name\n$/);
  assert.deepEqual((await ask(server.endpoint, 'GET')).body.forks, []);
  assert.match((await taula('--endpoint', 'http://127.0.0.1:1')).stderr, /^taula: Cannot reach http:\/\/127\.0\.0\.1:1: /);

  const to = join(temporaryFolder(), 'copy');
  assert.match((await taula('--data', data, '--to', to)).stderr, /is in use by another process/);
  await server.kill();
  assert.equal((await taula('--data', data)).code, 2);
  assert.equal((await taula('--data', join(data, 'none'), '--to', to)).code, 4);
  assert.deepEqual(await taula('--data', data, '--to', to), { code: 0, stdout: '', stderr: '' });
  assert.match((await taula('--data', data, '--to', to)).stderr, /exists already/);
  const [original, copy] = [await startServer({ data }), await startServer({ data: to })];
  await put(connect(copy.endpoint), TableName, 'b');
  assert.deepEqual(await keys(connect(copy.endpoint), TableName), ['a', 'b']);
  assert.deepEqual(await keys(connect(original.endpoint), TableName), ['a']);
  await Promise.all([original.kill(), copy.kill()]);
});

test('where the machine has no more descriptors, a fork is refused and nothing else ends', async () => {
  // So many that it is now this and now that part of a fork which does not get one.
  for (const descriptors of [40, 41, 42, 43]) {
    const server = await startServer({ descriptors, options: ['--threads', '1'] });
    const made = [];
    let answer;
    while ((answer = await ask(server.endpoint, 'POST')).status === 201) made.push(answer.body.name);
    assert.ok(answer.status >= 500, JSON.stringify(answer));
    assert.ok(made.length > 2, `${made.length} forks`);
    assert.deepEqual((await ask(server.endpoint, 'GET')).body.forks.map(({ name }) => name).sort(), made.sort());

    const name = made.pop();
    assert.equal((await drop(server.endpoint, name)).status, 200);
    assert.equal((await ask(server.endpoint, 'POST', '/forks', { name })).status, 201);
    assert.deepEqual(await server.kill('SIGTERM'), { code: 0, signal: null }, server.log());
  }
});
