// DeleteTable and ListTables.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTable, dynamodb, refused, S, tableInput, uniqueName, untilActive, untilGone } from '../harness/index.mjs';

test('a deleted table is gone with its items, and its name is free', async () => {
  const TableName = await createTable({ key: 'pk:S', global: { byTeam: 'team:S' } });
  await dynamodb.putItem({ TableName, Item: { pk: S('a'), team: S('t') } });
  const { TableDescription } = await dynamodb.deleteTable({ TableName });
  assert.equal(TableDescription.TableStatus, 'DELETING');
  await untilGone(dynamodb, TableName);
  await refused(dynamodb.getItem({ TableName, Key: { pk: S('a') } }), 'ResourceNotFoundException');
  await dynamodb.createTable(tableInput({ name: TableName, key: 'pk:S', global: { byTeam: 'team:S' } }));
  await untilActive(dynamodb, TableName);
  assert.equal((await dynamodb.scan({ TableName })).Count, 0);
  assert.equal((await dynamodb.scan({ TableName, IndexName: 'byTeam' })).Count, 0);
});

test('does not know a table that is not there', () =>
  refused(
    dynamodb.deleteTable({ TableName: 'no-such-table' }),
    'ResourceNotFoundException',
    'Requested resource not found: Table: no-such-table not found',
  ));

test('deletion protection holds until it is taken off', async () => {
  const TableName = await createTable({ DeletionProtectionEnabled: true });
  await refused(dynamodb.deleteTable({ TableName }), 'ValidationException', /deletion protection/i);
  await dynamodb.updateTable({ TableName, DeletionProtectionEnabled: false });
  await untilActive(dynamodb, TableName);
  await dynamodb.deleteTable({ TableName });
  await untilGone(dynamodb, TableName);
});

test('lists tables in order, page by page', async () => {
  const prefix = uniqueName('zz-list');
  const names = ['a', 'b', 'c', 'd', 'e'].map((letter) => `${prefix}-${letter}`);
  for (const name of names) await createTable({ name });
  let ExclusiveStartTableName = `${prefix}-`;
  const seen = [];
  for (;;) {
    const page = await dynamodb.listTables({ ExclusiveStartTableName, Limit: 2 });
    assert.ok(page.TableNames.length <= 2);
    seen.push(...page.TableNames.filter((name) => name.startsWith(prefix)));
    if (!page.LastEvaluatedTableName) break;
    assert.equal(page.LastEvaluatedTableName, page.TableNames.at(-1));
    ExclusiveStartTableName = page.LastEvaluatedTableName;
  }
  assert.deepEqual(seen, names);
});

for (const Limit of [0, 101]) {
  test(`refuses to list ${Limit} tables`, () => refused(dynamodb.listTables({ Limit }), 'ValidationException'));
}
