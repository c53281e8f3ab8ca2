// Query: key conditions, filters, paging, Select, and what it refuses.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createTable, dynamodb, N, putAll, queryAll, refused, S, sameValue } from '../harness/index.mjs';

const TableName = await createTable({
  key: 'pk:S sk:N',
  local: { byColour: { key: 'pk:S colour:S' } },
  global: { byColourGlobally: { key: 'colour:S', projection: 'KEYS_ONLY' } },
});
const colours = ['red', 'green', 'blue'];
const items = Array.from({ length: 30 }, (_, i) => ({
  pk: S('p'),
  sk: N(i),
  colour: S(colours[i % 3]),
  weight: N(i * 10),
}));
before(async () => {
  await putAll(TableName, items);
  await putAll(TableName, [{ pk: S('other'), sk: N(5) }]);
});

const base = { TableName, KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': S('p') } };
const query = (more, values) =>
  dynamodb.query({ ...base, ...more, ExpressionAttributeValues: { ...base.ExpressionAttributeValues, ...values } });
const sorts = (answer) => answer.Items.map((item) => Number(item.sk.N));

test('returns whole items of one partition in order', async () => {
  const answer = await query();
  sameValue(answer.Items, items);
  assert.deepEqual([answer.Count, answer.ScannedCount, answer.LastEvaluatedKey], [30, 30, undefined]);
});

test('an empty partition is an empty answer', async () => {
  const answer = await query({}, { ':pk': S('nobody') });
  assert.deepEqual([answer.Items, answer.Count, answer.ScannedCount, answer.LastEvaluatedKey], [[], 0, 0, undefined]);
});

const conditions = [
  ['pk = :pk AND sk = :a', { ':a': N(3) }, [3]],
  ['sk = :a AND pk = :pk', { ':a': N(3) }, [3]],
  ['(pk = :pk) AND (sk < :a)', { ':a': N(2) }, [0, 1]],
  [':pk = pk AND :a <= sk', { ':a': N(28) }, [28, 29]],
  ['pk = :pk AND sk BETWEEN :a AND :b', { ':a': N('9.5'), ':b': N('11') }, [10, 11]],
  ['pk = :pk AND sk > :a', { ':a': N('28.9') }, [29]],
];
for (const [KeyConditionExpression, values, expected] of conditions) {
  test(KeyConditionExpression, async () => assert.deepEqual(sorts(await query({ KeyConditionExpression }, values)), expected));
}

test('Limit counts what is read, the filter what is returned', async () => {
  const more = { Limit: 10, FilterExpression: 'colour = :c' };
  const page = await query(more, { ':c': S('red') });
  assert.deepEqual([page.Count, page.ScannedCount], [4, 10]);
  sameValue(page.LastEvaluatedKey, { pk: S('p'), sk: N(9) });
  const rest = await queryAll({
    ...base,
    ...more,
    ExpressionAttributeValues: { ':pk': S('p'), ':c': S('red') },
  });
  assert.deepEqual([rest.Count, rest.ScannedCount], [10, 30]);
});

test('a page that Limit fills exactly still has a LastEvaluatedKey', async () => {
  const full = await query({ Limit: 30 });
  sameValue(full.LastEvaluatedKey, { pk: S('p'), sk: N(29) });
  const next = await query({ Limit: 30, ExclusiveStartKey: full.LastEvaluatedKey });
  assert.deepEqual([next.Count, next.LastEvaluatedKey], [0, undefined]);
  assert.equal((await query({ Limit: 31 })).LastEvaluatedKey, undefined);
});

test('continues backwards from a key that need not exist', async () => {
  const answer = await query({ ScanIndexForward: false, Limit: 3, ExclusiveStartKey: { pk: S('p'), sk: N('10.5') } });
  assert.deepEqual(sorts(answer), [10, 9, 8]);
});

test('Select COUNT sends no items', async () => {
  const answer = await query({ Select: 'COUNT', FilterExpression: 'weight >= :w' }, { ':w': N(200) });
  assert.deepEqual([answer.Items, answer.Count, answer.ScannedCount], [undefined, 10, 30]);
});

test('a projection keeps the order and the count', async () => {
  const answer = await query({ ProjectionExpression: 'weight', Limit: 2 });
  sameValue(answer.Items, [{ weight: N(0) }, { weight: N(10) }]);
});

test('reads a local index in its own order, whole items', async () => {
  const answer = await queryAll({ ...base, IndexName: 'byColour', ConsistentRead: true, Limit: 7 });
  assert.deepEqual(answer.Items.map((item) => item.colour.S), [...items.map((item) => item.colour.S)].sort());
  assert.deepEqual(Object.keys(answer.pages[0].LastEvaluatedKey).sort(), ['colour', 'pk', 'sk']);
  assert.equal(answer.Items[0].weight !== undefined, true);
});

const values = base.ExpressionAttributeValues;
const refusals = [
  ['no key condition', { KeyConditionExpression: undefined, ExpressionAttributeValues: undefined }],
  ['a condition without the partition key', { KeyConditionExpression: 'sk = :pk' }],
  ['a range over the partition key', { KeyConditionExpression: 'pk > :pk' }],
  ['OR between keys', { KeyConditionExpression: 'pk = :pk OR sk = :a', ExpressionAttributeValues: { ...values, ':a': N(1) } }],
  ['<> on a key', { KeyConditionExpression: 'pk = :pk AND sk <> :a', ExpressionAttributeValues: { ...values, ':a': N(1) } }],
  ['IN on a key', { KeyConditionExpression: 'pk = :pk AND sk IN (:a)', ExpressionAttributeValues: { ...values, ':a': N(1) } }],
  ['contains on a key', { KeyConditionExpression: 'pk = :pk AND contains(sk, :pk)' }],
  ['a third condition', { KeyConditionExpression: 'pk = :pk AND sk = :a AND weight = :a', ExpressionAttributeValues: { ...values, ':a': N(1) } }],
  ['two conditions on one key', { KeyConditionExpression: 'pk = :pk AND sk > :a AND sk < :a', ExpressionAttributeValues: { ...values, ':a': N(1) } }],
  ['a value of the wrong type', { KeyConditionExpression: 'pk = :pk AND sk = :pk' }],
  ['begins_with on a number', { KeyConditionExpression: 'pk = :pk AND begins_with(sk, :a)', ExpressionAttributeValues: { ...values, ':a': N(1) } }],
  ['reversed bounds', { KeyConditionExpression: 'pk = :pk AND sk BETWEEN :a AND :b', ExpressionAttributeValues: { ...values, ':a': N(2), ':b': N(1) } }],
  ['a filter on a key', { FilterExpression: 'sk = :a', ExpressionAttributeValues: { ...values, ':a': N(1) } }],
  ['an unknown index', { IndexName: 'nowhere' }],
  ['a consistent read of a global index', {
    IndexName: 'byColourGlobally', ConsistentRead: true,
    KeyConditionExpression: 'colour = :pk',
  }],
  ['all attributes of a global index that has not all', {
    IndexName: 'byColourGlobally', Select: 'ALL_ATTRIBUTES', KeyConditionExpression: 'colour = :pk',
  }],
  ['projected attributes without an index', { Select: 'ALL_PROJECTED_ATTRIBUTES' }],
  ['specific attributes that are not named', { Select: 'SPECIFIC_ATTRIBUTES' }],
  ['COUNT with a projection', { Select: 'COUNT', ProjectionExpression: 'weight' }],
  ['an unknown Select', { Select: 'EVERYTHING' }],
  ['a limit of zero', { Limit: 0 }],
  ['a start key of another partition', { ExclusiveStartKey: { pk: S('other'), sk: N(1) } }],
  ['a start key of another shape', { ExclusiveStartKey: { pk: S('p') } }],
  ['a start key of another type', { ExclusiveStartKey: { pk: S('p'), sk: S('1') } }],
];
for (const [what, more] of refusals) {
  test(`refuses ${what}`, () => refused(dynamodb.query({ ...base, ...more }), 'ValidationException'));
}
