// CreateTable and DescribeTable: what a table is, and what it cannot be.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTable, dynamodb, projection, refused, tableInput, uniqueName, untilActive } from '../harness/index.mjs';

const arn = /^arn:aws:dynamodb:[a-z0-9-]+:\d{12}:table\//;

test('describes an on-demand table', async () => {
  const input = tableInput({ key: 'pk:S sk:N' });
  const { TableDescription } = await dynamodb.createTable(input);
  assert.ok(['CREATING', 'ACTIVE'].includes(TableDescription.TableStatus));
  const Table = await untilActive(dynamodb, input.TableName);
  assert.equal(Table.TableName, input.TableName);
  assert.deepEqual(Table.KeySchema, input.KeySchema);
  assert.equal(Table.AttributeDefinitions.length, 2);
  assert.equal(Table.ItemCount, 0);
  assert.equal(Table.TableSizeBytes, 0);
  assert.match(Table.TableArn, arn);
  assert.ok(Table.TableArn.endsWith(`/${input.TableName}`));
  assert.match(Table.TableId, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  assert.ok(Math.abs(Table.CreationDateTime - Date.now()) < 60_000);
  assert.equal(Table.BillingModeSummary.BillingMode, 'PAY_PER_REQUEST');
  assert.equal(Table.ProvisionedThroughput.ReadCapacityUnits, 0);
  assert.equal(Table.DeletionProtectionEnabled, false);
});

test('describes a provisioned table', async () => {
  const TableName = await createTable({
    BillingMode: 'PROVISIONED',
    ProvisionedThroughput: { ReadCapacityUnits: 3, WriteCapacityUnits: 4 },
  });
  const { Table } = await dynamodb.describeTable({ TableName });
  const { ReadCapacityUnits, WriteCapacityUnits, NumberOfDecreasesToday } = Table.ProvisionedThroughput;
  assert.deepEqual([ReadCapacityUnits, WriteCapacityUnits, NumberOfDecreasesToday], [3, 4, 0]);
});

test('describes its indexes', async () => {
  const TableName = await createTable({
    key: 'pk:S sk:N',
    local: { local: { key: 'pk:S rank:N', projection: ['a', 'b'] } },
    global: { one: { key: 'team:S', projection: 'KEYS_ONLY' }, two: { key: 'team:S rank:N' } },
  });
  const { Table } = await dynamodb.describeTable({ TableName });
  const [local] = Table.LocalSecondaryIndexes;
  assert.equal(local.IndexName, 'local');
  assert.deepEqual(local.Projection, projection(['a', 'b']));
  assert.equal(local.IndexArn, `${Table.TableArn}/index/local`);
  const globals = Object.fromEntries(Table.GlobalSecondaryIndexes.map((index) => [index.IndexName, index]));
  assert.deepEqual(Object.keys(globals).sort(), ['one', 'two']);
  assert.deepEqual(globals.one.Projection, { ProjectionType: 'KEYS_ONLY' });
  assert.deepEqual(globals.two.KeySchema, [
    { AttributeName: 'team', KeyType: 'HASH' },
    { AttributeName: 'rank', KeyType: 'RANGE' },
  ]);
  assert.equal(globals.two.IndexStatus, 'ACTIVE');
});

test('keeps tags, stream settings, class and protection given at creation', async () => {
  const TableName = await createTable({
    Tags: [{ Key: 'owner', Value: 'tests' }],
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    TableClass: 'STANDARD_INFREQUENT_ACCESS',
    DeletionProtectionEnabled: true,
  });
  const { Table } = await dynamodb.describeTable({ TableName });
  assert.deepEqual(Table.StreamSpecification, { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' });
  assert.match(Table.LatestStreamArn, /\/stream\//);
  assert.equal(Table.TableClassSummary.TableClass, 'STANDARD_INFREQUENT_ACCESS');
  assert.equal(Table.DeletionProtectionEnabled, true);
  const { Tags } = await dynamodb.listTagsOfResource({ ResourceArn: Table.TableArn });
  assert.deepEqual(Tags, [{ Key: 'owner', Value: 'tests' }]);
});

test('a name can be used once', async () => {
  const TableName = await createTable();
  await refused(dynamodb.createTable(tableInput({ name: TableName })), 'ResourceInUseException');
});

test('a name may be an ARN when reading', async () => {
  const TableName = await createTable();
  const { Table } = await dynamodb.describeTable({ TableName });
  const again = await dynamodb.describeTable({ TableName: Table.TableArn });
  assert.equal(again.Table.TableName, TableName);
});

const index = (IndexName, more = {}) => ({
  IndexName,
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }, { AttributeName: 'rank', KeyType: 'RANGE' }],
  Projection: { ProjectionType: 'ALL' },
  ...more,
});
const ranked = (more) => ({ ...tableInput({ key: 'pk:S sk:N', local: { given: 'pk:S rank:N' } }), ...more });
const refusals = [
  ['a name of two letters', tableInput({ name: 'ab' })],
  ['a name with a space', tableInput({ name: 'a table' })],
  ['a name of 256 letters', tableInput({ name: 'a'.repeat(256) })],
  ['no key schema', { ...tableInput({}), KeySchema: undefined }],
  ['an empty key schema', { ...tableInput({}), KeySchema: [] }],
  ['a sort key alone', { ...tableInput({}), KeySchema: [{ AttributeName: 'pk', KeyType: 'RANGE' }] }],
  ['a key that is not defined', { ...tableInput({}), AttributeDefinitions: [{ AttributeName: 'other', AttributeType: 'S' }] }],
  ['a definition that no key uses', tableInput({ AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }, { AttributeName: 'x', AttributeType: 'S' }] })],
  ['a key of a type that is no key type', tableInput({ AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'SS' }] })],
  ['one attribute as both keys', tableInput({ key: 'pk:S pk:S' })],
  ['an unknown billing mode', tableInput({ BillingMode: 'FREE' })],
  ['throughput on demand', tableInput({ ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 } })],
  ['no throughput when provisioned', tableInput({ BillingMode: 'PROVISIONED' })],
  ['zero throughput', tableInput({ BillingMode: 'PROVISIONED', ProvisionedThroughput: { ReadCapacityUnits: 0, WriteCapacityUnits: 1 } })],
  ['a local index without a sort key of the table', tableInput({ key: 'pk:S', local: { byRank: 'pk:S rank:N' } })],
  ['a local index with another partition key', tableInput({ key: 'pk:S sk:N', local: { byRank: 'rank:N pk:S' } })],
  ['a local index without a sort key', tableInput({ key: 'pk:S sk:N', local: { byRank: 'pk:S' } })],
  ['six local indexes', ranked({ LocalSecondaryIndexes: Array.from({ length: 6 }, (_, i) => index(`index${i}`)) })],
  ['21 global indexes', tableInput({ key: 'pk:S', global: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`index${i}`, 'pk:S'])) })],
  ['two indexes of one name', ranked({ LocalSecondaryIndexes: [index('same'), index('same')] })],
  ['an empty list of indexes', tableInput({ GlobalSecondaryIndexes: [] })],
  ['INCLUDE without attributes', ranked({ LocalSecondaryIndexes: [index('given', { Projection: { ProjectionType: 'INCLUDE' } })] })],
  ['ALL with attributes', ranked({ LocalSecondaryIndexes: [index('given', { Projection: { ProjectionType: 'ALL', NonKeyAttributes: ['a'] } })] })],
  ['an unknown projection', ranked({ LocalSecondaryIndexes: [index('given', { Projection: { ProjectionType: 'SOME' } })] })],
  ['a stream without a view', tableInput({ StreamSpecification: { StreamEnabled: true } })],
  ['a tag key of Amazon\'s', tableInput({ Tags: [{ Key: 'aws:x', Value: 'y' }] })],
];
for (const [what, input] of refusals) {
  test(`refuses ${what}`, async () => {
    await refused(dynamodb.createTable(input), 'ValidationException');
    const { TableNames } = await dynamodb.listTables({ ExclusiveStartTableName: 'aaa' });
    assert.equal(TableNames.includes(input.TableName), false);
  });
}

test('DescribeTable does not know a table that is not there', () =>
  refused(
    dynamodb.describeTable({ TableName: 'no-such-table' }),
    'ResourceNotFoundException',
    'Requested resource not found: Table: no-such-table not found',
  ));

test('counts its items', async () => {
  const TableName = await createTable();
  const item = { pk: { S: uniqueName() }, body: { S: 'x'.repeat(1000) } };
  await dynamodb.putItem({ TableName, Item: item });
  const { Table } = await dynamodb.describeTable({ TableName });
  assert.ok(Table.ItemCount <= 1 && Table.TableSizeBytes <= 1100);
});
