// Tables of every key shape: a partition key alone or with a sort key, each of
// them a string, a number or a binary.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { B, createTable, dynamodb, N, plain, putAll, queryAll, S, sameValue, scanAll } from '../harness/index.mjs';

// In ascending order, with the traps: numbers are not text, text is bytes,
// binaries are unsigned and a prefix comes first.
const ordered = {
  S: ['A', 'B', 'a', 'aa', 'b', 'z', 'é', '日', '🗿'].map(S),
  N: ['-9.9E+125', '-100', '-2', '-1.5', '-1E-130', '0', '1E-130', '0.5', '2', '10', '1E+3', '9.9E+125'].map(N),
  B: [B(0), B(0, 0), B(0, 1), B(1), B(127), B(128), B(255), B(255, 255)],
};
const numeric = (value) => (value.N === undefined ? plain(value) : { N: Number(value.N) });

for (const type of ['S', 'N', 'B']) {
  test(`partition key ${type}`, async () => {
    const TableName = await createTable({ key: `pk:${type}` });
    const items = ordered[type].map((pk, place) => ({ pk, place: N(place) }));
    await putAll(TableName, items);
    for (const { pk, place } of items) {
      const { Item } = await dynamodb.getItem({ TableName, Key: { pk }, ConsistentRead: true });
      sameValue(Item.place, place);
      const found = await dynamodb.query({
        TableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': pk },
      });
      assert.equal(found.Count, 1);
    }
    assert.equal((await scanAll({ TableName, Limit: 2 })).Count, items.length);
    await dynamodb.deleteItem({ TableName, Key: { pk: items[0].pk } });
    assert.equal((await scanAll({ TableName })).Count, items.length - 1);
  });
}

for (const partition of ['S', 'N', 'B']) {
  for (const sort of ['S', 'N', 'B']) {
    test(`partition key ${partition} with sort key ${sort}`, async () => {
      const TableName = await createTable({ key: `pk:${partition} sk:${sort}` });
      const [pk, other] = ordered[partition].slice(-2);
      const shuffled = [...ordered[sort]].sort((a, b) => JSON.stringify(plain(a)).length - JSON.stringify(plain(b)).length);
      await putAll(TableName, shuffled.flatMap((sk) => [{ pk, sk }, { pk: other, sk }]));

      const all = { TableName, KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk } };
      const expected = ordered[sort].map(numeric);
      const keys = (answer) => answer.Items.map((item) => numeric(item.sk));
      assert.deepEqual(keys(await queryAll(all)), expected);
      assert.deepEqual(keys(await queryAll({ ...all, ScanIndexForward: false })), [...expected].reverse());
      assert.deepEqual(keys(await queryAll({ ...all, Limit: 2 })), expected, 'page by page');
      assert.deepEqual(
        keys(await queryAll({ ...all, Limit: 1, ScanIndexForward: false })),
        [...expected].reverse(),
        'page by page, backwards',
      );

      const bounds = { ':low': ordered[sort][2], ':high': ordered[sort][5] };
      const ranged = (condition, from, to, values = { ':low': bounds[':low'] }) =>
        queryAll({
          TableName,
          KeyConditionExpression: `pk = :pk AND ${condition}`,
          ExpressionAttributeValues: { ':pk': pk, ...values },
        }).then((answer) => assert.deepEqual(keys(answer), expected.slice(from, to), condition));
      await ranged('sk = :low', 2, 3);
      await ranged('sk < :low', 0, 2);
      await ranged('sk <= :low', 0, 3);
      await ranged('sk > :low', 3, undefined);
      await ranged('sk >= :low', 2, undefined);
      await ranged('sk BETWEEN :low AND :high', 2, 6, bounds);
    });
  }
}

test('begins_with on a string sort key knows no wildcard and no case', async () => {
  const TableName = await createTable({ key: 'pk:S sk:S' });
  const texts = ['', '%', '%a', 'A', 'a', 'a%', 'ab', 'abc', 'b'].filter(Boolean);
  await putAll(TableName, texts.map((sk) => ({ pk: S('p'), sk: S(sk) })));
  for (const [prefix, expected] of [['a', ['a', 'a%', 'ab', 'abc']], ['%', ['%', '%a']], ['abcd', []]]) {
    const { Items } = await dynamodb.query({
      TableName,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': S('p'), ':prefix': S(prefix) },
    });
    assert.deepEqual(Items.map((item) => item.sk.S), expected);
  }
});

test('begins_with on a binary sort key, up to the last byte', async () => {
  const TableName = await createTable({ key: 'pk:S sk:B' });
  await putAll(TableName, [B(254), B(255), B(255, 0), B(255, 255), B(255, 255, 7)].map((sk) => ({ pk: S('p'), sk })));
  const { Count } = await dynamodb.query({
    TableName,
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': S('p'), ':prefix': B(255, 255) },
  });
  assert.equal(Count, 2);
});

test('partitions whose keys begin alike stay apart', async () => {
  const TableName = await createTable({ key: 'pk:S sk:S' });
  const pairs = [['a', 'bc'], ['ab', 'c'], ['a\u0000', 'b'], ['a', '\u0000b'], ['a\u0000\u0001', 'x']];
  await putAll(TableName, pairs.map(([pk, sk]) => ({ pk: S(pk), sk: S(sk) })));
  for (const name of new Set(pairs.map(([pk]) => pk))) {
    const { Items } = await queryAll({
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': S(name) },
    });
    assert.deepEqual(
      Items.map((item) => item.sk.S).sort(),
      pairs.filter(([pk]) => pk === name).map(([, sk]) => sk).sort(),
    );
  }
});

test('numbers that are equal are one key, however written', async () => {
  const TableName = await createTable({ key: 'pk:N' });
  for (const text of ['1', '1.0', '01', '10E-1', '+1']) {
    await dynamodb.putItem({ TableName, Item: { pk: N(text), written: S(text) } });
  }
  sameValue((await scanAll({ TableName })).Items, [{ pk: N(1), written: S('+1') }]);
});
