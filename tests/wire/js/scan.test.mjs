// Scan: all of a table or an index, filtered, paged, and in parallel segments.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createTable, dynamodb, N, putAll, refused, S, scanAll } from '../harness/index.mjs';

const TableName = await createTable({
  key: 'pk:S sk:N',
  global: { sparse: { key: 'mark:S', projection: 'KEYS_ONLY' } },
});
const COUNT = 1000;
before(() =>
  putAll(
    TableName,
    Array.from({ length: COUNT }, (_, i) => ({
      pk: S(`partition-${i % 250}`),
      sk: N(i),
      ...(i % 10 === 0 ? { mark: S(`m${i}`) } : {}),
    })),
  ),
);
const identity = (item) => `${item.pk.S}/${item.sk.N}`;

test('returns every item once, whatever the page size', async () => {
  for (const Limit of [undefined, 7, 1000, 5000]) {
    const { Items, ScannedCount } = await scanAll({ TableName, Limit });
    assert.equal(Items.length, COUNT);
    assert.equal(ScannedCount, COUNT);
    assert.equal(new Set(Items.map(identity)).size, COUNT);
  }
});

test('keeps the items of a partition together and in order', async () => {
  const { Items } = await scanAll({ TableName });
  const seen = new Map();
  let last;
  for (const { pk, sk } of Items) {
    if (pk.S !== last) assert.equal(seen.has(pk.S), false, `${pk.S} came twice`);
    assert.ok(!(seen.get(pk.S) >= Number(sk.N)), 'out of order');
    seen.set(pk.S, Number(sk.N));
    last = pk.S;
  }
});

test('filters after reading, also on keys', async () => {
  const answer = await scanAll({
    TableName,
    FilterExpression: 'sk < :n AND begins_with(pk, :p)',
    ExpressionAttributeValues: { ':n': N(100), ':p': S('partition-1') },
  });
  assert.deepEqual([answer.Count, answer.ScannedCount], [11, COUNT]);
});

test('reads a sparse index alone', async () => {
  const { Items } = await scanAll({ TableName, IndexName: 'sparse', Limit: 9 });
  assert.equal(Items.length, COUNT / 10);
  assert.deepEqual(Object.keys(Items[0]).sort(), ['mark', 'pk', 'sk']);
});

test('Select COUNT', async () => {
  const answer = await dynamodb.scan({ TableName, Select: 'COUNT' });
  assert.deepEqual([answer.Count, answer.Items], [COUNT, undefined]);
});

for (const TotalSegments of [1, 3, 8]) {
  test(`${TotalSegments} segments divide the table evenly, each item in one`, async () => {
    const segments = await Promise.all(
      Array.from({ length: TotalSegments }, (_, Segment) => scanAll({ TableName, Segment, TotalSegments, Limit: 100 })),
    );
    const all = segments.flatMap(({ Items }) => Items.map(identity));
    assert.equal(all.length, COUNT);
    assert.equal(new Set(all).size, COUNT);
    for (const { Count } of segments) {
      assert.ok(Count > (COUNT / TotalSegments) * 0.5, `a segment has ${Count} of ${COUNT}`);
      assert.ok(Count < (COUNT / TotalSegments) * 1.7, `a segment has ${Count} of ${COUNT}`);
    }
  });
}

test('more segments than items leave some empty', async () => {
  const counts = await Promise.all(
    [0, 1, 499_999, 999_999].map((Segment) => dynamodb.scan({ TableName, Segment, TotalSegments: 1_000_000 })),
  );
  assert.ok(counts.every(({ Count }) => Count <= 4));
});

const refusals = [
  ['a segment without a total', { Segment: 0 }],
  ['a total without a segment', { TotalSegments: 2 }],
  ['a segment as large as the total', { Segment: 2, TotalSegments: 2 }],
  ['a negative segment', { Segment: -1, TotalSegments: 2 }],
  ['over a million segments', { Segment: 0, TotalSegments: 1_000_001 }],
  ['a limit of zero', { Limit: 0 }],
  ['an unknown index', { IndexName: 'nowhere' }],
  ['a start key of another shape', { ExclusiveStartKey: { pk: S('a') } }],
  ['a consistent read of a global index', { IndexName: 'sparse', ConsistentRead: true }],
  ['projected attributes without an index', { Select: 'ALL_PROJECTED_ATTRIBUTES' }],
];
for (const [what, more] of refusals) {
  test(`refuses ${what}`, () => refused(dynamodb.scan({ TableName, ...more }), 'ValidationException'));
}
