// BatchExecuteStatement and ExecuteTransaction: several PartiQL statements in
// one request. What is expected here was measured on Amazon's service.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createTable, dynamodb, N, refused, S, sameValue } from '../harness/index.mjs';

const table = await createTable({ key: 'pk:S sk:S', global: { gsi: 'g:S' } });
const statements = (list) => list.map((each) => (typeof each === 'string' ? { Statement: each } : each));
const batch = (list, more) => dynamodb.batchExecuteStatement({ Statements: statements(list), ...more });
const transact = (list, more) => dynamodb.executeTransaction({ TransactStatements: statements(list), ...more });
const put = (pk, item = {}) => dynamodb.putItem({ TableName: table, Item: { pk: S(pk), sk: S('1'), ...item } });
const get = async (pk) =>
  (await dynamodb.getItem({ TableName: table, Key: { pk: S(pk), sk: S('1') }, ConsistentRead: true })).Item;
const select = (where, what = '*') => `SELECT ${what} FROM "${table}" WHERE ${where}`;
const update = (pk, changes, rest = '') => `UPDATE "${table}" ${changes} WHERE pk = '${pk}' AND sk = '1'${rest}`;
const insert = (pk) => `INSERT INTO "${table}" VALUE {'pk': '${pk}', 'sk': '1'}`;

describe('BatchExecuteStatement', () => {
  test('answers each read for itself', async () => {
    await put('r1', { a: N(1) });
    const { Responses, ConsumedCapacity } = await batch(
      [
        { Statement: select(`pk = ? AND sk = '1'`, 'a'), Parameters: [S('r1')], ConsistentRead: true },
        select(`pk = 'none' AND sk = '1'`),
        select(`pk = 'r1'`),
        `SELECT * FROM "${table}"."gsi" WHERE g = 'x'`,
        `SLECT`,
        `SELECT * FROM "nowhere-at-all" WHERE pk = 'x'`,
        select(`pk IN ['r1'] AND sk = '1'`, 'sk'),
        select(`pk = 'r1' AND sk = '1' AND a = 1`),
      ],
      { ReturnConsumedCapacity: 'TOTAL' },
    );
    const needsKey = {
      Error: {
        Code: 'ValidationError',
        Message: 'Select statements within BatchExecuteStatement must specify the primary key in the where clause.',
      },
    };
    sameValue(Responses, [
      { TableName: table, Item: { a: N(1) } },
      { TableName: table },
      needsKey,
      needsKey,
      { Error: { Code: 'ValidationError', Message: 'Unsupported operation: Id' } },
      { Error: { Code: 'ResourceNotFound', Message: 'Requested resource not found' } },
      { TableName: table, Item: { sk: S('1') } },
      needsKey,
    ]);
    sameValue(ConsumedCapacity, [{ TableName: table, CapacityUnits: 2 }]);
  });

  test('makes each write for itself', async () => {
    await put('w1', { a: N(1) });
    const { Responses, ConsumedCapacity } = await batch(
      [
        insert('w2'),
        insert('w1'),
        update('w1', 'SET a = 2', ' AND a = 5'),
        update('w1', 'SET b = 3', ' RETURNING MODIFIED NEW *'),
        `DELETE FROM "${table}" WHERE pk = 'w1'`,
        { Statement: update('w1', 'SET c = ?'), Parameters: [{ SS: [] }] },
        `DELETE FROM "${table}" WHERE pk = 'x' AND sk = '1' RETURNING MODIFIED OLD *`,
      ],
      { ReturnConsumedCapacity: 'TOTAL' },
    );
    sameValue(Responses, [
      { TableName: table },
      { TableName: table, Error: { Code: 'DuplicateItem', Message: 'Duplicate primary key exists in table' } },
      { TableName: table, Error: { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' } },
      { TableName: table, Item: { b: N(3) } },
      {
        Error: {
          Code: 'ValidationError',
          Message: 'Where clause does not contain a mandatory equality on all key attributes',
        },
      },
      {
        Error: {
          Code: 'ValidationError',
          Message: 'One or more parameter values were invalid: An string set  may not be empty',
        },
      },
      {
        Error: {
          Code: 'ValidationError',
          Message:
            'Invalid returning clause: RETURNING MODIFIED OLD *. Only RETURNING ALL OLD * is allowed in DELETE statements.',
        },
      },
    ]);
    sameValue(ConsumedCapacity, [{ TableName: table, CapacityUnits: 2 }]);
    sameValue(await get('w1'), { pk: S('w1'), sk: S('1'), a: N(1), b: N(3) });
    assert.ok(await get('w2'));
  });

  test('nothing that succeeds costs nothing', async () => {
    await put('w3');
    const { ConsumedCapacity } = await batch([insert('w3')], { ReturnConsumedCapacity: 'TOTAL' });
    assert.equal(ConsumedCapacity, undefined);
  });

  test('refuses none, more than 25, and reads with writes', async () => {
    await refused(batch([]), 'ValidationException');
    await refused(batch(Array.from({ length: 26 }, (_, i) => insert(`many${i}`))), 'ValidationException');
    await refused(batch([insert('mixed'), select(`pk = 'r1' AND sk = '1'`)]), 'ValidationException', /both read and write/);
    assert.equal(await get('mixed'), undefined);
  });
});

describe('ExecuteTransaction', () => {
  const cancelled = async (call, ...codes) => {
    const error = await refused(call, 'TransactionCanceledException');
    assert.deepEqual(error.CancellationReasons.map(({ Code }) => Code), codes);
    return error.CancellationReasons;
  };
  const failedIn = (index, message) => ['ValidationException', `Validation failed in TransactStatements[${index}]: ${message}`];

  test('writes all or nothing', async () => {
    await put('t1', { a: N(1) });
    const { Responses, ConsumedCapacity } = await transact(
      [
        insert('t2'),
        update('t1', 'SET a = a + 1'),
        `DELETE FROM "${table}" WHERE pk = 't-none' AND sk = '1'`,
        `EXISTS(SELECT * FROM "${table}" WHERE pk = 'r1' AND sk = '1' AND nope IS MISSING)`,
      ],
      { ReturnConsumedCapacity: 'TOTAL' },
    );
    sameValue(Responses, []);
    sameValue(ConsumedCapacity, [{ TableName: table, CapacityUnits: 8, WriteCapacityUnits: 8 }]);
    sameValue((await get('t1')).a, N(2));

    const reasons = await cancelled(
      transact([insert('t2'), insert('t3'), { Statement: update('t1', 'SET b = 1', ' AND a = 9'), ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }]),
      'DuplicateItem', 'None', 'ConditionalCheckFailed',
    );
    assert.equal(reasons[0].Message, 'Duplicate primary key exists in table');
    sameValue(reasons[2].Item, { pk: S('t1'), sk: S('1'), a: N(2) });
    assert.equal(await get('t3'), undefined);
    await cancelled(
      transact([`EXISTS(SELECT * FROM "${table}" WHERE pk = 't1' AND sk = '1' AND a = 9)`, insert('t3')]),
      'ConditionalCheckFailed', 'None',
    );
    await cancelled(transact([update('t-none', 'SET a = 1')]), 'ConditionalCheckFailed');
  });

  test('reads together', async () => {
    await put('g1', { a: N(1) });
    const { Responses, ConsumedCapacity } = await transact(
      [select(`pk = 'g1' AND sk = '1'`, 'a'), select(`pk = 'none' AND sk = '1'`)],
      { ReturnConsumedCapacity: 'TOTAL' },
    );
    sameValue(Responses, [{ Item: { a: N(1) } }, {}]);
    sameValue(ConsumedCapacity, [{ TableName: table, CapacityUnits: 4, ReadCapacityUnits: 4 }]);
  });

  test('a token makes it once', async () => {
    await put('once', { n: N(0) });
    const ClientRequestToken = `token-${Date.now()}`;
    const again = () =>
      transact([update('once', 'SET n = n + 1')], { ClientRequestToken, ReturnConsumedCapacity: 'TOTAL' });
    sameValue((await again()).ConsumedCapacity, [{ TableName: table, CapacityUnits: 2, WriteCapacityUnits: 2 }]);
    sameValue((await again()).ConsumedCapacity, [{ TableName: table, CapacityUnits: 2, ReadCapacityUnits: 2 }]);
    sameValue((await get('once')).n, N(1));
    await refused(
      transact([update('once', 'SET n = n + 2')], { ClientRequestToken }), 'IdempotentParameterMismatchException',
    );
  });

  test('tables and keys that are not there cancel it', async () => {
    const mismatch = 'The provided key element does not match the schema';
    const change = (where) => `UPDATE "${table}" SET a = 1 WHERE ${where}`;
    const reasons = await cancelled(
      transact([change(`pk = 'k'`), change(`pk IN ['k'] AND sk = '1'`), change(`pk = 'k' AND sk = 1`), change(`pk = 'once' AND sk = '1'`)]),
      'ValidationError', 'ValidationError', 'ValidationError', 'None',
    );
    assert.equal(reasons[0].Message, mismatch);
    assert.equal(reasons[2].Message, mismatch);
    const inserts = await cancelled(transact([`INSERT INTO "${table}" VALUE {'pk': 'k'}`]), 'ValidationError');
    assert.equal(inserts[0].Message, 'One or more parameter values were invalid: Missing the key sk in the item');
    const missing = `UPDATE "nowhere-at-all" SET a = 1 WHERE pk = 'x' AND sk = '1'`;
    const [none] = await cancelled(transact([`${missing} RETURNING ALL NEW *`, insert('t9')]), 'ResourceNotFound', 'None');
    assert.equal(none.Message, 'Requested resource not found');
    await cancelled(
      transact([select(`pk = 'g1' AND sk = '1'`), select(`pk = 'g1' AND sk = 1`)]), 'None', 'ValidationError',
    );
  });

  test('says which statement it cannot take', async () => {
    const refusals = [
      [[update('x', 'SET a = 1', ' RETURNING ALL NEW *')], 0, 'RETURNING clause is not supported in ExecuteTransaction.'],
      [[`SELECT * FROM "${table}"."gsi" WHERE g = 'x'`], 0, 'Reads on indices are not supported within transactions.'],
      [[select(`pk = 'g1' AND sk = '1'`), select(`pk = 'g1'`)], 1,
        'Select statements within ExecuteTransaction must specify the primary key in the where clause.'],
      [[select(`pk = 'g1' AND sk = '1' AND a = 1`)], 0,
        'Select statements within ExecuteTransaction must specify the primary key in the where clause.'],
      [[`EXISTS(SELECT * FROM "${table}" WHERE pk = 'g1' AND sk = '1')`, insert('e')], 0,
        'EXISTS() must contain a single item read with additional condition'],
      [[`SELECT * FROM "${table}" WHERE`], 0, "Statement wasn't well formed, can't be processed: Unexpected term"],
      [[select(`pk IN ['a', 'a'] AND sk = '1'`)], 0,
        'Overlapping conditions with range keys are not supported in where clause'],
    ];
    for (const [list, index, message] of refusals) await refused(transact(list), ...failedIn(index, message));
    await refused(
      transact([select(`pk = 'g1' AND sk = '1'`), insert('e')]), 'ValidationException',
      'ExecuteTransaction API does not support both read and write operations in the same request.',
    );
    await refused(
      transact([update('x', 'SET a = 1'), update('x', 'SET b = 1')]), 'ValidationException',
      'Transaction request cannot include multiple operations on one item',
    );
    await refused(
      transact([{ Statement: update('x', 'SET a = ?'), Parameters: [N('1e99999999999')] }]), 'ValidationException',
      'The parameter cannot be converted to a numeric value: 1e99999999999',
    );
    await refused(transact([]), 'ValidationException');
  });
});
