// ItemCollectionMetrics: for tables with local indexes, when asked.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTable, dynamodb, N, S, sameValue } from '../harness/index.mjs';

const withLocal = await createTable({ key: 'pk:S sk:N', local: { byRank: 'pk:S rank:N' } });
const without = await createTable({ key: 'pk:S sk:N' });
const ReturnItemCollectionMetrics = 'SIZE';
const key = { pk: S('p'), sk: N(1) };
const expected = { ItemCollectionKey: { pk: S('p') }, SizeEstimateRangeGB: [0, 1] };

const writes = [
  ['PutItem', (TableName, more) => dynamodb.putItem({ TableName, Item: key, ...more })],
  ['UpdateItem', (TableName, more) => dynamodb.updateItem({ TableName, Key: key, UpdateExpression: 'REMOVE a', ...more })],
  ['DeleteItem', (TableName, more) => dynamodb.deleteItem({ TableName, Key: key, ...more })],
];
for (const [what, write] of writes) {
  test(what, async () => {
    sameValue((await write(withLocal, { ReturnItemCollectionMetrics })).ItemCollectionMetrics, expected);
    assert.equal((await write(withLocal, { ReturnItemCollectionMetrics: 'NONE' })).ItemCollectionMetrics, undefined);
    assert.equal((await write(without, { ReturnItemCollectionMetrics })).ItemCollectionMetrics, undefined);
  });
}

test('BatchWriteItem, by table', async () => {
  const { ItemCollectionMetrics } = await dynamodb.batchWriteItem({
    RequestItems: { [withLocal]: [{ PutRequest: { Item: key } }], [without]: [{ PutRequest: { Item: key } }] },
    ReturnItemCollectionMetrics,
  });
  sameValue(ItemCollectionMetrics, { [withLocal]: [expected] });
});

test('TransactWriteItems, by table', async () => {
  const { ItemCollectionMetrics } = await dynamodb.transactWriteItems({
    TransactItems: [{ Put: { TableName: withLocal, Item: key } }],
    ReturnItemCollectionMetrics,
  });
  sameValue(ItemCollectionMetrics, { [withLocal]: [expected] });
});
