// Local secondary indexes: another order within a partition.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createTable, dynamodb, N, putAll, queryAll, refused, S, sameValue } from '../harness/index.mjs';

const TableName = await createTable({
  key: 'pk:S sk:S',
  local: {
    all: { key: 'pk:S rank:N' },
    keys: { key: 'pk:S rank:N', projection: 'KEYS_ONLY' },
    some: { key: 'pk:S mark:S', projection: ['shown'] },
  },
});
const item = (sk, rank, more = {}) => ({ pk: S('p'), sk: S(sk), rank: N(rank), shown: S(`s${sk}`), unseen: S('h'), ...more });
before(() => putAll(TableName, [item('a', 3), item('b', 1), item('c', 2, { mark: S('m') }), { pk: S('p'), sk: S('bare') }]));

const query = (IndexName, more = {}) =>
  queryAll({
    TableName,
    IndexName,
    KeyConditionExpression: 'pk = :p',
    ExpressionAttributeValues: { ':p': S('p') },
    ConsistentRead: true,
    ...more,
  });

test('orders by its own sort key and leaves out items without it', async () => {
  assert.deepEqual((await query('all')).Items.map((found) => found.sk.S), ['b', 'c', 'a']);
  assert.deepEqual((await query('all', { ScanIndexForward: false })).Items.map((found) => found.sk.S), ['a', 'c', 'b']);
});

test('projects ALL', async () => sameValue((await query('all')).Items[0], item('b', 1)));

test('projects KEYS_ONLY', async () => sameValue((await query('keys')).Items[0], { pk: S('p'), sk: S('b'), rank: N(1) }));

test('projects INCLUDE', async () =>
  sameValue((await query('some')).Items, [{ pk: S('p'), sk: S('c'), mark: S('m'), shown: S('sc') }]));

test('fetches from the table what it does not project, when asked', async () => {
  sameValue((await query('keys', { Select: 'ALL_ATTRIBUTES' })).Items[0], item('b', 1));
  sameValue((await query('keys', { ProjectionExpression: 'unseen' })).Items[0], { unseen: S('h') });
});

test('pages with a key of both orders', async () => {
  const { pages, Items } = await query('all', { Limit: 1 });
  sameValue(pages[0].LastEvaluatedKey, { pk: S('p'), rank: N(1), sk: S('b') });
  assert.equal(Items.length, 3);
});

test('items with equal index keys follow the table key', async () => {
  const pk = S('ties');
  await putAll(TableName, ['z', 'x', 'y'].map((sk) => ({ pk, sk: S(sk), rank: N(7) })));
  const { Items } = await query('all', { ExpressionAttributeValues: { ':p': pk }, Limit: 1 });
  assert.deepEqual(Items.map((found) => found.sk.S), ['x', 'y', 'z']);
});

test('follows every write', async () => {
  const Key = { pk: S('moving'), sk: S('x') };
  const places = async () =>
    (await query('all', { ExpressionAttributeValues: { ':p': S('moving') } })).Items.map((found) => found.rank.N);
  const update = (UpdateExpression, rank) =>
    dynamodb.updateItem({
      TableName,
      Key,
      UpdateExpression,
      ExpressionAttributeNames: { '#r': 'rank' },
      ...(rank === undefined ? {} : { ExpressionAttributeValues: { ':r': N(rank) } }),
    });
  await update('SET #r = :r', 1);
  assert.deepEqual(await places(), ['1']);
  await update('SET #r = :r', 2);
  assert.deepEqual(await places(), ['2']);
  await update('REMOVE #r');
  assert.deepEqual(await places(), []);
  await update('ADD #r :r', 5);
  assert.deepEqual(await places(), ['5']);
  await dynamodb.deleteItem({ TableName, Key });
  assert.deepEqual(await places(), []);
});

test('refuses a value of the wrong type for its key', async () => {
  await refused(
    dynamodb.putItem({ TableName, Item: { pk: S('p'), sk: S('wrong'), rank: S('high') } }),
    'ValidationException',
  );
  await refused(
    dynamodb.updateItem({
      TableName,
      Key: { pk: S('p'), sk: S('a') },
      UpdateExpression: 'SET #r = :r',
      ExpressionAttributeNames: { '#r': 'rank' },
      ExpressionAttributeValues: { ':r': S('high') },
    }),
    'ValidationException',
  );
});

test('refuses an empty string as its key', () =>
  refused(dynamodb.putItem({ TableName, Item: { pk: S('p'), sk: S('e'), mark: S('') } }), 'ValidationException'));
