// Transactions that want the same items at the same time: none is lost, none
// is half done, none waits for another for ever.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTable, dynamodb, N, queryAll, S, scanAll } from '../harness/index.mjs';

const ACCOUNTS = 6;
const TableName = await createTable({ key: 'pk:S', global: { byKind: { key: 'kind:S' } } });
const name = (i) => `account-${i}`;

function transfer(from, to, amount) {
  const change = (pk, by, more = {}) => ({
    Update: {
      TableName,
      Key: { pk: S(pk) },
      UpdateExpression: 'SET balance = balance + :by',
      ExpressionAttributeValues: { ':by': N(by), ...more.values },
      ConditionExpression: more.condition,
    },
  });
  return dynamodb.transactWriteItems({
    TransactItems: [
      change(from, -amount, { condition: 'balance >= :amount', values: { ':amount': N(amount) } }),
      change(to, amount),
    ],
  });
}

test('money moves but never appears or vanishes', { timeout: 120_000 }, async () => {
  for (let i = 0; i < ACCOUNTS; i++) {
    await dynamodb.putItem({ TableName, Item: { pk: S(name(i)), balance: N(100), kind: S('account') } });
  }
  const outcomes = { done: 0, ConditionalCheckFailed: 0, TransactionConflict: 0 };
  await Promise.all(
    Array.from({ length: 16 }, async (_, worker) => {
      for (let turn = 0; turn < 25; turn++) {
        const from = (worker + turn) % ACCOUNTS;
        const to = (from + 1 + ((worker * 7 + turn) % (ACCOUNTS - 1))) % ACCOUNTS;
        try {
          await transfer(name(from), name(to), 1 + ((worker + turn) % 60));
          outcomes.done++;
        } catch (error) {
          assert.equal(error.name, 'TransactionCanceledException', error.message);
          const code = error.CancellationReasons.map(({ Code }) => Code).find((found) => found !== 'None');
          assert.ok(code in outcomes, `unexpected reason ${code}`);
          outcomes[code]++;
        }
      }
    }),
  );
  const sum = (items) => items.reduce((total, { balance }) => total + Number(balance.N), 0);
  const { Items } = await scanAll({ TableName, ConsistentRead: true });
  assert.equal(sum(Items), ACCOUNTS * 100);
  assert.ok(Items.every(({ balance }) => Number(balance.N) >= 0));
  const indexed = await queryAll({
    TableName,
    IndexName: 'byKind',
    KeyConditionExpression: 'kind = :k',
    ExpressionAttributeValues: { ':k': S('account') },
  });
  assert.equal(sum(indexed.Items), ACCOUNTS * 100);
  assert.ok(outcomes.done > 0, JSON.stringify(outcomes));
});

test('single writes beside transactions either count or say conflict', { timeout: 120_000 }, async () => {
  const keys = ['left', 'right'];
  for (const pk of keys) await dynamodb.putItem({ TableName, Item: { pk: S(pk), n: N(0) } });
  const add = (pk) => ({
    TableName,
    Key: { pk: S(pk) },
    UpdateExpression: 'ADD n :one',
    ExpressionAttributeValues: { ':one': N(1) },
  });
  let expected = 0;
  await Promise.all(
    Array.from({ length: 10 }, async (_, worker) => {
      for (let turn = 0; turn < 20; turn++) {
        try {
          if (worker % 2) {
            await dynamodb.updateItem(add(keys[turn % 2]));
            expected += 1;
          } else {
            await dynamodb.transactWriteItems({ TransactItems: keys.map((pk) => ({ Update: add(pk) })) });
            expected += 2;
          }
        } catch (error) {
          assert.ok(['TransactionConflictException', 'TransactionCanceledException'].includes(error.name), error.message);
        }
      }
    }),
  );
  const { Responses } = await dynamodb.transactGetItems({
    TransactItems: keys.map((pk) => ({ Get: { TableName, Key: { pk: S(pk) } } })),
  });
  assert.equal(Responses.reduce((total, { Item }) => total + Number(Item.n.N), 0), expected);
});
