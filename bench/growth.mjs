// Taula alone, with few and with many items: are its rates, its memory and the cost of a page the same? A server for
// each size, so that the sizes take turns in the rounds and whatever else the machine does hits all alike.

import { join } from 'node:path';
import { durable } from './contestants/taula.mjs';
import { EVENTS_PER_BATCH, TABLES, digits, event, eventKey, randomSequence } from './dataset.mjs';
import { Database } from './entrants/database.mjs';
import { machineFacts } from './machine.mjs';
import { newestEvents, QUERY_LIMIT } from './operations.mjs';
import { peakResidentBytes } from './process_stats.mjs';
import { progress } from './progress.mjs';
import { quiet } from './quiet.mjs';
import { openConnection } from './raw_connection.mjs';
import { requestText } from './request_text.mjs';
import { createTable } from './sdk.mjs';
import { summarize } from './statistics.mjs';
import { runWrk, writeRequests } from './wrk.mjs';

const BATCH = 25;
const LOADING_CONNECTIONS = 16;
const HOT_KEYS = 4000;
const QUIET_SECONDS_MAX = 120;
const LARGE_PARTITION = 1_000_000;
const LARGE_PARTITION_KEY = { S: 'BATCH#large' };
const LARGE_TABLE = TABLES.bulk;

// Millions of items: the SDK would take most of an hour, so the same requests are written by hand.
async function load(port, TableName, first, end, makeItem) {
  let next = first;
  const worker = async () => {
    const connection = await openConnection(port);
    while (next < end) {
      const start = next;
      next = Math.min(end, start + BATCH);
      const puts = Array.from({ length: next - start }, (_, i) => ({ PutRequest: { Item: makeItem(start + i) } }));
      const text = requestText('BatchWriteItem', JSON.stringify({ RequestItems: { [TableName]: puts } }));
      const { status, body } = await connection.send(text);
      const said = body.toString('utf8');
      if (status !== 200 || !said.includes('"UnprocessedItems":{}'))
        throw new Error(`BatchWriteItem: ${status} ${said}`);
      if (start % 500_000 < BATCH && start > first) progress(`  ${start} items`);
    }
    connection.close();
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: LOADING_CONNECTIONS }, worker));
  return (end - first) / ((performance.now() - begun) / 1000);
}

const sortKeyBefore = (TableName, pk, before) => ({
  TableName,
  KeyConditionExpression: 'PK = :pk AND SK < :before',
  ExpressionAttributeValues: { ':pk': pk, ':before': { S: `EVENT#${before}` } },
  ScanIndexForward: false,
  Limit: QUERY_LIMIT,
});

// "hot": some thousand keys from all over the table. "any": a random key of the whole table each time.
function reads(items) {
  const random = randomSequence(11);
  const hot = (make) => Array.from({ length: HOT_KEYS }, () => make(random(items)));
  const anyKey = { PK: { S: 'BATCH#@batch-no@' }, SK: { S: 'EVENT#@event-no@' } };
  return [
    {
      id: 'get-hot',
      name: 'GetItem, 4 000 keys',
      operation: 'GetItem',
      requests: hot((n) => ({ TableName: TABLES.main, Key: eventKey(n) })),
    },
    {
      id: 'get-any',
      name: 'GetItem, any key',
      operation: 'GetItem',
      requests: [{ TableName: TABLES.main, Key: anyKey }],
    },
    {
      id: 'query-hot',
      name: 'Query of 20, 4 000 keys',
      operation: 'Query',
      requests: hot((n) => newestEvents(eventKey(n).PK)),
    },
    { id: 'query-any', name: 'Query of 20, any key', operation: 'Query', requests: [newestEvents(anyKey.PK)] },
  ];
}

// Pages from anywhere in partitions of 100 items, and in one of a million.
function pages(items, largeItems) {
  const random = randomSequence(13);
  const many = (make) => Array.from({ length: HOT_KEYS }, make);
  const somewhere = (size) => digits(QUERY_LIMIT + random(size - QUERY_LIMIT));
  return [
    {
      id: 'page-small',
      name: `partitions of ${EVENTS_PER_BATCH}`,
      operation: 'Query',
      requests: many(() => sortKeyBefore(TABLES.main, eventKey(random(items)).PK, somewhere(EVENTS_PER_BATCH))),
    },
    {
      id: 'page-large',
      name: `a partition of ${largeItems}`,
      operation: 'Query',
      requests: many(() => sortKeyBefore(LARGE_TABLE, LARGE_PARTITION_KEY, somewhere(largeItems))),
    },
    {
      id: 'page-large-newest',
      name: `the newest of a partition of ${largeItems}`,
      operation: 'Query',
      requests: many(() => sortKeyBefore(LARGE_TABLE, LARGE_PARTITION_KEY, digits(largeItems))),
    },
  ];
}

// Alternating rounds of several readings, each of its own server or kind.
async function measureAll(readings, { connections: [connections], rounds, seconds }) {
  const prepared = readings.map(({ database, kind }) => {
    const file = join(database.folder, `${kind.id}.requests`);
    writeRequests(
      file,
      kind.requests.map((request) => requestText(kind.operation, JSON.stringify(request))),
    );
    const events = [database.items, EVENTS_PER_BATCH];
    const load = () => ({ port: database.port, file, sequence: ++database.sequence, connections, seconds, events });
    return { database, kind, load, results: [] };
  });
  for (let round = 0; round <= rounds; round++) {
    for (const { database, kind, load, results } of prepared) {
      const result = await database.metered(() => runWrk(load()));
      if (result.errors) throw new Error(`${kind.name}: ${result.errors}`);
      if (round > 0) results.push(result); // the first one warms up
    }
  }
  return prepared.map(({ database, kind, results }) => ({
    items: database.items,
    id: kind.id,
    name: kind.name,
    ...summarize(results),
    rounds: results,
  }));
}

async function checkAnItem(database, n) {
  await database.connected(async () => {
    const { Item } = await database.send('GetItem', { TableName: TABLES.main, Key: eventKey(n) });
    if (JSON.stringify(Item?.notes) !== JSON.stringify(event(n).notes))
      throw new Error(`item ${n} is not what was written`);
  });
}

async function loadedDatabase(items, { cacheSize, out }) {
  progress(`loading ${items} items`);
  const folder = join(out, 'servers', `taula-${items}`);
  const database = await Database.start(durable, { folder, options: ['--cache-size', cacheSize] });
  database.items = items;
  await createTable(database.client, TABLES.main);
  database.loadRate = await load(database.port, TABLES.main, 0, items, event);
  await checkAnItem(database, items - 1);
  return database;
}

async function loadLargePartition(database, items) {
  progress(`loading a partition of ${items} items`);
  await createTable(database.client, LARGE_TABLE);
  const key = (n) => ({ PK: LARGE_PARTITION_KEY, SK: { S: `EVENT#${digits(n)}` } });
  await load(database.port, LARGE_TABLE, 0, items, (n) => event(n, key(n)));
}

export async function measureGrowth(settings) {
  const databases = [];
  try {
    for (const items of settings.sizes) databases.push(await loadedDatabase(items, settings));
    await quiet(databases, QUIET_SECONDS_MAX);
    const kinds = databases.map((database) => reads(database.items));
    const readings = kinds[0].flatMap((_, i) => databases.map((database, j) => ({ database, kind: kinds[j][i] })));
    progress(`reading: ${settings.rounds} rounds`);
    const measured = await measureAll(readings, settings);
    const steps = databases.map((database) => ({
      items: database.items,
      loadRate: database.loadRate,
      idleBytes: database.idleBytes,
      residentBytes: database.residentBytes(),
      peakBytes: peakResidentBytes(database.server.pid),
      measured: measured.filter(({ items }) => items === database.items),
    }));

    const largest = databases.at(-1);
    const largeItems = Math.min(LARGE_PARTITION, largest.items);
    await loadLargePartition(largest, largeItems);
    await quiet(databases, QUIET_SECONDS_MAX);
    progress('reading pages of partitions');
    const partitionReadings = pages(largest.items, largeItems).map((kind) => ({ database: largest, kind }));
    const partitions = await measureAll(partitionReadings, settings);

    const { connections, rounds, seconds, cacheSize, sizes, out } = settings;
    return {
      machine: machineFacts(out),
      settings: { connections, rounds, seconds, items: sizes, cacheSize },
      contestants: [{ name: durable.name, version: durable.version(), note: durable.note }],
      steps,
      partitions,
    };
  } finally {
    for (const database of databases) await database.stop();
  }
}
