// TransactGetItems: up to a hundred items as of one moment.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createTable, dynamodb, N, refused, S, sameValue } from '../harness/index.mjs';

const TableName = await createTable({ key: 'pk:S' });
const other = await createTable({ key: 'id:N' });
before(async () => {
  await dynamodb.putItem({ TableName, Item: { pk: S('a'), n: N(1), m: { M: { x: N(2), y: N(3) } } } });
  await dynamodb.putItem({ TableName: other, Item: { id: N(1), t: S('one') } });
});
const get = (pk, more) => ({ Get: { TableName, Key: { pk: S(pk) }, ...more } });
const transact = (...TransactItems) => dynamodb.transactGetItems({ TransactItems });

test('answers in the order asked, with a gap for what is missing', async () => {
  const { Responses } = await transact({ Get: { TableName: other, Key: { id: N(1) } } }, get('missing'), get('a'));
  assert.equal(Responses.length, 3);
  sameValue(Responses[0].Item, { id: N(1), t: S('one') });
  assert.equal(Responses[1].Item, undefined);
  sameValue(Responses[2].Item, { pk: S('a'), n: N(1), m: { M: { x: N(2), y: N(3) } } });
});

test('projects', async () => {
  const { Responses } = await transact(get('a', { ProjectionExpression: 'm.x, n' }));
  sameValue(Responses[0].Item, { n: N(1), m: { M: { x: N(2) } } });
});

test('never sees half of a transaction', async () => {
  const keys = Array.from({ length: 5 }, (_, i) => `whole-${i}`);
  const write = (n) =>
    dynamodb.transactWriteItems({ TransactItems: keys.map((pk) => ({ Put: { TableName, Item: { pk: S(pk), n: N(n) } } })) });
  await write(0);
  let writing = true;
  const writer = (async () => {
    for (let n = 1; n <= 50; n++) await write(n).catch((error) => assert.equal(error.name, 'TransactionCanceledException'));
    writing = false;
  })();
  let reads = 0;
  while (writing) {
    const answer = await transact(...keys.map((pk) => get(pk))).catch((error) => {
      assert.equal(error.name, 'TransactionCanceledException');
      assert.ok(error.CancellationReasons.some(({ Code }) => Code === 'TransactionConflict'));
    });
    if (!answer) continue;
    assert.equal(new Set(answer.Responses.map(({ Item }) => Item.n.N)).size, 1);
    reads++;
  }
  await writer;
  assert.ok(reads > 0);
});

const refusals = [
  ['nothing', []],
  ['an item twice', [get('a'), get('a')]],
  ['more than a hundred', Array.from({ length: 101 }, (_, i) => get(`k${i}`))],
  ['a bad projection', [get('a', { ProjectionExpression: 'm.' })]],
];
for (const [what, TransactItems] of refusals) {
  test(`refuses ${what}`, () => refused(transact(...TransactItems), 'ValidationException'));
}

test('a key that does not fit cancels with its reason', async () => {
  const error = await refused(transact(get('a'), { Get: { TableName, Key: { pk: N(1) } } }), 'TransactionCanceledException');
  assert.deepEqual(
    error.CancellationReasons.map(({ Code, Message }) => [Code, Message]),
    [['None', undefined], ['ValidationError', 'The provided key element does not match the schema']],
  );
});

test('does not know a table that is not there', () =>
  refused(
    transact(get('a'), { Get: { TableName: 'no-such-table', Key: { pk: S('a') } } }),
    'ResourceNotFoundException',
    'Requested resource not found',
  ));
