// Pages end at one megabyte of what was read, before the filter.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createTable, dynamodb, N, putAll, queryAll, S, scanAll } from '../harness/index.mjs';

const TableName = await createTable({ key: 'pk:S sk:N', global: { byGroup: { key: 'flock:S sk:N' } } });
const COUNT = 60;
before(async () => {
  const body = S('x'.repeat(50_000));
  for (let start = 0; start < COUNT; start += 20) {
    await putAll(
      TableName,
      Array.from({ length: 20 }, (_, i) => ({ pk: S('p'), sk: N(start + i), body, flock: S('g') })),
    );
  }
});

const everything = { TableName, KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': S('p') } };
const reads = [
  ['Query', () => queryAll(everything)],
  ['Query backwards', () => queryAll({ ...everything, ScanIndexForward: false })],
  ['Query of an index', () =>
    queryAll({
      TableName,
      IndexName: 'byGroup',
      KeyConditionExpression: 'flock = :g',
      ExpressionAttributeValues: { ':g': S('g') },
    })],
  ['Scan', () => scanAll({ TableName })],
];
for (const [what, read] of reads) {
  test(`${what}: about 1 MB a page, every item once`, async () => {
    const { Items, pages } = await read();
    assert.equal(Items.length, COUNT);
    assert.equal(new Set(Items.map((item) => item.sk.N)).size, COUNT);
    assert.deepEqual(pages.map((page) => page.Count), [21, 21, 18]);
  });
}

test('a filter that passes nothing still pages', async () => {
  const { Items, pages, ScannedCount } = await queryAll({
    ...everything,
    FilterExpression: 'attribute_exists(absent)',
  });
  assert.deepEqual([Items.length, ScannedCount], [0, COUNT]);
  assert.equal(pages.length, 3);
});

test('a projection does not lengthen a page', async () => {
  const { pages } = await queryAll({ ...everything, ProjectionExpression: 'sk' });
  assert.equal(pages.length, 3);
});

test('Select COUNT pages the same way', async () => {
  const { Count, pages } = await queryAll({ ...everything, Select: 'COUNT' });
  assert.deepEqual([Count, pages.length], [COUNT, 3]);
});

test('BatchGetItem stops at 16 MB and names the rest', async () => {
  const big = await createTable({ key: 'pk:N' });
  const body = S('y'.repeat(390_000));
  for (let pk = 0; pk < 50; pk++) await dynamodb.putItem({ TableName: big, Item: { pk: N(pk), body } });
  let RequestItems = { [big]: { Keys: Array.from({ length: 50 }, (_, pk) => ({ pk: N(pk) })) } };
  const seen = new Set();
  let rounds = 0;
  while (Object.keys(RequestItems).length > 0) {
    const answer = await dynamodb.batchGetItem({ RequestItems });
    assert.ok(answer.Responses[big].length * 390_000 <= 16 * 1024 * 1024);
    for (const item of answer.Responses[big]) seen.add(item.pk.N);
    RequestItems = answer.UnprocessedKeys ?? {};
    assert.ok(++rounds < 10);
  }
  assert.equal(seen.size, 50);
  assert.ok(rounds > 1);
});
