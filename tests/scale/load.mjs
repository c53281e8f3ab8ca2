// Loads many items of 400 bytes, reads some of them back, scans all of them in
// 8 parallel segments and counts; the server must stay within its memory.
//
// usage: load.mjs [--items 1000000] [--concurrency 16]

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { connect } from '../wire/harness/clients.mjs';
import { startServer, temporaryFolder } from '../wire/harness/server.mjs';
import { makeTable } from '../wire/harness/tables.mjs';

const { values: settings } = parseArgs({
  options: { items: { type: 'string', default: '1000000' }, concurrency: { type: 'string', default: '16' } },
});
const ITEMS = Number(settings.items);
const CONCURRENCY = Number(settings.concurrency);
const BATCH = 25;
const ITEM_BYTES = 400;
const PER_PARTITION = 10;
const SEGMENTS = 8;
const RESIDENT_MB_MAX = 600;

const partition = (i) => `customer-${Math.floor(i / PER_PARTITION)}`;
function item(i) {
  const pk = partition(i);
  const sk = String(i % PER_PARTITION);
  const fixed = 'pk'.length + pk.length + 'sk'.length + 2 + 'body'.length;
  const mark = `${i}:`;
  return { pk: { S: pk }, sk: { N: sk }, body: { S: mark.padEnd(ITEM_BYTES - fixed, 'x') } };
}

let peakMb = 0;
function watchMemory(pid) {
  const field = (name) => {
    const found = new RegExp(`${name}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Number(found[1]) / 1024;
  };
  const timer = setInterval(() => (peakMb = Math.max(peakMb, field('VmRSS'))), 200);
  timer.unref();
  return () => {
    clearInterval(timer);
    peakMb = Math.max(peakMb, field('VmHWM'));
  };
}

async function timed(what, count, work) {
  const begun = performance.now();
  const result = await work();
  const seconds = (performance.now() - begun) / 1000;
  console.log(`${what}: ${count} items in ${seconds.toFixed(1)} s, ${Math.round(count / seconds)} a second`);
  return result;
}

async function load(dynamodb, TableName) {
  let next = 0;
  const worker = async () => {
    while (next < ITEMS) {
      const start = next;
      next += BATCH;
      const size = Math.min(BATCH, ITEMS - start);
      let RequestItems = { [TableName]: Array.from({ length: size }, (_, i) => ({ PutRequest: { Item: item(start + i) } })) };
      while (Object.keys(RequestItems).length > 0) {
        ({ UnprocessedItems: RequestItems = {} } = await dynamodb.batchWriteItem({ RequestItems }));
      }
      if (start % 100_000 < BATCH && start > 0) console.log(`  ${start} loaded`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

async function readSample(dynamodb, TableName, count) {
  const step = Math.max(1, Math.floor(ITEMS / count));
  for (let start = 0; start < ITEMS; start += step * 100) {
    const wanted = [];
    for (let i = start; i < Math.min(ITEMS, start + step * 100); i += step) wanted.push(item(i));
    const Keys = wanted.map(({ pk, sk }) => ({ pk, sk }));
    const { Responses } = await dynamodb.batchGetItem({ RequestItems: { [TableName]: { Keys, ConsistentRead: true } } });
    const found = new Map(Responses[TableName].map((one) => [`${one.pk.S}/${one.sk.N}`, one]));
    for (const one of wanted) assert.deepEqual(found.get(`${one.pk.S}/${one.sk.N}`), one);
  }
}

async function scanSegment(dynamodb, TableName, Segment) {
  let count = 0;
  let sum = 0;
  let ExclusiveStartKey;
  do {
    const page = await dynamodb.scan({
      TableName,
      Segment,
      TotalSegments: SEGMENTS,
      ExclusiveStartKey,
      ProjectionExpression: 'pk, sk',
    });
    count += page.Count;
    for (const { pk, sk } of page.Items) sum += Number(pk.S.slice('customer-'.length)) * PER_PARTITION + Number(sk.N);
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return { count, sum };
}

const server = await startServer({ data: join(temporaryFolder(), 'data') });
const stopWatching = watchMemory(server.pid);
const dynamodb = connect(server.endpoint);
const TableName = await makeTable(dynamodb, { key: 'pk:S sk:N' });

await timed('load', ITEMS, () => load(dynamodb, TableName));
const sample = Math.min(ITEMS, 10_000);
await timed('read back', sample, () => readSample(dynamodb, TableName, sample));
const segments = await timed('scan', ITEMS, () =>
  Promise.all(Array.from({ length: SEGMENTS }, (_, Segment) => scanSegment(dynamodb, TableName, Segment))),
);

const counts = segments.map(({ count }) => count);
console.log(`segments: ${counts.join(' ')}`);
assert.equal(counts.reduce((total, count) => total + count), ITEMS, 'items counted');
// Each item once: their numbers add up to what 0 … n-1 add up to.
assert.equal(segments.reduce((total, { sum }) => total + sum, 0), (ITEMS * (ITEMS - 1)) / 2, 'the right items');
for (const count of counts) {
  assert.ok(count > (ITEMS / SEGMENTS) * 0.8 && count < (ITEMS / SEGMENTS) * 1.2, `segments are uneven: ${counts}`);
}
stopWatching();
console.log(`resident memory at most ${Math.round(peakMb)} MB`);
assert.ok(peakMb < RESIDENT_MB_MAX, `${Math.round(peakMb)} MB is over ${RESIDENT_MB_MAX} MB`);
await server.kill('SIGTERM');
