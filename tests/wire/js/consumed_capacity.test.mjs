// ConsumedCapacity: what each operation costs, for the table and its indexes.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import { createTable, dynamodb, N, S, uniqueName } from '../harness/index.mjs';

const TableName = await createTable({
  key: 'pk:S sk:N',
  local: { local: { key: 'pk:S rank:N', projection: 'KEYS_ONLY' } },
  global: { global: { key: 'team:S', projection: ['shown'] } },
});
const ReturnConsumedCapacity = 'INDEXES';
const kilobytes = (count) => S('x'.repeat(count * 1024 - 60));

// An answer's cost as "total [table] {index: units}".
function cost({ ConsumedCapacity }) {
  const used = Array.isArray(ConsumedCapacity) ? ConsumedCapacity[0] : ConsumedCapacity;
  assert.equal(used.TableName, TableName);
  const indexes = { ...used.LocalSecondaryIndexes, ...used.GlobalSecondaryIndexes };
  return [used.CapacityUnits, used.Table.CapacityUnits, Object.fromEntries(Object.entries(indexes).map(([k, v]) => [k, v.CapacityUnits]))];
}
const put = (Item) => dynamodb.putItem({ TableName, Item, ReturnConsumedCapacity });
const update = (Key, UpdateExpression, ExpressionAttributeValues) =>
  dynamodb.updateItem({ TableName, Key, UpdateExpression, ExpressionAttributeValues, ReturnConsumedCapacity });
const fresh = (more) => ({ pk: S(uniqueName('c')), sk: N(1), ...more });

test('NONE and nothing said return nothing, TOTAL only the sum', async () => {
  assert.equal((await dynamodb.putItem({ TableName, Item: fresh() })).ConsumedCapacity, undefined);
  assert.equal((await dynamodb.putItem({ TableName, Item: fresh(), ReturnConsumedCapacity: 'NONE' })).ConsumedCapacity, undefined);
  const { ConsumedCapacity } = await dynamodb.putItem({ TableName, Item: fresh({ team: S('t') }), ReturnConsumedCapacity: 'TOTAL' });
  assert.deepEqual({ ...ConsumedCapacity }, { TableName, CapacityUnits: 2 });
});

test('a write costs a unit a kilobyte of the larger image', async () => {
  const key = fresh();
  assert.deepEqual(cost(await put({ ...key, body: S('small') })), [1, 1, {}]);
  assert.deepEqual(cost(await put({ ...key, body: kilobytes(3) })), [3, 3, {}]);
  assert.deepEqual(cost(await put({ ...key, body: S('small') })), [3, 3, {}], 'the old image was larger');
  assert.deepEqual(cost(await update(key, 'SET a = :a', { ':a': N(1) })), [1, 1, {}]);
  await put({ ...key, body: kilobytes(5) });
  assert.deepEqual(cost(await dynamodb.deleteItem({ TableName, Key: key, ReturnConsumedCapacity })), [5, 5, {}]);
  assert.deepEqual(cost(await dynamodb.deleteItem({ TableName, Key: key, ReturnConsumedCapacity })), [1, 1, {}], 'nothing there');
});

test('an index costs only what changes in it', async () => {
  const key = fresh();
  assert.deepEqual(cost(await put({ ...key, team: S('a'), rank: N(1) })), [3, 1, { local: 1, global: 1 }]);
  assert.deepEqual(cost(await put({ ...key, team: S('a'), rank: N(1) })), [1, 1, {}], 'the same again');
  assert.deepEqual(cost(await update(key, 'SET unseen = :x', { ':x': N(1) })), [1, 1, {}], 'not projected');
  assert.deepEqual(cost(await update(key, 'SET shown = :x', { ':x': N(1) })), [2, 1, { global: 1 }], 'projected in one');
  assert.deepEqual(cost(await update(key, 'SET team = :x', { ':x': S('b') })), [3, 1, { global: 2 }], 'moved');
  assert.deepEqual(cost(await update(key, 'REMOVE team')), [2, 1, { global: 1 }], 'left');
  assert.deepEqual(cost(await dynamodb.deleteItem({ TableName, Key: key, ReturnConsumedCapacity })), [2, 1, { local: 1 }]);
});

const big = { pk: S('reads'), sk: N(1) };
before(async () => {
  await put({ ...big, body: kilobytes(6), team: S('reads'), rank: N(1) });
  for (let i = 2; i <= 9; i++) await put({ ...big, sk: N(i), body: kilobytes(1), rank: N(i) });
});

const gets = [
  [true, big, 2],
  [false, big, 1],
  [true, { ...big, sk: N(2) }, 1],
  [false, { ...big, sk: N(2) }, 0.5],
  [true, { ...big, sk: N(404) }, 1],
  [false, { ...big, sk: N(404) }, 0.5],
];
for (const [ConsistentRead, Key, units] of gets) {
  test(`GetItem of ${JSON.stringify(Key.sk)}, consistent ${ConsistentRead}: ${units}`, async () =>
    assert.deepEqual(cost(await dynamodb.getItem({ TableName, Key, ConsistentRead, ReturnConsumedCapacity })), [units, units, {}]));
}

test('Query adds up sizes, then rounds once', async () => {
  const query = (more) =>
    dynamodb.query({
      TableName,
      KeyConditionExpression: 'pk = :p AND sk > :s',
      ExpressionAttributeValues: { ':p': big.pk, ':s': N(1) },
      ReturnConsumedCapacity,
      ...more,
    });
  assert.deepEqual(cost(await query({ ConsistentRead: true })), [2, 2, {}]);
  assert.deepEqual(cost(await query()), [1, 1, {}]);
  assert.deepEqual(cost(await query({ ProjectionExpression: 'sk' })), [1, 1, {}], 'a projection saves nothing');
  assert.deepEqual(cost(await query({ FilterExpression: 'attribute_exists(absent)' })), [1, 1, {}], 'nor does a filter');
  assert.deepEqual(
    cost(await query({ ExpressionAttributeValues: { ':p': S('nobody'), ':s': N(0) } })),
    [0.5, 0.5, {}],
    'nothing found',
  );
});

test('Query of an index costs what the index stores', async () => {
  const answer = await dynamodb.query({
    TableName,
    IndexName: 'global',
    KeyConditionExpression: 'team = :t',
    ExpressionAttributeValues: { ':t': S('reads') },
    ReturnConsumedCapacity,
  });
  assert.deepEqual(cost(answer), [0.5, 0, { global: 0.5 }]);
});

test('BatchGetItem rounds each item', async () => {
  const Keys = [2, 3, 4, 404].map((sk) => ({ ...big, sk: N(sk) }));
  const read = (ConsistentRead) =>
    dynamodb.batchGetItem({ RequestItems: { [TableName]: { Keys, ConsistentRead } }, ReturnConsumedCapacity });
  assert.deepEqual(cost(await read(false)), [2, 2, {}]);
  assert.deepEqual(cost(await read(true)), [4, 4, {}]);
});

test('BatchWriteItem costs as its writes do', async () => {
  const answer = await dynamodb.batchWriteItem({
    RequestItems: {
      [TableName]: [{ PutRequest: { Item: fresh({ body: kilobytes(2), team: S('x') }) } }, { DeleteRequest: { Key: fresh() } }],
    },
    ReturnConsumedCapacity,
  });
  assert.deepEqual(cost(answer), [4, 3, { global: 1 }]);
});

test('a transaction doubles the table\'s part, not the indexes\'', async () => {
  const Item = fresh({ body: kilobytes(2), team: S('x') });
  const request = {
    ClientRequestToken: randomUUID(),
    TransactItems: [{ Put: { TableName, Item } }],
    ReturnConsumedCapacity,
  };
  const answer = await dynamodb.transactWriteItems(request);
  assert.deepEqual(cost(answer), [5, 4, { global: 1 }]);
  assert.equal(answer.ConsumedCapacity[0].WriteCapacityUnits, 5);
  assert.equal(answer.ConsumedCapacity[0].ReadCapacityUnits, undefined);

  const replay = await dynamodb.transactWriteItems(request);
  assert.deepEqual(cost(replay), [2, 2, {}], 'a replay is charged as reads');
  assert.equal(replay.ConsumedCapacity[0].ReadCapacityUnits, 2);

  const reads = await dynamodb.transactGetItems({
    TransactItems: [{ Get: { TableName, Key: { pk: Item.pk, sk: Item.sk } } }, { Get: { TableName, Key: big } }],
    ReturnConsumedCapacity,
  });
  assert.deepEqual(cost(reads), [6, 6, {}]);
});
