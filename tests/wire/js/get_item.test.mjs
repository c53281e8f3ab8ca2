// GetItem: reads one item by its key.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createTable, dynamodb, N, refused, S, sameValue } from '../harness/index.mjs';

const TableName = await createTable({ key: 'pk:S sk:S' });
const Key = { pk: S('one'), sk: S('a') };
const Item = {
  ...Key,
  plain: S('text'),
  'dotted.name': S('dotted'),
  size: N(7),
  shelf: { L: [S('zero'), S('one'), { M: { deep: S('two') } }, S('three')] },
  tree: { M: { near: S('l'), far: { M: { tip: S('f') } } } },
};

before(() => dynamodb.putItem({ TableName, Item }));

for (const ConsistentRead of [true, false]) {
  test(`returns the item, ConsistentRead ${ConsistentRead}`, async () => {
    sameValue((await dynamodb.getItem({ TableName, Key, ConsistentRead })).Item, Item);
  });
}

test('answers a missing item without Item', async () => {
  const answer = await dynamodb.getItem({ TableName, Key: { pk: S('one'), sk: S('nowhere') } });
  assert.equal('Item' in answer && answer.Item !== undefined, false);
});

const projections = [
  ['one attribute', 'plain', undefined, { plain: Item.plain }],
  ['several, keys only when named', 'plain, pk', undefined, { plain: Item.plain, pk: Item.pk }],
  ['a nested map path', 'tree.far.tip', undefined, { tree: { M: { far: { M: { tip: S('f') } } } } }],
  ['list elements, closed up in their order', 'shelf[3], shelf[0]', undefined, { shelf: { L: [S('zero'), S('three')] } }],
  ['a path through a list', 'shelf[2].deep', undefined, { shelf: { L: [{ M: { deep: S('two') } }] } }],
  ['a name with a dot', '#n', { '#n': 'dotted.name' }, { 'dotted.name': Item['dotted.name'] }],
  ['a reserved word by placeholder', '#s', { '#s': 'size' }, { size: N(7) }],
  ['two paths of one map', 'tree.near, tree.far', undefined, { tree: Item.tree }],
  ['nothing that exists', 'absent, tree.absent, shelf[99]', undefined, {}],
];
for (const [what, ProjectionExpression, ExpressionAttributeNames, expected] of projections) {
  test(`projects ${what}`, async () => {
    const answer = await dynamodb.getItem({ TableName, Key, ProjectionExpression, ExpressionAttributeNames });
    sameValue(answer.Item, expected);
  });
}

const badProjections = [
  ['a reserved word', 'name'],
  ['an undefined placeholder', '#gone'],
  ['an empty expression', ''],
  ['a syntax error', 'plain,,pk'],
  ['overlapping paths', 'tree, tree.near'],
  ['the same path twice', 'plain, plain'],
];
for (const [what, ProjectionExpression] of badProjections) {
  test(`refuses a projection with ${what}`, () =>
    refused(dynamodb.getItem({ TableName, Key, ProjectionExpression }), 'ValidationException'));
}

test('refuses a placeholder that nothing uses', () =>
  refused(
    dynamodb.getItem({ TableName, Key, ProjectionExpression: 'plain', ExpressionAttributeNames: { '#x': 'pk' } }),
    'ValidationException',
    'Value provided in ExpressionAttributeNames unused in expressions: keys: {#x}',
  ));

const badKeys = [
  ['too few attributes', { pk: S('one') }],
  ['too many attributes', { ...Key, plain: S('text') }],
  ['another attribute', { pk: S('one'), plain: S('a') }],
  ['a wrong type', { pk: N(1), sk: S('a') }],
  ['an empty string', { pk: S('one'), sk: S('') }],
];
for (const [what, wrong] of badKeys) {
  test(`refuses a key with ${what}`, () => refused(dynamodb.getItem({ TableName, Key: wrong }), 'ValidationException'));
}
