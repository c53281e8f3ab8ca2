// The parameters from before expressions: they must mean what they meant.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createTable, dynamodb, N, putAll, queryAll, refused, S, sameValue, scanAll, uniqueName } from '../harness/index.mjs';

const TableName = await createTable({ key: 'pk:S sk:N', local: { byMark: 'pk:S mark:S' } });
before(() =>
  putAll(
    TableName,
    Array.from({ length: 10 }, (_, i) => ({
      pk: S('p'),
      sk: N(i),
      mark: S(`m${i % 2}`),
      ...(i > 4 ? { late: { BOOL: true } } : {}),
      tags: { SS: [`t${i}`, 'all'] },
    })),
  ),
);
const condition = (ComparisonOperator, ...AttributeValueList) =>
  AttributeValueList.length ? { ComparisonOperator, AttributeValueList } : { ComparisonOperator };
const sorts = ({ Items }) => Items.map((item) => Number(item.sk.N)).sort((a, b) => a - b);

const keyConditions = [
  ['EQ', [N(3)], [3]],
  ['LT', [N(2)], [0, 1]],
  ['LE', [N(2)], [0, 1, 2]],
  ['GT', [N(8)], [9]],
  ['GE', [N(8)], [8, 9]],
  ['BETWEEN', [N(4), N(6)], [4, 5, 6]],
];
for (const [operator, values, expected] of keyConditions) {
  test(`KeyConditions ${operator}`, async () =>
    assert.deepEqual(
      sorts(await queryAll({
        TableName,
        KeyConditions: { pk: condition('EQ', S('p')), sk: condition(operator, ...values) },
      })),
      expected,
    ));
}

test('KeyConditions BEGINS_WITH on an index', async () =>
  assert.deepEqual(
    sorts(await queryAll({
      TableName,
      IndexName: 'byMark',
      KeyConditions: { pk: condition('EQ', S('p')), mark: condition('BEGINS_WITH', S('m1')) },
    })),
    [1, 3, 5, 7, 9],
  ));

for (const operator of ['NE', 'NULL', 'NOT_NULL', 'CONTAINS', 'IN']) {
  test(`KeyConditions refuse ${operator}`, () =>
    refused(
      dynamodb.query({
        TableName,
        KeyConditions: {
          pk: condition('EQ', S('p')),
          sk: operator.includes('NULL') ? condition(operator) : condition(operator, N(1)),
        },
      }),
      'ValidationException',
    ));
}

const filters = [
  ['EQ', 'mark', [S('m1')], [1, 3, 5, 7, 9]],
  ['NE', 'mark', [S('m1')], [0, 2, 4, 6, 8]],
  ['IN', 'mark', [S('m0'), S('x')], [0, 2, 4, 6, 8]],
  ['NULL', 'late', [], [0, 1, 2, 3, 4]],
  ['NOT_NULL', 'late', [], [5, 6, 7, 8, 9]],
  ['CONTAINS', 'tags', [S('t7')], [7]],
  ['NOT_CONTAINS', 'tags', [S('all')], []],
  ['BEGINS_WITH', 'mark', [S('m0')], [0, 2, 4, 6, 8]],
  ['BETWEEN', 'mark', [S('m0a'), S('m2')], [1, 3, 5, 7, 9]],
  ['GT', 'mark', [S('m0')], [1, 3, 5, 7, 9]],
];
for (const [operator, attribute, values, expected] of filters) {
  test(`QueryFilter and ScanFilter ${operator}`, async () => {
    const filter = { [attribute]: condition(operator, ...values) };
    assert.deepEqual(
      sorts(await queryAll({ TableName, KeyConditions: { pk: condition('EQ', S('p')) }, QueryFilter: filter })),
      expected,
    );
    const scan = await scanAll({
      TableName,
      ScanFilter: { ...filter, pk: condition('EQ', S('p')) },
    });
    assert.deepEqual(sorts(scan), expected);
  });
}

test('ConditionalOperator joins filters', async () => {
  const ScanFilter = { mark: condition('EQ', S('m0')), late: condition('NOT_NULL'), };
  assert.deepEqual(sorts(await scanAll({ TableName, ScanFilter, ConditionalOperator: 'AND' })), [6, 8]);
  assert.deepEqual(sorts(await scanAll({ TableName, ScanFilter, ConditionalOperator: 'OR' })), [0, 2, 4, 5, 6, 7, 8, 9]);
});

test('AttributesToGet', async () => {
  const { Item } = await dynamodb.getItem({ TableName, Key: { pk: S('p'), sk: N(1) }, AttributesToGet: ['mark', 'absent'] });
  sameValue(Item, { mark: S('m1') });
});

const expectations = [
  ['Value that is equal', { mark: { Value: S('x') } }, true],
  ['Value that differs', { mark: { Value: S('y') } }, false],
  ['Exists false for what is absent', { absent: { Exists: false } }, true],
  ['Exists false for what is there', { mark: { Exists: false } }, false],
  ['ComparisonOperator GE', { n: condition('GE', N(5)) }, true],
  ['ComparisonOperator LT', { n: condition('LT', N(5)) }, false],
  ['NULL', { absent: condition('NULL') }, true],
  ['two that hold', { mark: { Value: S('x') }, n: { Value: N(5) } }, true],
  ['two of which one holds', { mark: { Value: S('x') }, n: { Value: N(6) } }, false],
  ['two of which one holds, with OR', { mark: { Value: S('x') }, n: { Value: N(6) } }, true, 'OR'],
];
for (const [what, Expected, holds, ConditionalOperator] of expectations) {
  test(`Expected: ${what}`, async () => {
    const Item = { pk: S(uniqueName('e')), sk: N(1), mark: S('x'), n: N(5) };
    await dynamodb.putItem({ TableName, Item });
    const attempt = dynamodb.putItem({ TableName, Item, Expected, ConditionalOperator });
    if (holds) await attempt;
    else await refused(attempt, 'ConditionalCheckFailedException', 'The conditional request failed');
  });
}

test('AttributeUpdates: PUT, ADD and DELETE', async () => {
  const Key = { pk: S(uniqueName('u')), sk: N(1) };
  await dynamodb.putItem({
    TableName,
    Item: { ...Key, a: N(1), gone: S('x'), set: { SS: ['x', 'y'] }, list: { L: [N(1)] }, n: N(1) },
  });
  const { Attributes } = await dynamodb.updateItem({
    TableName,
    Key,
    AttributeUpdates: {
      a: { Action: 'PUT', Value: S('new') },
      b: { Value: S('put by default') },
      gone: { Action: 'DELETE' },
      set: { Action: 'DELETE', Value: { SS: ['y', 'z'] } },
      n: { Action: 'ADD', Value: N(4) },
      fresh: { Action: 'ADD', Value: N(7) },
    },
    ReturnValues: 'ALL_NEW',
  });
  sameValue(Attributes, {
    ...Key, a: S('new'), b: S('put by default'), set: { SS: ['x'] }, list: { L: [N(1)] }, n: N(5), fresh: N(7),
  });
});

const Key = { pk: S('p'), sk: N(1) };
const refusals = [
  ['both languages', () => dynamodb.putItem({ TableName, Item: Key, Expected: { a: { Exists: false } }, ConditionExpression: 'attribute_exists(pk)' })],
  ['both update languages', () => dynamodb.updateItem({ TableName, Key, UpdateExpression: 'REMOVE a', AttributeUpdates: { a: { Action: 'DELETE' } } })],
  ['both projections', () => dynamodb.getItem({ TableName, Key, AttributesToGet: ['a'], ProjectionExpression: 'a' })],
  ['both filters', () => dynamodb.scan({ TableName, ScanFilter: { a: condition('NULL') }, FilterExpression: 'attribute_exists(pk)' })],
  ['ADD of a string', () => dynamodb.updateItem({ TableName, Key, AttributeUpdates: { a: { Action: 'ADD', Value: S('x') } } })],
  ['PUT without a value', () => dynamodb.updateItem({ TableName, Key, AttributeUpdates: { a: { Action: 'PUT' } } })],
  ['a key attribute', () => dynamodb.updateItem({ TableName, Key, AttributeUpdates: { sk: { Value: N(2) } } })],
  ['BETWEEN with one value', () => dynamodb.scan({ TableName, ScanFilter: { a: condition('BETWEEN', N(1)) } })],
  ['Exists true without a value', () => dynamodb.putItem({ TableName, Item: Key, Expected: { a: { Exists: true } } })],
  ['Exists false with a value', () => dynamodb.putItem({ TableName, Item: Key, Expected: { a: { Exists: false, Value: N(1) } } })],
  ['an attribute named twice', () => dynamodb.getItem({ TableName, Key, AttributesToGet: ['a', 'a'] })],
  ['ConditionalOperator alone', () => dynamodb.scan({ TableName, ConditionalOperator: 'AND' })],
];
for (const [what, call] of refusals) {
  test(`refuses ${what}`, () => refused(call(), 'ValidationException'));
}
