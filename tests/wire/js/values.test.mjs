// What a value may be: sets, empty values, nesting, sizes, names.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { B, createTable, dynamodb, N, refused, S, sameValue } from '../harness/index.mjs';

const TableName = await createTable({ key: 'pk:S' });
const Key = { pk: S('v') };
const put = (value, name = 'value') => dynamodb.putItem({ TableName, Item: { ...Key, [name]: value } });
const read = async (name = 'value') => (await dynamodb.getItem({ TableName, Key, ConsistentRead: true })).Item[name];
const nest = (levels, inner = N(1)) => (levels === 0 ? inner : { L: [nest(levels - 1, inner)] });

const refusals = [
  ['no type', {}],
  ['two types', { S: 'a', N: '1' }],
  ['NULL false', { NULL: false }],
  ['an empty string set', { SS: [] }],
  ['an empty number set', { NS: [] }],
  ['an empty binary set', { BS: [] }],
  ['a repeated string', { SS: ['a', 'b', 'a'] }],
  ['a repeated binary', { BS: [Uint8Array.of(1), Uint8Array.of(1)] }],
  ['a set element that is no number', { NS: ['1', 'x'] }],
  ['a bad value deep inside', { L: [{ M: { a: { SS: ['x', 'x'] } } }] }],
  ['33 levels', nest(33)],
];
for (const [what, value] of refusals) {
  test(`refuses ${what}`, () => refused(put(value), 'ValidationException'));
}

const kept = [
  ['an empty string', S('')],
  ['an empty binary', B()],
  ['an empty list', { L: [] }],
  ['an empty map', { M: {} }],
  ['an empty string in a set', { SS: [''] }],
  ['31 levels', nest(31)],
  ['every kind of character', S('\u0000\t"\\/\u007f é 日本 🗿')],
  ['a map with odd names', { M: { ' ': N(1), 'a.b[0]': N(2), '🗿': N(3) } }],
];
for (const [what, value] of kept) {
  test(`keeps ${what}`, async () => {
    await put(value);
    sameValue(await read(), value);
  });
}

test('an item may have 409,600 bytes and not one more', async () => {
  // "pk" and "v", "value" and the text.
  const room = 409_600 - 'pk'.length - 'v'.length - 'value'.length;
  await put(S('x'.repeat(room)));
  assert.equal((await read()).S.length, room);
  await refused(put(S('x'.repeat(room + 1))), 'ValidationException', 'Item size has exceeded the maximum allowed size');
  assert.equal((await read()).S.length, room);
});

test('sizes count UTF-8 bytes', () => refused(put(S('é'.repeat(204_800))), 'ValidationException'));

test('an update may not grow an item past the limit', async () => {
  await put(S('x'.repeat(300_000)));
  await refused(
    dynamodb.updateItem({
      TableName,
      Key,
      UpdateExpression: 'SET more = :m',
      ExpressionAttributeValues: { ':m': S('y'.repeat(200_000)) },
    }),
    'ValidationException',
    'Item size to update has exceeded the maximum allowed size',
  );
  assert.equal(await read('more'), undefined);
});

test('an attribute name may be long', async () => {
  const name = 'n'.repeat(60_000);
  await put(N(1), name);
  sameValue(await read(name), N(1));
});
