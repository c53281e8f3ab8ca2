// Many items whose time to live has ended, all at once: they go, the others
// stay, and whoever reads another table meanwhile hardly notices.
//
// usage: expiry.mjs [--items 1000000]

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { connect } from '../wire/harness/clients.mjs';
import { startServer, temporaryFolder } from '../wire/harness/server.mjs';
import { makeTable, tableInput } from '../wire/harness/tables.mjs';
import { forEachItem, importItems } from './import_items.mjs';

const { values: settings } = parseArgs({ options: { items: { type: 'string', default: '1000000' } } });
const ITEMS = Number(settings.items);
const KEPT_EVERY = 10; // of these one has its time still before it
const READERS = 8;
const SLOWER_MAX = 0.7;
const SECONDS_MAX = 120;

const nowSeconds = Math.floor(Date.now() / 1000);
const isKept = (i) => i % KEPT_EVERY === 0;
const item = (i) => ({
  pk: { S: `session-${i}` },
  expires: { N: String(isKept(i) ? nowSeconds + 86_400 : nowSeconds - 3600) },
  body: { S: `${i}:`.padEnd(120, 'x') },
});

// Reads until told to stop; returns how many reads a second there were.
function readAllTheTime(dynamodb, TableName) {
  let reading = true;
  let reads = 0;
  const begun = performance.now();
  const reader = async () => {
    while (reading) {
      await dynamodb.getItem({ TableName, Key: { pk: { S: 'one' } } });
      ++reads;
    }
  };
  const readers = Array.from({ length: READERS }, reader);
  return async () => {
    reading = false;
    await Promise.all(readers);
    return reads / ((performance.now() - begun) / 1000);
  };
}

const buckets = temporaryFolder();
const server = await startServer({ data: join(temporaryFolder(), 'data'), options: ['--buckets', buckets] });
const dynamodb = connect(server.endpoint);
const TableName = await importItems(dynamodb, buckets, tableInput({ name: 'sessions', key: 'pk:S' }), ITEMS, item);
const other = await makeTable(dynamodb, { key: 'pk:S' });
await dynamodb.putItem({ TableName: other, Item: { pk: { S: 'one' } } });
console.log(`${ITEMS} items loaded`);

let stop = readAllTheTime(dynamodb, other);
await sleep(5000);
const before = await stop();

const kept = Math.ceil(ITEMS / KEPT_EVERY);
const begun = performance.now();
stop = readAllTheTime(dynamodb, other);
await dynamodb.updateTimeToLive({
  TableName,
  TimeToLiveSpecification: { Enabled: true, AttributeName: 'expires' },
});
let left = ITEMS;
while (left > kept) {
  const seconds = (performance.now() - begun) / 1000;
  assert.ok(seconds < SECONDS_MAX, `${left - kept} expired items are still there after ${SECONDS_MAX} s`);
  await sleep(500);
  left = (await dynamodb.describeTable({ TableName })).Table.ItemCount;
}
const seconds = (performance.now() - begun) / 1000;
const meanwhile = await stop();
console.log(`${ITEMS - kept} items expired in ${seconds.toFixed(1)} s`);
console.log(`reads of another table: ${Math.round(before)} a second before, ${Math.round(meanwhile)} meanwhile`);
assert.ok(meanwhile > before * SLOWER_MAX, 'reads of another table slowed down');

const found = new Set();
await forEachItem(dynamodb, { TableName, ProjectionExpression: 'pk' }, ({ pk }) => found.add(pk.S));
assert.equal(found.size, kept);
for (let i = 0; i < ITEMS; i += KEPT_EVERY) assert.ok(found.has(`session-${i}`), `item ${i} is missing`);
await server.kill('SIGTERM');
