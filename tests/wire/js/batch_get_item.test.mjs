// BatchGetItem: up to 100 keys over several tables.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createTable, dynamodb, N, putAll, refused, S, sameValue } from '../harness/index.mjs';

const first = await createTable({ key: 'pk:S' });
const second = await createTable({ key: 'id:N' });
before(async () => {
  await putAll(first, Array.from({ length: 110 }, (_, i) => ({ pk: S(`i${i}`), a: N(i), b: S('x') })));
  await putAll(second, [{ id: N(1), name: S('one') }]);
});
const keys = (count) => Array.from({ length: count }, (_, i) => ({ pk: S(`i${i}`) }));

test('returns what is there, by table', async () => {
  const { Responses, UnprocessedKeys } = await dynamodb.batchGetItem({
    RequestItems: {
      [first]: { Keys: [{ pk: S('i1') }, { pk: S('nothing') }], ConsistentRead: true },
      [second]: { Keys: [{ id: N('1.0') }] },
    },
  });
  sameValue(Responses[first], [{ pk: S('i1'), a: N(1), b: S('x') }]);
  sameValue(Responses[second], [{ id: N(1), name: S('one') }]);
  assert.deepEqual(UnprocessedKeys, {});
});

test('a table with no hits has an empty list', async () => {
  const { Responses } = await dynamodb.batchGetItem({ RequestItems: { [second]: { Keys: [{ id: N(404) }] } } });
  assert.deepEqual(Responses, { [second]: [] });
});

test('projects for each table on its own', async () => {
  const { Responses } = await dynamodb.batchGetItem({
    RequestItems: {
      [first]: { Keys: [{ pk: S('i1') }], ProjectionExpression: 'a' },
      [second]: { Keys: [{ id: N(1) }], ProjectionExpression: '#n', ExpressionAttributeNames: { '#n': 'name' } },
    },
  });
  sameValue(Responses, { [first]: [{ a: N(1) }], [second]: [{ name: S('one') }] });
});

test('takes 100 keys, not 101', async () => {
  const { Responses } = await dynamodb.batchGetItem({ RequestItems: { [first]: { Keys: keys(100) } } });
  assert.equal(Responses[first].length, 100);
  await refused(dynamodb.batchGetItem({ RequestItems: { [first]: { Keys: keys(101) } } }), 'ValidationException');
  await refused(
    dynamodb.batchGetItem({ RequestItems: { [first]: { Keys: keys(100) }, [second]: { Keys: [{ id: N(1) }] } } }),
    'ValidationException',
  );
});

const refusals = [
  ['no tables', {}],
  ['no keys', { [first]: { Keys: [] } }],
  ['a key twice', { [first]: { Keys: [{ pk: S('a') }, { pk: S('a') }] } }],
  ['equal numbers as keys', { [second]: { Keys: [{ id: N(1) }, { id: N('1.0') }] } }],
  ['a key of another type', { [first]: { Keys: [{ pk: N(1) }] } }],
  ['a key with more attributes', { [first]: { Keys: [{ pk: S('a'), a: N(1) }] } }],
  ['a bad projection', { [first]: { Keys: [{ pk: S('a') }], ProjectionExpression: 'a,' } }],
];
for (const [what, RequestItems] of refusals) {
  test(`refuses ${what}`, () => refused(dynamodb.batchGetItem({ RequestItems }), 'ValidationException'));
}

test('does not know a table that is not there', () =>
  refused(
    dynamodb.batchGetItem({ RequestItems: { [first]: { Keys: keys(1) }, 'no-such-table': { Keys: keys(1) } } }),
    'ResourceNotFoundException',
    'Requested resource not found',
  ));
