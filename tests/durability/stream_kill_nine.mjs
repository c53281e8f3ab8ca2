// Kills the server with SIGKILL again and again while clients write and others
// read the table's stream. In the end the stream has told every change of every
// item, in its order, none twice and none that did not happen.
//
// usage: stream_kill_nine.mjs [--kills 10] [--records 20000]

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { connect, connectStreams } from '../wire/harness/clients.mjs';
import { startServer, temporaryFolder } from '../wire/harness/server.mjs';
import { makeTable } from '../wire/harness/tables.mjs';

const { values: settings } = parseArgs({
  options: { kills: { type: 'string', default: '10' }, records: { type: 'string', default: '20000' } },
});
const kills = Number(settings.kills);
const wanted = Number(settings.records);
const WRITERS = 24;
const ITEMS_AT_ONCE = 20;

const data = temporaryFolder();
let server = await startServer({ data });
let dynamodb = connect(server.endpoint);
let streams = connectStreams(server.endpoint);
const TableName = await makeTable(dynamodb, {
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
});
const { LatestStreamArn: StreamArn } = (await dynamodb.describeTable({ TableName })).Table;

// Whatever an answer is not for, it is asked again: the server is being killed.
async function patiently(call) {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (error.$fault === 'client') throw error;
      await sleep(20);
    }
  }
}

let written = 0;
let writing = true;

// Each writer has items of its own and gives each its next number, again and
// again: many at a time, and some in transactions. A write that was not answered
// may or may not have happened, so the number is read again.
const acknowledged = new Map();
async function write(writer) {
  const keys = Array.from({ length: ITEMS_AT_ONCE }, (_, i) => `${writer}/${i}`);
  let numbers = new Map(keys.map((key) => [key, 0]));
  while (writing) {
    const Items = keys.map((key) => ({ pk: { S: key }, number: { N: String(numbers.get(key) + 1) } }));
    try {
      if (written % 7 === 0) {
        await dynamodb.transactWriteItems({ TransactItems: Items.map((Item) => ({ Put: { TableName, Item } })) });
      } else {
        const { UnprocessedItems } = await dynamodb.batchWriteItem({
          RequestItems: { [TableName]: Items.map((Item) => ({ PutRequest: { Item } })) },
        });
        assert.deepEqual(UnprocessedItems, {});
      }
      for (const key of keys) {
        numbers.set(key, numbers.get(key) + 1);
        acknowledged.set(key, numbers.get(key));
      }
      written += keys.length;
    } catch (error) {
      if (error.$fault === 'client') throw error;
      numbers = await current(keys);
      for (const key of keys) assert.ok(numbers.get(key) >= (acknowledged.get(key) ?? 0), `${key} lost a write`);
    }
  }
}

async function current(keys) {
  const { Responses } = await patiently(() =>
    dynamodb.batchGetItem({
      RequestItems: { [TableName]: { ConsistentRead: true, Keys: keys.map((key) => ({ pk: { S: key } })) } },
    }),
  );
  const found = new Map(Responses[TableName].map((item) => [item.pk.S, Number(item.number.N)]));
  return new Map(keys.map((key) => [key, found.get(key) ?? 0]));
}

// What the stream has told so far: the last number of each item.
const told = new Map();
let read = 0;
let reading = true;
async function follow(ShardId) {
  let after;
  let ShardIterator;
  for (;;) {
    ShardIterator ??= (
      await patiently(() =>
        streams.getShardIterator({
          StreamArn,
          ShardId,
          ShardIteratorType: after ? 'AFTER_SEQUENCE_NUMBER' : 'TRIM_HORIZON',
          SequenceNumber: after,
        }),
      )
    ).ShardIterator;
    const last = !reading;
    const { Records, NextShardIterator } = await patiently(() => streams.getRecords({ ShardIterator }));
    for (const { dynamodb: { NewImage, SequenceNumber } } of Records) {
      const key = NewImage.pk.S;
      const number = Number(NewImage.number.N);
      assert.equal(number, (told.get(key) ?? 0) + 1, `${key} in the stream`);
      told.set(key, number);
      assert.ok(after === undefined || SequenceNumber > after);
      after = SequenceNumber;
    }
    read += Records.length;
    ShardIterator = NextShardIterator;
    assert.ok(ShardIterator, 'the shard is open');
    if (Records.length === 0) {
      if (last) return;
      await sleep(20);
    }
  }
}

const { Shards } = (await streams.describeStream({ StreamArn })).StreamDescription;
const readers = Shards.map(({ ShardId }) => follow(ShardId));
const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer));
const everybody = Promise.all([...readers, ...writers]);
everybody.catch(() => {});

for (let kill = 1; kill <= kills; ++kill) {
  while (written < (wanted * kill) / (kills + 1)) await Promise.race([everybody, sleep(10)]);
  server.kill('SIGKILL');
  await server.exited;
  const { port } = new URL(server.endpoint);
  server = await startServer({ data, port: Number(port) });
}
while (written < wanted) await Promise.race([everybody, sleep(10)]);
writing = false;
await Promise.all(writers);
reading = false;
await Promise.all(readers);

const keys = [...told.keys()];
assert.equal(keys.length, WRITERS * ITEMS_AT_ONCE);
for (let start = 0; start < keys.length; start += 100) {
  for (const [key, number] of await current(keys.slice(start, start + 100))) {
    assert.equal(told.get(key), number, `${key}: the stream's last change is the item`);
  }
}
console.log(`${read} records in order, none missing, none twice; the server was killed ${kills} times`);
server.kill('SIGKILL');
