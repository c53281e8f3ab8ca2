// UpdateItem: ReturnValues, upserts, conditions. The language of its
// expressions is in update_expression.test.mjs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTable, dynamodb, N, refused, S, sameValue, uniqueName } from '../harness/index.mjs';

const TableName = await createTable({ key: 'pk:S' });
const read = async (pk) => (await dynamodb.getItem({ TableName, Key: { pk }, ConsistentRead: true })).Item;

async function given(attributes) {
  const pk = S(uniqueName('item'));
  await dynamodb.putItem({ TableName, Item: { pk, ...attributes } });
  return pk;
}

const returns = [
  ['NONE', () => undefined],
  ['ALL_OLD', (pk) => ({ pk, a: N(1), b: S('b'), gone: S('g') })],
  ['ALL_NEW', (pk) => ({ pk, a: N(2), b: S('b'), fresh: S('f') })],
  ['UPDATED_OLD', () => ({ a: N(1), gone: S('g') })],
  ['UPDATED_NEW', () => ({ a: N(2), fresh: S('f') })],
];
for (const [ReturnValues, expected] of returns) {
  test(`ReturnValues ${ReturnValues}`, async () => {
    const pk = await given({ a: N(1), b: S('b'), gone: S('g') });
    const answer = await dynamodb.updateItem({
      TableName,
      Key: { pk },
      UpdateExpression: 'SET a = :a, fresh = :f REMOVE gone',
      ExpressionAttributeValues: { ':a': N(2), ':f': S('f') },
      ReturnValues,
    });
    sameValue(answer.Attributes, expected(pk));
    sameValue(await read(pk), { pk, a: N(2), b: S('b'), fresh: S('f') });
  });
}

test('UPDATED_NEW shows only the touched part of a map', async () => {
  const pk = await given({ map: { M: { x: N(1), y: N(2) } } });
  const answer = await dynamodb.updateItem({
    TableName,
    Key: { pk },
    UpdateExpression: 'SET #m.x = :x',
    ExpressionAttributeNames: { '#m': 'map' },
    ExpressionAttributeValues: { ':x': N(5) },
    ReturnValues: 'UPDATED_NEW',
  });
  sameValue(answer.Attributes, { map: { M: { x: N(5) } } });
});

test('creates an item that is not there', async () => {
  const pk = S('created');
  await dynamodb.updateItem({
    TableName,
    Key: { pk },
    UpdateExpression: 'SET a = :a',
    ExpressionAttributeValues: { ':a': N(1) },
  });
  sameValue(await read(pk), { pk, a: N(1) });
});

test('without an expression writes the bare key', async () => {
  const pk = S('bare');
  await dynamodb.updateItem({ TableName, Key: { pk } });
  sameValue(await read(pk), { pk });
});

test('a failed condition changes nothing', async () => {
  const pk = await given({ a: N(1) });
  const error = await refused(
    dynamodb.updateItem({
      TableName,
      Key: { pk },
      UpdateExpression: 'SET a = :two',
      ConditionExpression: 'a = :three',
      ExpressionAttributeValues: { ':two': N(2), ':three': N(3) },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
    'ConditionalCheckFailedException',
    'The conditional request failed',
  );
  sameValue(error.Item, { pk, a: N(1) });
  sameValue(await read(pk), { pk, a: N(1) });
});

test('a condition on a missing item sees an empty one', async () => {
  const attempt = (ConditionExpression, pk) =>
    dynamodb.updateItem({ TableName, Key: { pk: S(pk) }, ConditionExpression });
  await refused(attempt('attribute_exists(pk)', 'not-made'), 'ConditionalCheckFailedException');
  assert.equal(await read(S('not-made')), undefined);
  await attempt('attribute_not_exists(pk)', 'made');
  sameValue(await read(S('made')), { pk: S('made') });
});

test('refuses to change a key attribute', async () => {
  const pk = await given({});
  await refused(
    dynamodb.updateItem({
      TableName,
      Key: { pk },
      UpdateExpression: 'SET pk = :x',
      ExpressionAttributeValues: { ':x': S('other') },
    }),
    'ValidationException',
    'One or more parameter values were invalid: Cannot update attribute pk. This attribute is part of the key',
  );
});

test('concurrent increments all count', async () => {
  const pk = await given({ n: N(0) });
  await Promise.all(
    Array.from({ length: 100 }, () =>
      dynamodb.updateItem({
        TableName,
        Key: { pk },
        UpdateExpression: 'ADD n :one',
        ExpressionAttributeValues: { ':one': N(1) },
      }),
    ),
  );
  sameValue((await read(pk)).n, N(100));
});
