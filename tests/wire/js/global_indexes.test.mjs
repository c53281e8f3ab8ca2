// Global secondary indexes: projections, sparse entries, order, paging, and
// keeping up with every kind of write.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { B, createTable, dynamodb, N, plain, putAll, queryAll, refused, S, sameValue, scanAll } from '../harness/index.mjs';

const TableName = await createTable({
  key: 'pk:S sk:N',
  global: {
    all: { key: 'team:S score:N' },
    keys: { key: 'team:S', projection: 'KEYS_ONLY' },
    some: { key: 'team:S score:N', projection: ['shown', 'nested'] },
    flipped: { key: 'sk:N pk:S', projection: 'KEYS_ONLY' },
    binary: { key: 'bits:B', projection: 'KEYS_ONLY' },
  },
});
const item = (pk, sk, score) => ({
  pk: S(pk),
  sk: N(sk),
  team: S('reds'),
  score: N(score),
  shown: S('yes'),
  nested: { M: { a: N(1) } },
  unseen: S('no'),
});
before(() =>
  putAll(TableName, [
    item('c', 1, 10),
    item('a', 2, -5),
    item('b', 3, '2.5'),
    { pk: S('partial'), sk: N(1), team: S('reds') },
    { pk: S('bare'), sk: N(9) },
  ]),
);

const query = (IndexName, name, value, more = {}) =>
  queryAll({
    TableName,
    IndexName,
    KeyConditionExpression: `${name} = :v`,
    ExpressionAttributeValues: { ':v': value },
    ...more,
  });
const names = ({ Items }) => Items.map((found) => found.pk.S);

test('orders by its sort key', async () => {
  assert.deepEqual(names(await query('all', 'team', S('reds'))), ['a', 'b', 'c']);
  assert.deepEqual(names(await query('all', 'team', S('reds'), { ScanIndexForward: false })), ['c', 'b', 'a']);
});

test('holds an item only when all its key attributes are there', async () => {
  assert.deepEqual(names(await query('keys', 'team', S('reds'))).sort(), ['a', 'b', 'c', 'partial']);
  assert.equal((await query('all', 'team', S('reds'))).Count, 3);
  assert.equal((await scanAll({ TableName, IndexName: 'flipped' })).Count >= 5, true);
});

test('projects ALL', async () => sameValue((await query('all', 'team', S('reds'))).Items[0], item('a', 2, -5)));

test('projects KEYS_ONLY: its keys and the table\'s', async () => {
  const { Items } = await query('keys', 'team', S('reds'));
  sameValue(Items.find((found) => found.pk.S === 'a'), { pk: S('a'), sk: N(2), team: S('reds') });
});

test('projects INCLUDE', async () =>
  sameValue((await query('some', 'team', S('reds'))).Items[0], {
    pk: S('a'), sk: N(2), team: S('reds'), score: N(-5), shown: S('yes'), nested: { M: { a: N(1) } },
  }));

test('refuses to return what it does not project', async () => {
  await refused(query('keys', 'team', S('reds'), { ProjectionExpression: 'unseen' }), 'ValidationException');
  await refused(query('some', 'team', S('reds'), { Select: 'ALL_ATTRIBUTES' }), 'ValidationException');
});

test('uses the table\'s keys in another order', async () => {
  const { Items } = await query('flipped', 'sk', N(1));
  assert.deepEqual(Items.map((found) => found.pk.S), ['c', 'partial']);
});

test('pages through items with the same index key', async () => {
  const team = S('crowd');
  await putAll(TableName, Array.from({ length: 60 }, (_, i) => ({ pk: S(`m${i}`), sk: N(i % 7), team, score: N(i % 3) })));
  for (const [IndexName, fields] of [['keys', ['pk', 'sk', 'team']], ['all', ['pk', 'score', 'sk', 'team']]]) {
    for (const ScanIndexForward of [true, false]) {
      const { Items, pages } = await query(IndexName, 'team', team, { Limit: 7, ScanIndexForward });
      assert.equal(new Set(names({ Items })).size, 60);
      assert.equal(Items.length, 60);
      assert.deepEqual(Object.keys(pages[0].LastEvaluatedKey).sort(), fields);
    }
  }
});

test('a binary key', async () => {
  await putAll(TableName, [{ pk: S('bin'), sk: N(1), bits: B(0, 255) }]);
  const { Items } = await query('binary', 'bits', B(0, 255));
  assert.deepEqual(plain(Items), plain([{ pk: S('bin'), sk: N(1), bits: B(0, 255) }]));
});

test('follows every kind of write', async () => {
  const Key = { pk: S('mover'), sk: N(1) };
  const where = async () => {
    const found = [];
    for (const team of ['east', 'west']) {
      for (const { score, shown } of (await query('some', 'team', S(team))).Items) found.push([team, score.N, shown?.S]);
    }
    return found;
  };
  const put = (attributes) => dynamodb.putItem({ TableName, Item: { ...Key, ...attributes } });
  const update = (UpdateExpression, ExpressionAttributeValues) =>
    dynamodb.updateItem({ TableName, Key, UpdateExpression, ExpressionAttributeValues });

  await put({ team: S('east'), score: N(1), shown: S('x') });
  assert.deepEqual(await where(), [['east', '1', 'x']]);
  await update('SET shown = :s, unseen = :s', { ':s': S('y') });
  assert.deepEqual(await where(), [['east', '1', 'y']], 'a projected attribute');
  await update('SET score = score + :one', { ':one': N(1) });
  assert.deepEqual(await where(), [['east', '2', 'y']], 'a moved sort key');
  await update('SET team = :t', { ':t': S('west') });
  assert.deepEqual(await where(), [['west', '2', 'y']], 'a moved partition key');
  await update('REMOVE team');
  assert.deepEqual(await where(), [], 'a removed key');
  await put({ team: S('east'), score: N(3) });
  assert.deepEqual(await where(), [['east', '3', undefined]], 'put again');
  await dynamodb.transactWriteItems({
    TransactItems: [{ Delete: { TableName, Key } }],
  });
  assert.deepEqual(await where(), [], 'deleted in a transaction');
  await dynamodb.batchWriteItem({
    RequestItems: { [TableName]: [{ PutRequest: { Item: { ...Key, team: S('west'), score: N(4) } } }] },
  });
  assert.deepEqual(await where(), [['west', '4', undefined]], 'put in a batch');
  await dynamodb.batchWriteItem({ RequestItems: { [TableName]: [{ DeleteRequest: { Key } }] } });
  assert.deepEqual(await where(), [], 'deleted in a batch');
});

const wrongKeys = [
  ['the wrong type', { team: N(1) }],
  ['a list', { team: { L: [] } }],
  ['an empty string', { team: S('') }],
  ['an empty binary', { bits: B() }],
  ['more than 2048 bytes of partition key', { team: S('t'.repeat(2049)) }],
];
for (const [what, attributes] of wrongKeys) {
  test(`refuses an index key of ${what}`, async () => {
    const Key = { pk: S('wrong'), sk: N(1) };
    await refused(dynamodb.putItem({ TableName, Item: { ...Key, ...attributes } }), 'ValidationException');
    assert.equal((await dynamodb.getItem({ TableName, Key })).Item, undefined);
  });
}

test('accepts an empty string where the attribute is only projected', async () => {
  await dynamodb.putItem({ TableName, Item: { ...item('empty', 1, 1), team: S('blues'), shown: S('') } });
  sameValue((await query('some', 'team', S('blues'))).Items[0].shown, S(''));
});
