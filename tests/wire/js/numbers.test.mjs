// Numbers: 38 digits exact in storage, text, order and arithmetic.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTable, dynamodb, N, refused, S } from '../harness/index.mjs';

const TableName = await createTable({ key: 'pk:S' });
const Key = { pk: S('n') };
const digits = (count) => '1234567890'.repeat(4).slice(0, count);

async function roundTrip(text) {
  await dynamodb.putItem({ TableName, Item: { ...Key, n: N(text) } });
  return (await dynamodb.getItem({ TableName, Key, ConsistentRead: true })).Item.n.N;
}

const texts = [
  ['0', '0'], ['-0', '0'], ['0.0', '0'], ['00012', '12'], ['1.000', '1'], ['-1.50', '-1.5'], ['.5', '0.5'], ['5.', '5'],
  ['1e2', '100'], ['1E+2', '100'], ['12.34E-1', '1.234'], ['100', '100'],
  [digits(38), digits(38)],
  [`-${digits(38)}`, `-${digits(38)}`],
  [`0.${digits(38)}`, `0.${digits(38)}`],
  [`${digits(19)}.${digits(19)}`, `${digits(19)}.${digits(19)}`],
];
for (const [sent, returned] of texts) {
  test(`${sent} comes back as ${returned}`, async () => assert.equal(await roundTrip(sent), returned));
}

const extremes = ['1E-130', '-1E-130', '9.9999999999999999999999999999999999999E+125', '-9.9999999999999999999999999999999999999E+125'];
for (const text of extremes) {
  test(`${text} is kept exactly`, async () => {
    const returned = await roundTrip(text);
    await dynamodb.updateItem({
      TableName,
      Key,
      UpdateExpression: 'SET same = :x',
      ConditionExpression: 'n = :n AND n = :x',
      ExpressionAttributeValues: { ':n': N(text), ':x': N(returned) },
    });
  });
}

const bad = [
  '', ' ', 'abc', '1 2', '1,5', '0x10', 'NaN', 'Infinity', '1e', '--1', '1.2.3', '1E126', '-1E126', '1E-131', '1_000',
  `${digits(38)}1`, `0.${digits(38)}1`, '1.00000000000000000000000000000000000001',
];
for (const text of bad) {
  test(`refuses ${JSON.stringify(text)}`, () => refused(roundTrip(text), 'ValidationException'));
}

const sums = [
  ['0.1', '0.2', '0.3'],
  ['99999999999999999999999999999999999999', '-1', '99999999999999999999999999999999999998'],
  ['1E-20', '-1E-20', '0'],
  ['123456789012345678901234567890', '0.00000001', '123456789012345678901234567890.00000001'],
  ['-5', '3', '-2'],
];
for (const [a, b, sum] of sums) {
  test(`${a} + ${b} = ${sum}`, async () => {
    await roundTrip(a);
    const { Attributes } = await dynamodb.updateItem({
      TableName,
      Key,
      UpdateExpression: 'ADD n :b',
      ExpressionAttributeValues: { ':b': N(b) },
      ReturnValues: 'UPDATED_NEW',
    });
    assert.equal(Attributes.n.N, sum);
  });
}

test('a set holds a number once, however written', async () => {
  await refused(
    dynamodb.putItem({ TableName, Item: { ...Key, set: { NS: ['1', '1.0'] } } }),
    'ValidationException',
  );
  await dynamodb.putItem({ TableName, Item: { ...Key, set: { NS: ['10', '9', '-2'] } } });
  const { Item } = await dynamodb.getItem({ TableName, Key });
  assert.deepEqual(Item.set.NS.map(Number).sort((a, b) => a - b), [-2, 9, 10]);
});
