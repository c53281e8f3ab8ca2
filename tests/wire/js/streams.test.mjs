// DynamoDB Streams.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTable, dynamodb, N, refused, S, streams } from '../harness/index.mjs';

async function streamed(StreamViewType = 'NEW_AND_OLD_IMAGES', more = {}) {
  const TableName = await createTable({ ...more, StreamSpecification: { StreamEnabled: true, StreamViewType } });
  return { TableName, StreamArn: await arnOf(TableName) };
}

const arnOf = async (TableName) => (await dynamodb.describeTable({ TableName })).Table.LatestStreamArn;
const describe = async (StreamArn, more = {}) =>
  (await streams.describeStream({ StreamArn, ...more })).StreamDescription;

const begin = async (StreamArn, ShardId, ShardIteratorType = 'TRIM_HORIZON', SequenceNumber) =>
  (await streams.getShardIterator({ StreamArn, ShardId, ShardIteratorType, SequenceNumber })).ShardIterator;

// All records of all shards: those of one shard in their order.
async function read(StreamArn) {
  const records = [];
  for (const { ShardId } of (await describe(StreamArn)).Shards) {
    let ShardIterator = await begin(StreamArn, ShardId);
    while (ShardIterator) {
      const page = await streams.getRecords({ ShardIterator });
      records.push(...page.Records);
      if (page.Records.length === 0) break;
      ShardIterator = page.NextShardIterator;
    }
  }
  return records;
}

const put = (TableName, pk, more = {}) => dynamodb.putItem({ TableName, Item: { pk: S(pk), ...more } });
const remove = (TableName, pk) => dynamodb.deleteItem({ TableName, Key: { pk: S(pk) } });

test('a record is as Amazon writes it', async () => {
  const { TableName, StreamArn } = await streamed();
  await put(TableName, 'a', { total: N(10) });
  const [record, ...others] = await read(StreamArn);
  assert.equal(others.length, 0);
  assert.match(record.eventID, /^[0-9a-f]{32}$/);
  assert.equal(record.eventName, 'INSERT');
  assert.equal(record.eventVersion, '1.1');
  assert.equal(record.eventSource, 'aws:dynamodb');
  assert.equal(record.awsRegion, 'us-east-1');
  assert.equal(record.userIdentity, undefined);
  const { ApproximateCreationDateTime, SequenceNumber, ...change } = record.dynamodb;
  assert.ok(Math.abs(ApproximateCreationDateTime - Date.now()) < 5000);
  assert.equal(ApproximateCreationDateTime.getMilliseconds(), 0);
  assert.match(SequenceNumber, /^\d{21,40}$/);
  assert.deepEqual(change, {
    Keys: { pk: S('a') },
    NewImage: { pk: S('a'), total: N(10) },
    SizeBytes: 3 + 3 + 7,
    StreamViewType: 'NEW_AND_OLD_IMAGES',
  });
  assert.deepEqual(await read(StreamArn), [record], 'the same when it is read again');
});

for (const [view, expected] of [
  ['KEYS_ONLY', [[], [], []]],
  ['NEW_IMAGE', [['NewImage'], ['NewImage'], []]],
  ['OLD_IMAGE', [[], ['OldImage'], ['OldImage']]],
  ['NEW_AND_OLD_IMAGES', [['NewImage'], ['NewImage', 'OldImage'], ['OldImage']]],
]) {
  test(`the images of ${view}`, async () => {
    const { TableName, StreamArn } = await streamed(view);
    await put(TableName, 'a', { total: N(10) });
    await put(TableName, 'a', { total: N(20) });
    await remove(TableName, 'a');
    const records = await read(StreamArn);
    assert.deepEqual(records.map((record) => record.eventName), ['INSERT', 'MODIFY', 'REMOVE']);
    assert.deepEqual(records.map(({ dynamodb: { NewImage, OldImage } }) => [
      ...(NewImage ? ['NewImage'] : []), ...(OldImage ? ['OldImage'] : []),
    ]), expected);
    for (const record of records) assert.deepEqual(record.dynamodb.Keys, { pk: S('a') });
  });
}

test('what changes nothing leaves nothing', async () => {
  const { TableName, StreamArn } = await streamed();
  await put(TableName, 'a');
  await put(TableName, 'a');
  await remove(TableName, 'b');
  await dynamodb.updateItem({ TableName, Key: { pk: S('a') } });
  await refused(
    dynamodb.putItem({ TableName, Item: { pk: S('a'), x: N(1) }, ConditionExpression: 'attribute_not_exists(pk)' }),
    'ConditionalCheckFailedException',
  );
  assert.equal((await read(StreamArn)).length, 1);
});

test('batches and transactions leave a record for each item', async () => {
  const { TableName, StreamArn } = await streamed();
  await dynamodb.batchWriteItem({
    RequestItems: { [TableName]: ['a', 'b', 'c'].map((pk) => ({ PutRequest: { Item: { pk: S(pk) } } })) },
  });
  await dynamodb.transactWriteItems({
    TransactItems: [
      { Put: { TableName, Item: { pk: S('d') } } },
      { Delete: { TableName, Key: { pk: S('a') } } },
      { ConditionCheck: { TableName, Key: { pk: S('b') }, ConditionExpression: 'attribute_exists(pk)' } },
    ],
  });
  const seen = (await read(StreamArn)).map((record) => `${record.eventName} ${record.dynamodb.Keys.pk.S}`).sort();
  assert.deepEqual(seen, ['INSERT a', 'INSERT b', 'INSERT c', 'INSERT d', 'REMOVE a']);
});

test('the changes of an item stay in one shard and in their order, under load', async () => {
  const { TableName, StreamArn } = await streamed('NEW_IMAGE');
  const items = 32;
  const changes = 20;
  await Promise.all(Array.from({ length: items }, async (_, item) => {
    for (let change = 1; change <= changes; ++change) {
      await dynamodb.updateItem({
        TableName,
        Key: { pk: S(`item${item}`) },
        UpdateExpression: 'ADD changes :one',
        ExpressionAttributeValues: { ':one': N(1) },
      });
    }
  }));
  const next = {};
  const records = await read(StreamArn);
  assert.equal(records.length, items * changes);
  for (const { dynamodb: { NewImage } } of records) {
    next[NewImage.pk.S] = (next[NewImage.pk.S] ?? 0) + 1;
    assert.equal(NewImage.changes.N, String(next[NewImage.pk.S]));
  }
  assert.equal(new Set(records.map((record) => record.eventID)).size, records.length);
  assert.ok((await describe(StreamArn)).Shards.length > 1);
});

test('iterators begin where they are asked to', async () => {
  const { TableName, StreamArn } = await streamed('NEW_IMAGE');
  for (let total = 1; total <= 3; ++total) await put(TableName, 'a', { total: N(total) });
  const all = await read(StreamArn);
  const middle = all[1].dynamodb.SequenceNumber;
  const totals = async (ShardIterator, Limit) => {
    const { Records, NextShardIterator } = await streams.getRecords({ ShardIterator, Limit });
    return [Records.map(({ dynamodb: { NewImage } }) => NewImage.total.N).join(), NextShardIterator];
  };
  let shard;
  for (const { ShardId } of (await describe(StreamArn)).Shards) {
    if ((await totals(await begin(StreamArn, ShardId)))[0] !== '') shard = ShardId;
  }
  assert.equal((await totals(await begin(StreamArn, shard, 'AT_SEQUENCE_NUMBER', middle)))[0], '2,3');
  assert.equal((await totals(await begin(StreamArn, shard, 'AFTER_SEQUENCE_NUMBER', middle)))[0], '3');
  const [first, next] = await totals(await begin(StreamArn, shard), 2);
  assert.equal(first, '1,2');
  assert.equal((await totals(next, 2))[0], '3');
  const latest = await begin(StreamArn, shard, 'LATEST');
  assert.equal((await totals(latest))[0], '');
  await put(TableName, 'a', { total: N(4) });
  assert.equal((await totals(latest))[0], '4');
});

test('streams are listed and described', async () => {
  const { TableName, StreamArn } = await streamed('OLD_IMAGE', { key: 'pk:S sk:N' });
  const { Streams, LastEvaluatedStreamArn } = await streams.listStreams({ TableName });
  assert.equal(LastEvaluatedStreamArn, undefined);
  const StreamLabel = StreamArn.slice(StreamArn.lastIndexOf('/') + 1);
  assert.deepEqual(Streams, [{ StreamArn, TableName, StreamLabel }]);
  const { Shards, CreationRequestDateTime, ...rest } = await describe(StreamArn);
  assert.ok(Math.abs(CreationRequestDateTime - Date.now()) < 60_000);
  assert.deepEqual(rest, {
    StreamArn,
    StreamLabel,
    StreamStatus: 'ENABLED',
    StreamViewType: 'OLD_IMAGE',
    TableName,
    KeySchema: (await dynamodb.describeTable({ TableName })).Table.KeySchema,
  });
  for (const { ShardId, SequenceNumberRange, ParentShardId } of Shards) {
    assert.match(ShardId, /^shardId-\d{20}-[0-9a-f]{8}$/);
    assert.match(SequenceNumberRange.StartingSequenceNumber, /^\d{21,40}$/);
    assert.equal(SequenceNumberRange.EndingSequenceNumber, undefined);
    assert.equal(ParentShardId, undefined);
  }
});

test('lists come in pages', async () => {
  const { StreamArn } = await streamed();
  await streamed();
  const arns = [];
  let ExclusiveStartStreamArn;
  do {
    const page = await streams.listStreams({ Limit: 1, ExclusiveStartStreamArn });
    assert.ok(page.Streams.length <= 1);
    arns.push(...page.Streams.map((stream) => stream.StreamArn));
    ExclusiveStartStreamArn = page.LastEvaluatedStreamArn;
  } while (ExclusiveStartStreamArn);
  assert.equal(new Set(arns).size, arns.length);
  assert.ok(arns.includes(StreamArn));
  const shards = [];
  let ExclusiveStartShardId;
  do {
    const page = await describe(StreamArn, { Limit: 1, ExclusiveStartShardId });
    shards.push(...page.Shards.map((shard) => shard.ShardId));
    ExclusiveStartShardId = page.LastEvaluatedShardId;
  } while (ExclusiveStartShardId);
  assert.deepEqual(shards, (await describe(StreamArn)).Shards.map((shard) => shard.ShardId));
});

test('a stream is turned off, read to its end, and turned on as another', async () => {
  const { TableName, StreamArn } = await streamed();
  await put(TableName, 'a');
  await dynamodb.updateTable({ TableName, StreamSpecification: { StreamEnabled: false } });
  while ((await describe(StreamArn)).StreamStatus !== 'DISABLED') await sleep(10);
  await put(TableName, 'b');
  let found = 0;
  for (const { ShardId, SequenceNumberRange } of (await describe(StreamArn)).Shards) {
    assert.ok(SequenceNumberRange.EndingSequenceNumber);
    const page = await streams.getRecords({ ShardIterator: await begin(StreamArn, ShardId) });
    assert.equal(page.NextShardIterator, undefined);
    found += page.Records.length;
  }
  assert.equal(found, 1);
  await dynamodb.updateTable({
    TableName,
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
  });
  const again = await arnOf(TableName);
  assert.notEqual(again, StreamArn);
  await put(TableName, 'c');
  assert.deepEqual((await read(again)).map((record) => record.dynamodb.Keys.pk.S), ['c']);
  assert.equal((await streams.listStreams({ TableName })).Streams.length, 2);
  await refused(
    dynamodb.updateTable({ TableName, StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' } }),
    'ValidationException',
    `Table already has an enabled stream: TableName: ${TableName}`,
  );
});

test('a stream outlives its table', async () => {
  const { TableName, StreamArn } = await streamed();
  await put(TableName, 'a');
  await dynamodb.deleteTable({ TableName });
  while ((await describe(StreamArn)).StreamStatus !== 'DISABLED') await sleep(10);
  assert.equal((await read(StreamArn)).length, 1);
});

test('what the time to live removes is marked', async () => {
  const { TableName, StreamArn } = await streamed();
  await dynamodb.updateTimeToLive({ TableName, TimeToLiveSpecification: { Enabled: true, AttributeName: 'expires' } });
  await put(TableName, 'a', { expires: N(Math.floor(Date.now() / 1000) - 5) });
  let records = [];
  for (let tries = 0; tries < 100 && records.length < 2; ++tries) {
    await sleep(100);
    records = await read(StreamArn);
  }
  assert.deepEqual(records.map((record) => record.eventName), ['INSERT', 'REMOVE']);
  assert.deepEqual(records[1].userIdentity, { PrincipalId: 'dynamodb.amazonaws.com', Type: 'Service' });
  assert.equal(records[0].userIdentity, undefined);
});

test('indexes do not show in a stream', async () => {
  const { TableName, StreamArn } = await streamed('NEW_AND_OLD_IMAGES', {
    global: { byOwner: 'owner:S' },
  });
  await put(TableName, 'a', { owner: S('x') });
  await put(TableName, 'a', { owner: S('y') });
  assert.equal((await read(StreamArn)).length, 2);
});

test('refuses what it does not know', async () => {
  const { StreamArn } = await streamed();
  const [{ ShardId }] = (await describe(StreamArn)).Shards;
  const other = StreamArn.replace(/\/stream\/.*/, '/stream/2020-01-01T00:00:00.000');
  await refused(describe(other), 'ResourceNotFoundException', `Requested resource not found: Stream: ${other} not found`);
  await refused(begin(StreamArn, 'shardId-00000000000000000000-00000000'), 'ResourceNotFoundException');
  await refused(begin(StreamArn, ShardId, 'SOMEWHERE'), 'ValidationException', /shardIteratorType/);
  await refused(begin(StreamArn, ShardId, 'AT_SEQUENCE_NUMBER'), 'ValidationException', /SequenceNumber/);
  await refused(begin(StreamArn, ShardId, 'AT_SEQUENCE_NUMBER', '1'.repeat(20)), 'ValidationException', /sequenceNumber/);
  await refused(begin(StreamArn, ShardId, 'AT_SEQUENCE_NUMBER', '9'.repeat(21)), 'ValidationException');
  await refused(begin(StreamArn, ShardId, 'LATEST', '1'.repeat(21)), 'ValidationException', /SequenceNumber/);
  await refused(streams.getRecords({ ShardIterator: 'nonsense' }), 'ValidationException', 'Invalid ShardIterator');
  const ShardIterator = await begin(StreamArn, ShardId);
  await refused(streams.getRecords({ ShardIterator, Limit: 1001 }), 'ValidationException', /less than or equal to 1000/);
  await refused(streams.getRecords({ ShardIterator, Limit: 0 }), 'ValidationException', /greater than or equal to 1/);
  await refused(describe('arn'), 'ValidationException', /streamArn/);
});
