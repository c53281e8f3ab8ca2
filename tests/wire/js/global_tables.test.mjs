// Global tables of both versions: this server is one region, and says so.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTable, dynamodb, refused, REGION } from '../harness/index.mjs';

const LEGACY =
  'One or more parameter values were invalid: DynamoDB global tables version 2017.11.29 is not supported. We recommend ' +
  'using DynamoDB global tables version 2019.11.21, instead of version 2017.11.29 (Legacy).';

test('those of 2017 are made no more, and there are none', async () => {
  const name = await createTable();
  const missing = (GlobalTableName) => `Global table with name: '${GlobalTableName}' does not exist.`;
  await refused(
    dynamodb.createGlobalTable({ GlobalTableName: name, ReplicationGroup: [{ RegionName: REGION }] }), 'ValidationException', LEGACY);
  assert.deepEqual((await dynamodb.listGlobalTables({ Limit: 1, RegionName: REGION })).GlobalTables, []);
  for (const GlobalTableName of [name, 'nowhere']) {
    await refused(dynamodb.describeGlobalTable({ GlobalTableName }), 'GlobalTableNotFoundException',
      `Global table not found: ${missing(GlobalTableName)}`);
    await refused(dynamodb.describeGlobalTableSettings({ GlobalTableName }), 'GlobalTableNotFoundException', missing(GlobalTableName));
    await refused(dynamodb.updateGlobalTableSettings({ GlobalTableName, GlobalTableBillingMode: 'PROVISIONED' }),
      'GlobalTableNotFoundException', missing(GlobalTableName));
    const change = (...ReplicaUpdates) => dynamodb.updateGlobalTable({ GlobalTableName, ReplicaUpdates });
    await refused(change({ Delete: { RegionName: REGION } }), 'GlobalTableNotFoundException', missing(GlobalTableName));
    await refused(change({ Create: { RegionName: REGION } }), 'ValidationException', LEGACY);
    await refused(change(), 'ValidationException', 'One or more parameter values were invalid');
  }
  await refused(dynamodb.describeGlobalTable({ GlobalTableName: 'ab' }), 'ValidationException',
    "1 validation error detected: Value 'ab' at 'globalTableName' failed to satisfy constraint: Member must have length greater than or equal to 3");
});

test('those of 2019 need replicas in other regions, which are refused', async () => {
  const TableName = await createTable();
  const change = (more) => dynamodb.updateTable({ TableName, ...more });
  await refused(change({ ReplicaUpdates: [{ Create: { RegionName: 'eu-south-2' } }] }), 'ValidationException',
    'Region eu-south-2 is not supported. The latest version of global tables are only supported in the following regions: ' +
    `[${REGION}]. This server is one machine in one region, and keeps no replicas.`);
  await refused(change({ ReplicaUpdates: [{ Create: { RegionName: REGION } }] }), 'ValidationException',
    'Cannot add or delete the local region through ReplicaUpdates. Use CreateTable, DeleteTable, or UpdateTable as required.');
  await refused(change({ ReplicaUpdates: [{ Delete: { RegionName: 'eu-south-2' } }] }), 'ValidationException',
    'Update global table operation failed because one or more replicas were not part of the global table. Please retry ' +
    'the request without these replicas: [eu-south-2].');
  await refused(change({ MultiRegionConsistency: 'STRONG' }), 'ValidationException', /^At least one of ProvisionedThroughput, /);
  const { Table } = await dynamodb.describeTable({ TableName });
  for (const member of ['GlobalTableVersion', 'Replicas', 'MultiRegionConsistency', 'GlobalTableWitnesses']) {
    assert.equal(Table[member], undefined, member);
  }
});

test('auto scaling of replicas is for global tables only', async () => {
  for (const TableName of [await createTable(), 'nowhere']) {
    const words = `Global table with name: '${TableName}' does not exist.`;
    await refused(dynamodb.describeTableReplicaAutoScaling({ TableName }), 'ResourceNotFoundException', words);
    await refused(
      dynamodb.updateTableReplicaAutoScaling({ TableName, ProvisionedWriteCapacityAutoScalingUpdate: { AutoScalingDisabled: true } }),
      'ResourceNotFoundException', words);
    await refused(dynamodb.updateTableReplicaAutoScaling({ TableName, ReplicaUpdates: [] }), 'ValidationException',
      "1 validation error detected: Value '[]' at 'replicaUpdates' failed to satisfy constraint: Member must have length greater than or equal to 1");
  }
});
