// PutItem: writes or replaces one item.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { B, createTable, dynamodb, N, refused, S, sameValue } from '../harness/index.mjs';

const TableName = await createTable({ key: 'pk:S sk:N' });
const key = (pk) => ({ pk: S(pk), sk: N(1) });
const read = async (Key) => (await dynamodb.getItem({ TableName, Key, ConsistentRead: true })).Item;

test('keeps every attribute type as it was sent', async () => {
  const Item = {
    ...key('types'),
    text: S('grüezi 🗿'),
    number: N('-12.5'),
    bytes: B(0, 255, 1),
    yes: { BOOL: true },
    no: { BOOL: false },
    nothing: { NULL: true },
    list: { L: [S('a'), N(1), { L: [] }, { M: {} }] },
    map: { M: { inner: { M: { deep: S('value') } }, 'a.b': N(2) } },
    strings: { SS: ['b', 'a'] },
    numbers: { NS: ['3', '1', '2'] },
    binaries: { BS: [Uint8Array.of(2), Uint8Array.of(1)] },
    emptyText: S(''),
    emptyBytes: B(),
  };
  assert.deepEqual(Object.keys(await dynamodb.putItem({ TableName, Item })), ['$metadata']);
  const sorted = (item) => ({
    ...item,
    strings: { SS: [...item.strings.SS].sort() },
    numbers: { NS: [...item.numbers.NS].sort() },
    binaries: { BS: item.binaries.BS.map((bytes) => Buffer.from(bytes).toString('hex')).sort() },
  });
  sameValue(sorted(await read(key('types'))), sorted(Item));
});

test('replaces the whole item', async () => {
  await dynamodb.putItem({ TableName, Item: { ...key('replace'), a: S('1'), b: S('2') } });
  await dynamodb.putItem({ TableName, Item: { ...key('replace'), c: S('3') } });
  sameValue(await read(key('replace')), { ...key('replace'), c: S('3') });
});

test('ALL_OLD returns what it replaced, and nothing for a new item', async () => {
  const first = { ...key('old'), a: S('1') };
  const created = await dynamodb.putItem({ TableName, Item: first, ReturnValues: 'ALL_OLD' });
  assert.equal(created.Attributes, undefined);
  const replaced = await dynamodb.putItem({ TableName, Item: key('old'), ReturnValues: 'ALL_OLD' });
  sameValue(replaced.Attributes, first);
});

for (const ReturnValues of ['ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW']) {
  test(`refuses ReturnValues ${ReturnValues}`, async () => {
    await refused(dynamodb.putItem({ TableName, Item: key('x'), ReturnValues }), 'ValidationException');
  });
}

test('a condition that fails leaves the item as it was', async () => {
  const Item = { ...key('conditional'), version: N(1) };
  await dynamodb.putItem({ TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' });
  const error = await refused(
    dynamodb.putItem({ TableName, Item: { ...Item, version: N(2) }, ConditionExpression: 'attribute_not_exists(pk)' }),
    'ConditionalCheckFailedException',
    'The conditional request failed',
  );
  assert.equal(error.Item, undefined);
  sameValue(await read(key('conditional')), Item);
});

test('a failed condition returns the item when asked to', async () => {
  const Item = { ...key('shown'), version: N(1) };
  await dynamodb.putItem({ TableName, Item });
  const error = await refused(
    dynamodb.putItem({
      TableName,
      Item: key('shown'),
      ConditionExpression: 'version = :v',
      ExpressionAttributeValues: { ':v': N(9) },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
    'ConditionalCheckFailedException',
  );
  sameValue(error.Item, Item);
});

test('a failed condition on a missing item has no item to return', async () => {
  const error = await refused(
    dynamodb.putItem({
      TableName,
      Item: key('absent'),
      ConditionExpression: 'attribute_exists(pk)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
    'ConditionalCheckFailedException',
  );
  assert.equal(error.Item, undefined);
  assert.equal(await read(key('absent')), undefined);
});

const badKeys = [
  ['no sort key', { pk: S('a') }],
  ['no key at all', { other: S('a') }],
  ['a partition key of the wrong type', { pk: N(1), sk: N(1) }],
  ['a sort key of the wrong type', { pk: S('a'), sk: S('1') }],
  ['a set as a key', { pk: { SS: ['a'] }, sk: N(1) }],
  ['an empty partition key', { pk: S(''), sk: N(1) }],
  ['a partition key over 2048 bytes', { pk: S('p'.repeat(2049)), sk: N(1) }],
];
for (const [what, Item] of badKeys) {
  test(`refuses ${what}`, () => refused(dynamodb.putItem({ TableName, Item }), 'ValidationException'));
}

test('accepts a partition key of 2048 bytes', async () => {
  const Item = key('p'.repeat(2048));
  await dynamodb.putItem({ TableName, Item });
  sameValue(await read(Item), Item);
});

test('does not know a table that is not there', async () => {
  await refused(
    dynamodb.putItem({ TableName: 'no-such-table', Item: key('a') }),
    'ResourceNotFoundException',
    'Requested resource not found',
  );
});

test('one of many racing conditional puts wins', async () => {
  const attempts = Array.from({ length: 20 }, (_, who) =>
    dynamodb
      .putItem({ TableName, Item: { ...key('race'), who: N(who) }, ConditionExpression: 'attribute_not_exists(pk)' })
      .then(() => who, () => undefined),
  );
  const winners = (await Promise.all(attempts)).filter((who) => who !== undefined);
  assert.equal(winners.length, 1);
  sameValue((await read(key('race'))).who, N(winners[0]));
});
