// BatchWriteItem: up to 25 puts and deletes, each on its own.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTable, dynamodb, N, refused, S, sameValue, scanAll } from '../harness/index.mjs';

const first = await createTable({ key: 'pk:S sk:N' });
const second = await createTable({ key: 'id:N' });
const put = (Item) => ({ PutRequest: { Item } });
const remove = (Key) => ({ DeleteRequest: { Key } });
const many = (count, from = 0) => Array.from({ length: count }, (_, i) => put({ pk: S('many'), sk: N(from + i) }));

test('writes and deletes over several tables', async () => {
  await dynamodb.putItem({ TableName: second, Item: { id: N(1) } });
  const answer = await dynamodb.batchWriteItem({
    RequestItems: {
      [first]: [put({ pk: S('a'), sk: N(1), v: S('x') }), put({ pk: S('a'), sk: N(2) })],
      [second]: [remove({ id: N(1) }), put({ id: N(2) }), remove({ id: N(99) })],
    },
  });
  assert.deepEqual(answer.UnprocessedItems, {});
  assert.equal((await scanAll({ TableName: first })).Count, 2);
  sameValue((await scanAll({ TableName: second })).Items, [{ id: N(2) }]);
});

test('takes 25 requests, not 26', async () => {
  await dynamodb.batchWriteItem({ RequestItems: { [first]: many(25) } });
  await refused(dynamodb.batchWriteItem({ RequestItems: { [first]: many(26, 1000) } }), 'ValidationException');
  await refused(
    dynamodb.batchWriteItem({ RequestItems: { [first]: many(20, 1000), [second]: Array.from({ length: 6 }, (_, i) => put({ id: N(i) })) } }),
    'ValidationException',
  );
  assert.equal((await scanAll({ TableName: first, FilterExpression: 'sk >= :n', ExpressionAttributeValues: { ':n': N(1000) } })).Count, 0);
});

const refusals = [
  ['the same item twice', { [first]: [put({ pk: S('d'), sk: N(1) }), put({ pk: S('d'), sk: N('1.0'), v: S('x') })] }],
  ['a put and a delete of one item', { [first]: [put({ pk: S('d'), sk: N(1) }), remove({ pk: S('d'), sk: N(1) })] }],
  ['an empty list', { [first]: [] }],
  ['no tables', {}],
  ['a request that is neither', { [first]: [{}] }],
  ['a request that is both', { [first]: [{ ...put({ pk: S('d'), sk: N(1) }), ...remove({ pk: S('d'), sk: N(2) }) }] }],
  ['an item without its key', { [first]: [put({ pk: S('d') })] }],
  ['a key with more than the key', { [first]: [remove({ pk: S('d'), sk: N(1), v: S('x') })] }],
  ['an item over 400 KB', { [first]: [put({ pk: S('d'), sk: N(1), v: S('x'.repeat(409_600)) })] }],
];
for (const [what, RequestItems] of refusals) {
  test(`refuses ${what}, and writes nothing`, async () => {
    const good = RequestItems[first]?.length ? { ...RequestItems, [second]: [put({ id: N(777) })] } : RequestItems;
    await refused(dynamodb.batchWriteItem({ RequestItems: good }), 'ValidationException');
    assert.equal((await dynamodb.getItem({ TableName: second, Key: { id: N(777) } })).Item, undefined);
  });
}

test('does not know a table that is not there', async () => {
  await refused(
    dynamodb.batchWriteItem({ RequestItems: { [second]: [put({ id: N(778) })], 'no-such-table': [put({ id: N(1) })] } }),
    'ResourceNotFoundException',
  );
  assert.equal((await dynamodb.getItem({ TableName: second, Key: { id: N(778) } })).Item, undefined);
});
