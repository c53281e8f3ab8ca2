// UpdateTable: settings, and indexes that come and go on a live table.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTable, dynamodb, N, putAll, queryAll, refused, S, scanAll, uniqueName, untilActive, untilIndexGone } from '../harness/index.mjs';

const create = (IndexName, attribute, more = {}) => ({
  AttributeDefinitions: [{ AttributeName: attribute, AttributeType: 'S' }],
  GlobalSecondaryIndexUpdates: [
    {
      Create: {
        IndexName,
        KeySchema: [{ AttributeName: attribute, KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
        ...more,
      },
    },
  ],
});
const remove = (IndexName) => ({ GlobalSecondaryIndexUpdates: [{ Delete: { IndexName } }] });

test('an index added to a full table gets every item, also those written meanwhile', async () => {
  const TableName = await createTable({ key: 'pk:S' });
  const row = (i) => ({ pk: S(`r${i}`), ...(i % 2 ? { team: S(`t${i % 5}`) } : {}), n: N(i) });
  await putAll(TableName, Array.from({ length: 1000 }, (_, i) => row(i)));

  const { TableDescription } = await dynamodb.updateTable({ TableName, ...create('byTeam', 'team') });
  assert.equal(TableDescription.GlobalSecondaryIndexes[0].IndexStatus, 'CREATING');
  const meanwhile = (async () => {
    for (let i = 1000; i < 1100; i++) await dynamodb.putItem({ TableName, Item: row(i) });
    for (let i = 1; i < 100; i += 2) await dynamodb.deleteItem({ TableName, Key: { pk: S(`r${i}`) } });
  })();
  await meanwhile;
  await untilActive(dynamodb, TableName);

  const { Items } = await scanAll({ TableName, IndexName: 'byTeam' });
  const { Items: all } = await scanAll({ TableName, FilterExpression: 'attribute_exists(team)' });
  const names = (items) => items.map(({ pk }) => pk.S).sort();
  assert.deepEqual(names(Items), names(all));
  assert.equal(Items.length, 500 - 50 + 50);

  await dynamodb.updateTable({ TableName, ...remove('byTeam') });
  const Table = await untilIndexGone(dynamodb, TableName, 'byTeam');
  assert.equal(Table.GlobalSecondaryIndexes, undefined);
  await refused(dynamodb.scan({ TableName, IndexName: 'byTeam' }), 'ValidationException');
});

test('backfill leaves out items whose attribute is of another type', async () => {
  const TableName = await createTable({ key: 'pk:S' });
  await putAll(TableName, [{ pk: S('fits'), team: S('a') }, { pk: S('does not'), team: N(1) }, { pk: S('empty'), team: S('') }]);
  await dynamodb.updateTable({ TableName, ...create('byTeam', 'team') });
  await untilActive(dynamodb, TableName);
  const { Items } = await scanAll({ TableName, IndexName: 'byTeam' });
  assert.deepEqual(Items.map(({ pk }) => pk.S), ['fits']);
});

test('an index can come back with another key', async () => {
  const TableName = await createTable({ key: 'pk:S', global: { index: 'a:S' } });
  await putAll(TableName, [{ pk: S('x'), a: S('1'), b: S('2') }]);
  await dynamodb.updateTable({ TableName, ...remove('index') });
  await untilIndexGone(dynamodb, TableName, 'index');
  await dynamodb.updateTable({ TableName, ...create('index', 'b') });
  await untilActive(dynamodb, TableName);
  const { Count } = await queryAll({
    TableName,
    IndexName: 'index',
    KeyConditionExpression: 'b = :b',
    ExpressionAttributeValues: { ':b': S('2') },
  });
  assert.equal(Count, 1);
});

test('changes the billing mode and the throughput', async () => {
  const TableName = await createTable();
  await dynamodb.updateTable({
    TableName,
    BillingMode: 'PROVISIONED',
    ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 6 },
  });
  let Table = await untilActive(dynamodb, TableName);
  assert.equal(Table.ProvisionedThroughput.WriteCapacityUnits, 6);
  await dynamodb.updateTable({ TableName, ProvisionedThroughput: { ReadCapacityUnits: 7, WriteCapacityUnits: 6 } });
  Table = await untilActive(dynamodb, TableName);
  assert.equal(Table.ProvisionedThroughput.ReadCapacityUnits, 7);
  await dynamodb.updateTable({ TableName, BillingMode: 'PAY_PER_REQUEST' });
  Table = await untilActive(dynamodb, TableName);
  assert.equal(Table.BillingModeSummary.BillingMode, 'PAY_PER_REQUEST');
});

const settings = [
  ['the table class', { TableClass: 'STANDARD_INFREQUENT_ACCESS' }, (table) => table.TableClassSummary.TableClass, 'STANDARD_INFREQUENT_ACCESS'],
  ['deletion protection', { DeletionProtectionEnabled: true }, (table) => table.DeletionProtectionEnabled, true],
  ['the stream', { StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' } }, (table) => table.StreamSpecification.StreamViewType, 'KEYS_ONLY'],
  ['on-demand limits', { OnDemandThroughput: { MaxReadRequestUnits: 10, MaxWriteRequestUnits: 20 } }, (table) => table.OnDemandThroughput.MaxWriteRequestUnits, 20],
  ['warm throughput', { WarmThroughput: { ReadUnitsPerSecond: 15000, WriteUnitsPerSecond: 5000 } }, (table) => table.WarmThroughput.ReadUnitsPerSecond, 15000],
];
for (const [what, change, look, expected] of settings) {
  test(`changes ${what}`, async () => {
    const TableName = await createTable();
    await dynamodb.updateTable({ TableName, ...change });
    assert.equal(look(await untilActive(dynamodb, TableName)), expected);
  });
}

test('refuses what makes no change and what makes no sense', async () => {
  const TableName = await createTable({ key: 'pk:S', global: { index: 'a:S' } });
  const attempts = [
    {},
    { ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 } },
    { BillingMode: 'PROVISIONED' },
    create('index', 'a'),
    create('x', 'a'),
    { ...create('other', 'b'), AttributeDefinitions: undefined },
    { GlobalSecondaryIndexUpdates: [{}] },
    { GlobalSecondaryIndexUpdates: [...create('one', 'a').GlobalSecondaryIndexUpdates, ...create('two', 'a').GlobalSecondaryIndexUpdates, ...remove('index').GlobalSecondaryIndexUpdates] },
  ];
  for (const attempt of attempts) {
    await assert.rejects(dynamodb.updateTable({ TableName, ...attempt }), (error) =>
      ['ValidationException', 'LimitExceededException'].includes(error.name),
    );
  }
  await refused(dynamodb.updateTable({ TableName, ...remove('nowhere') }), 'ResourceNotFoundException');
  await refused(
    dynamodb.updateTable({ TableName: uniqueName('none'), DeletionProtectionEnabled: true }),
    'ResourceNotFoundException',
  );
});
