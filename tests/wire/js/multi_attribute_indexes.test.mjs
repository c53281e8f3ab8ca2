// Global indexes whose keys have up to four partition and four sort attributes.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createTable, dynamodb, N, putAll, queryAll, refused, S, tableInput } from '../harness/index.mjs';

const TableName = await createTable({
  key: 'id:S',
  global: {
    matches: { key: 'league:S season:N | division:S place:N player:S' },
    wide: { key: 'league:S season:N division:S player:S | place:N goals:N assists:N games:N', projection: 'KEYS_ONLY' },
  },
});
let next = 0;
const row = (division, place, player, more = {}) => ({
  id: S(`row${next++}`),
  league: S('north'),
  season: N(2026),
  division: S(division),
  place: N(place),
  player: S(player),
  ...more,
});
before(() =>
  putAll(TableName, [
    row('b', 1, 'x'),
    row('a', 10, 'x'),
    row('a', 2, 'y'),
    row('a', 2, 'x', { goals: N(3), assists: N(1), games: N(9) }),
    row('c', 1, 'z', { season: N(2025) }),
    { id: S('sparse'), league: S('north'), season: N(2026), division: S('a'), place: N(1) },
  ]),
);

const query = (condition, values = {}, more = {}) =>
  queryAll({
    TableName,
    IndexName: 'matches',
    KeyConditionExpression: `league = :l AND season = :s${condition}`,
    ExpressionAttributeValues: { ':l': S('north'), ':s': N(2026), ...values },
    ...more,
  });
const rows = ({ Items }) => Items.map(({ division, place, player }) => `${division.S}${place.N}${player.S}`);

const conditions = [
  ['', {}, ['a2x', 'a2y', 'a10x', 'b1x']],
  [' AND division = :d', { ':d': S('a') }, ['a2x', 'a2y', 'a10x']],
  [' AND division > :d', { ':d': S('a') }, ['b1x']],
  [' AND division = :d AND place >= :p', { ':d': S('a'), ':p': N(10) }, ['a10x']],
  [' AND division = :d AND place = :p AND begins_with(player, :x)', { ':d': S('a'), ':p': N(2), ':x': S('y') }, ['a2y']],
];
for (const [condition, values, expected] of conditions) {
  test(`league and season${condition}`, async () => {
    assert.deepEqual(rows(await query(condition, values)), expected);
    assert.deepEqual(rows(await query(condition, values, { ScanIndexForward: false })), [...expected].reverse());
    assert.deepEqual(rows(await query(condition, values, { Limit: 1 })), expected, 'page by page');
  });
}

test('the paging key has every key attribute of index and table', async () => {
  const { pages } = await query('', {}, { Limit: 1 });
  assert.deepEqual(Object.keys(pages[0].LastEvaluatedKey).sort(), ['division', 'id', 'league', 'place', 'player', 'season']);
});

test('four and four', async () => {
  const { Items } = await queryAll({
    TableName,
    IndexName: 'wide',
    KeyConditionExpression:
      'league = :l AND season = :s AND division = :d AND player = :x AND place = :p AND goals BETWEEN :p AND :g',
    ExpressionAttributeValues: { ':l': S('north'), ':s': N(2026), ':d': S('a'), ':x': S('x'), ':p': N(2), ':g': N(5) },
  });
  assert.equal(Items.length, 1);
});

const refusals = [
  ['a missing partition attribute', 'league = :l', { ':l': S('north') }],
  ['a range on a partition attribute', 'league = :l AND season > :s', { ':l': S('north'), ':s': N(1) }],
  ['a gap between sort attributes', 'league = :l AND season = :s AND place = :p', { ':l': S('north'), ':s': N(1), ':p': N(1) }],
  [
    'a sort attribute after a range',
    'league = :l AND season = :s AND division > :d AND place = :p',
    { ':l': S('north'), ':s': N(1), ':d': S('a'), ':p': N(1) },
  ],
];
for (const [what, KeyConditionExpression, ExpressionAttributeValues] of refusals) {
  test(`refuses ${what}`, () =>
    refused(
      dynamodb.query({ TableName, IndexName: 'matches', KeyConditionExpression, ExpressionAttributeValues }),
      'ValidationException',
    ));
}

const schemas = [
  ['five partition attributes', 'a:S b:S c:S d:S e:S | f:S'],
  ['five sort attributes', 'a:S | b:S c:S d:S e:S f:S'],
];
for (const [what, key] of schemas) {
  test(`refuses an index with ${what}`, () =>
    refused(dynamodb.createTable(tableInput({ key: 'id:S', global: { index: { key } } })), 'ValidationException'));
}
