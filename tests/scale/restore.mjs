// Brings a table of many items, with an index, back to a second before a quarter
// of it was changed: exactly, and in good time.
//
// usage: restore.mjs [--items 1000000]

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { connect } from '../wire/harness/clients.mjs';
import { startServer, temporaryFolder } from '../wire/harness/server.mjs';
import { forEachItem, importItems } from './import_items.mjs';

const { values: settings } = parseArgs({ options: { items: { type: 'string', default: '1000000' } } });
const ITEMS = Number(settings.items);
const SECONDS_MAX = 60;
const BATCH = 25;
const WRITERS = 8;

const TABLE = {
  TableName: 'orders',
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  AttributeDefinitions: ['pk', 'customer'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  BillingMode: 'PAY_PER_REQUEST',
  GlobalSecondaryIndexes: [
    {
      IndexName: 'byCustomer',
      KeySchema: [
        { AttributeName: 'customer', KeyType: 'HASH' },
        { AttributeName: 'pk', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'ALL' },
    },
  ],
};
const key = (i) => ({ pk: { S: `order-${i}` } });
const item = (i) => ({ ...key(i), customer: { S: `customer-${i % 1000}` }, body: { S: `${i}:`.padEnd(150, 'x') } });

// Every fourth item is deleted, or replaced and moved in the index, and as many are new.
function changes() {
  const requests = [];
  for (let i = 0; i < ITEMS; i += 8) {
    requests.push({ DeleteRequest: { Key: key(i) } });
    requests.push({ PutRequest: { Item: { ...item(i + 4), customer: { S: 'nobody' }, body: { S: 'changed' } } } });
    requests.push({ PutRequest: { Item: item(ITEMS + i) } });
  }
  return requests;
}

async function writeAll(dynamodb, TableName, requests) {
  let next = 0;
  const writer = async () => {
    while (next < requests.length) {
      const batch = requests.slice(next, (next += BATCH));
      const { UnprocessedItems } = await dynamodb.batchWriteItem({ RequestItems: { [TableName]: batch } });
      assert.deepEqual(UnprocessedItems ?? {}, {});
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
}

// All items are there, each once and as it was.
async function expectAsItWas(dynamodb, input) {
  let count = 0;
  let sum = 0;
  await forEachItem(dynamodb, input, (found) => {
    const i = Number(found.pk.S.slice('order-'.length));
    assert.deepEqual(found, item(i));
    ++count;
    sum += i;
  });
  assert.equal(count, ITEMS);
  assert.equal(sum, (ITEMS * (ITEMS - 1)) / 2);
}

const buckets = temporaryFolder();
const server = await startServer({ data: join(temporaryFolder(), 'data'), options: ['--buckets', buckets] });
const dynamodb = connect(server.endpoint);
const TableName = await importItems(dynamodb, buckets, TABLE, ITEMS, item);
await dynamodb.updateContinuousBackups({
  TableName,
  PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
});
await sleep(1500);
const moment = new Date(Math.floor(Date.now() / 1000) * 1000);
await sleep(1500);
const requests = changes();
await writeAll(dynamodb, TableName, requests);
console.log(`${ITEMS} items, then ${requests.length} changes`);

const begun = performance.now();
await dynamodb.restoreTableToPointInTime({
  SourceTableName: TableName,
  TargetTableName: 'as-it-was',
  RestoreDateTime: moment,
});
const isActive = async () => (await dynamodb.describeTable({ TableName: 'as-it-was' })).Table.TableStatus === 'ACTIVE';
while (!(await isActive())) await sleep(100);
const seconds = (performance.now() - begun) / 1000;
console.log(`restored in ${seconds.toFixed(1)} s`);
assert.ok(seconds < SECONDS_MAX, `${seconds.toFixed(1)} s is over ${SECONDS_MAX} s`);
await expectAsItWas(dynamodb, { TableName: 'as-it-was' });
await expectAsItWas(dynamodb, { TableName: 'as-it-was', IndexName: 'byCustomer' });
console.log('the table and its index are as they were');
await server.kill('SIGTERM');
