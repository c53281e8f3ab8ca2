// DeleteItem: removes one item by its key.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTable, dynamodb, N, refused, S, sameValue } from '../harness/index.mjs';

const TableName = await createTable({ key: 'pk:S' });
const read = async (pk) => (await dynamodb.getItem({ TableName, Key: { pk: S(pk) }, ConsistentRead: true })).Item;

test('removes the item and can return it', async () => {
  const Item = { pk: S('gone'), value: N(1) };
  await dynamodb.putItem({ TableName, Item });
  const answer = await dynamodb.deleteItem({ TableName, Key: { pk: S('gone') }, ReturnValues: 'ALL_OLD' });
  sameValue(answer.Attributes, Item);
  assert.equal(await read('gone'), undefined);
});

test('succeeds when there is nothing to remove', async () => {
  const answer = await dynamodb.deleteItem({ TableName, Key: { pk: S('never') }, ReturnValues: 'ALL_OLD' });
  assert.equal(answer.Attributes, undefined);
});

test('a failed condition keeps the item and shows it when asked', async () => {
  const Item = { pk: S('kept'), value: N(1) };
  await dynamodb.putItem({ TableName, Item });
  const error = await refused(
    dynamodb.deleteItem({
      TableName,
      Key: { pk: S('kept') },
      ConditionExpression: '#v > :limit',
      ExpressionAttributeNames: { '#v': 'value' },
      ExpressionAttributeValues: { ':limit': N(5) },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
    'ConditionalCheckFailedException',
    'The conditional request failed',
  );
  sameValue(error.Item, Item);
  sameValue(await read('kept'), Item);
});

test('a condition that holds lets it through', async () => {
  await dynamodb.putItem({ TableName, Item: { pk: S('yes'), n: N(1) } });
  await dynamodb.deleteItem({
    TableName,
    Key: { pk: S('yes') },
    ConditionExpression: 'n BETWEEN :low AND :high',
    ExpressionAttributeValues: { ':low': N(1), ':high': N(2) },
  });
  assert.equal(await read('yes'), undefined);
});

for (const ReturnValues of ['ALL_NEW', 'UPDATED_NEW', 'UPDATED_OLD']) {
  test(`refuses ReturnValues ${ReturnValues}`, () =>
    refused(dynamodb.deleteItem({ TableName, Key: { pk: S('a') }, ReturnValues }), 'ValidationException'));
}
