// `taula copy` from DynamoDB Local to Taula and back, while others write. Needs
// Java and the packages of bench/.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { dynamodbLocal } from '../../../bench/contestants/dynamodb_local.mjs';
import { connect, CREDENTIALS, REGION } from '../harness/clients.mjs';
import { binary, freePort, startServer, temporaryFolder } from '../harness/server.mjs';
import { makeTable } from '../harness/tables.mjs';

const missing = dynamodbLocal.missing();
if (missing) throw new Error(missing);
const port = await freePort();
const { file, args, cwd } = dynamodbLocal.command({ ports: [port] });
const peer = spawn(file, args, { cwd, stdio: 'ignore' });
after(() => peer.kill());
const local = `http://127.0.0.1:${port}`;
for (let tries = 0; !(await fetch(local).then(() => true, () => false)); ++tries) {
  assert.ok(tries < 300, 'DynamoDB Local does not answer');
  await sleep(100);
}
const taula = (await startServer()).endpoint;

// DynamoDB Local has other tables for each account.
const ACCOUNT = {
  ...process.env,
  AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
  AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
  AWS_REGION: REGION,
};

const S = (text) => ({ S: String(text) });
const N = (number) => ({ N: String(number) });

async function itemsOf(endpoint, TableName) {
  const items = new Map();
  for (let ExclusiveStartKey; ; ) {
    const page = await connect(endpoint).scan({ TableName, ConsistentRead: true, ExclusiveStartKey });
    for (const item of page.Items) items.set(JSON.stringify([item.pk, item.sk]), item);
    ExclusiveStartKey = page.LastEvaluatedKey;
    if (!ExclusiveStartKey) return items;
  }
}

for (const [title, from, to] of [['to Taula', local, taula], ['to DynamoDB Local', taula, local]]) {
  test(`from the one ${title}, while others write`, { timeout: 120_000 }, async () => {
    const client = connect(from, { maxAttempts: 3 });
    const TableName = await makeTable(client, {
      name: title.replaceAll(' ', '-'),
      key: 'pk:S sk:N',
      local: { byText: 'pk:S text:S' },
      global: { byTimes: { key: 'pk:S times:N', projection: 'KEYS_ONLY' } },
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    });
    await client.updateTimeToLive({ TableName, TimeToLiveSpecification: { Enabled: true, AttributeName: 'expires' } });
    const key = (i) => ({ pk: S(`p${i % 20}`), sk: N(i) });
    for (let i = 0; i < 1000; i += 25) {
      const requests = Array.from({ length: 25 }, (_, j) => ({ PutRequest: { Item: { ...key(i + j), text: S(`first ${i}`) } } }));
      await client.batchWriteItem({ RequestItems: { [TableName]: requests } });
    }
    const copying = spawn(binary, ['copy', '--from', from, '--to', to, TableName, '--verify', '--state', temporaryFolder()], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: ACCOUNT,
    });
    let printed = '';
    for (const output of [copying.stdout, copying.stderr]) output.on('data', (data) => (printed += data));
    const ended = once(copying, 'close');
    for (let i = 0; !printed.includes('Following the changes') || i % 200 !== 0; ++i) {
      assert.equal(copying.exitCode, null, printed);
      const Key = key((i * 31) % 1000);
      if (i % 4 === 0) await client.deleteItem({ TableName, Key });
      else if (i % 4 === 1) await client.putItem({ TableName, Item: { ...Key, times: N(i) } });
      else {
        await client.updateItem({
          TableName, Key, UpdateExpression: 'ADD times :one', ExpressionAttributeValues: { ':one': N(1) },
        });
      }
    }
    copying.kill('SIGINT');
    const [code] = await ended;
    assert.equal(code, 0, printed);
    const [source, copied] = [await itemsOf(from, TableName), await itemsOf(to, TableName)];
    assert.ok(source.size > 500);
    assert.deepEqual(copied, source);
    const { Table } = await connect(to).describeTable({ TableName });
    assert.deepEqual(Table.GlobalSecondaryIndexes.map(({ IndexName, Projection }) => [IndexName, Projection.ProjectionType]), [['byTimes', 'KEYS_ONLY']]);
    assert.deepEqual(Table.LocalSecondaryIndexes.map(({ IndexName }) => IndexName), ['byText']);
    const { TimeToLiveDescription } = await connect(to).describeTimeToLive({ TableName });
    assert.equal(TimeToLiveDescription.AttributeName, 'expires');
  });
}
