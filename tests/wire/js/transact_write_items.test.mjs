// TransactWriteItems: all or nothing, why not, and the same token twice.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { createTable, dynamodb, N, refused, S, sameValue, uniqueName } from '../harness/index.mjs';

const TableName = await createTable({ key: 'pk:S', global: { byTeam: { key: 'team:S' } } });
const other = await createTable({ key: 'pk:S sk:N' });
const read = async (pk) => (await dynamodb.getItem({ TableName, Key: { pk: S(pk) }, ConsistentRead: true })).Item;
const put = (pk, more = {}) => ({ Put: { TableName, Item: { pk: S(pk), ...more } } });
const check = (pk, ConditionExpression, more = {}) => ({
  ConditionCheck: { TableName, Key: { pk: S(pk) }, ConditionExpression, ...more },
});
const transact = (...TransactItems) => dynamodb.transactWriteItems({ TransactItems });

test('all four actions over two tables', async () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => uniqueName(name));
  await transact(put(b, { n: N(1) }), put(c), put(d));
  await transact(
    put(a, { n: N(1) }),
    {
      Update: {
        TableName,
        Key: { pk: S(b) },
        UpdateExpression: 'SET n = n + :one',
        ExpressionAttributeValues: { ':one': N(1) },
      },
    },
    { Delete: { TableName, Key: { pk: S(c) } } },
    check(d, 'attribute_exists(pk)'),
    { Put: { TableName: other, Item: { pk: S(a), sk: N(1) } } },
  );
  sameValue(await read(a), { pk: S(a), n: N(1) });
  sameValue(await read(b), { pk: S(b), n: N(2) });
  assert.equal(await read(c), undefined);
  sameValue(await read(d), { pk: S(d) });
  assert.notEqual((await dynamodb.getItem({ TableName: other, Key: { pk: S(a), sk: N(1) } })).Item, undefined);
});

test('one failed condition cancels everything and is named in its place', async () => {
  const [a, b] = [uniqueName('x'), uniqueName('y')];
  await transact(put(b, { n: N(1) }));
  const error = await refused(
    transact(
      put(a),
      { Put: { TableName, Item: { pk: S(b) }, ConditionExpression: 'attribute_not_exists(pk)' } },
      check(uniqueName('z'), 'attribute_exists(pk)'),
    ),
    'TransactionCanceledException',
    'Transaction cancelled, please refer cancellation reasons for specific reasons ' +
      '[None, ConditionalCheckFailed, ConditionalCheckFailed]',
  );
  assert.deepEqual(
    error.CancellationReasons.map(({ Code, Message }) => [Code, Message]),
    [
      ['None', undefined],
      ['ConditionalCheckFailed', 'The conditional request failed'],
      ['ConditionalCheckFailed', 'The conditional request failed'],
    ],
  );
  assert.equal(await read(a), undefined);
  sameValue(await read(b), { pk: S(b), n: N(1) });
});

test('a reason carries the item when asked to', async () => {
  const a = uniqueName('shown');
  await transact(put(a, { n: N(1) }));
  const error = await refused(
    transact(
      check(a, 'n = :two', {
        ExpressionAttributeValues: { ':two': N(2) },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
      put(uniqueName('other')),
    ),
    'TransactionCanceledException',
  );
  sameValue(error.CancellationReasons[0].Item, { pk: S(a), n: N(1) });
  assert.equal(error.CancellationReasons[1].Item, undefined);
});

test('an update that cannot be done is a reason too', async () => {
  const a = uniqueName('text');
  await transact(put(a, { n: S('text') }));
  const error = await refused(
    transact(put(uniqueName('innocent')), {
      Update: {
        TableName,
        Key: { pk: S(a) },
        UpdateExpression: 'SET n = n + :one',
        ExpressionAttributeValues: { ':one': N(1) },
      },
    }),
    'TransactionCanceledException',
  );
  assert.deepEqual(
    error.CancellationReasons.map(({ Code, Message }) => [Code, Message]),
    [['None', undefined], ['ValidationError', 'An operand in the update expression has an incorrect data type']],
  );
});

test('conditions see the state before the transaction', async () => {
  const [a, b] = [uniqueName('before'), uniqueName('after')];
  await transact(put(a), check(b, 'attribute_not_exists(pk)'));
  await refused(transact(put(b), check(uniqueName('none'), 'attribute_exists(pk)')), 'TransactionCanceledException');
  assert.equal(await read(b), undefined);
});

test('the same token and request again is done once', async () => {
  const a = uniqueName('once');
  const request = {
    ClientRequestToken: randomUUID(),
    TransactItems: [
      {
        Update: {
          TableName,
          Key: { pk: S(a) },
          UpdateExpression: 'ADD n :one',
          ExpressionAttributeValues: { ':one': N(1) },
        },
      },
    ],
  };
  await dynamodb.transactWriteItems(request);
  await dynamodb.transactWriteItems(request);
  sameValue((await read(a)).n, N(1));
  await dynamodb.transactWriteItems({ ...request, ClientRequestToken: randomUUID() });
  sameValue((await read(a)).n, N(2));
});

test('the same token with another request is refused', async () => {
  const ClientRequestToken = randomUUID();
  const [a, b] = [uniqueName('t'), uniqueName('t')];
  await dynamodb.transactWriteItems({ ClientRequestToken, TransactItems: [put(a)] });
  await refused(
    dynamodb.transactWriteItems({ ClientRequestToken, TransactItems: [put(b)] }),
    'IdempotentParameterMismatchException',
  );
  assert.equal(await read(b), undefined);
});

test('a cancelled transaction does not use up its token', async () => {
  const a = uniqueName('retry');
  const request = {
    ClientRequestToken: randomUUID(),
    TransactItems: [put(uniqueName('side')), check(a, 'attribute_exists(pk)')],
  };
  await refused(dynamodb.transactWriteItems(request), 'TransactionCanceledException');
  await transact(put(a));
  await dynamodb.transactWriteItems(request);
});

test('takes a hundred actions, not a hundred and one', async () => {
  const prefix = uniqueName('hundred');
  await transact(...Array.from({ length: 100 }, (_, i) => put(`${prefix}-${i}`)));
  assert.notEqual(await read(`${prefix}-99`), undefined);
  await refused(transact(...Array.from({ length: 101 }, (_, i) => put(`${prefix}-more-${i}`))), 'ValidationException');
  assert.equal(await read(`${prefix}-more-0`), undefined);
});

test('refuses more than 4 MB', () =>
  refused(
    transact(...Array.from({ length: 11 }, (_, i) => put(uniqueName('big'), { body: S('x'.repeat(400_000)), i: N(i) }))),
    'ValidationException',
  ));

const refusals = [
  ['nothing', []],
  ['the same item twice', [put('same'), check('same', 'attribute_exists(pk)')]],
  ['an action that is none', [{}]],
  ['two actions in one', [{ ...put('one'), ...check('two', 'attribute_exists(pk)') }]],
  ['a check without a condition', [{ ConditionCheck: { TableName, Key: { pk: S('a') } } }]],
  ['a bad expression', [check('a', 'attribute_exists(')]],
  ['an unused value', [check('a', 'attribute_exists(pk)', { ExpressionAttributeValues: { ':x': N(1) } })]],
  ['an update without an expression', [{ Update: { TableName, Key: { pk: S('a') } } }]],
  ['an empty key', [put('')]],
];
for (const [what, TransactItems] of refusals) {
  test(`refuses ${what}`, () => refused(transact(...TransactItems), 'ValidationException'));
}

test('a key of the wrong type cancels', async () => {
  const error = await refused(
    transact({ Put: { TableName, Item: { pk: N(1) } } }, put(uniqueName('fine'))),
    'TransactionCanceledException',
  );
  assert.deepEqual(error.CancellationReasons.map(({ Code }) => Code), ['ValidationError', 'None']);
});

test('does not know a table that is not there', () =>
  refused(
    transact(put('a'), { Put: { TableName: 'no-such-table', Item: { pk: S('a') } } }),
    'ResourceNotFoundException',
    'Requested resource not found',
  ));
