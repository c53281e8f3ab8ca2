// Backups, and recovery to a point in time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTable, dynamodb, N, putAll, queryAll, refused, S, scanAll, uniqueName, untilActive } from '../harness/index.mjs';

const put = (TableName, pk, more = {}) => dynamodb.putItem({ TableName, Item: { pk: S(pk), ...more } });
const contents = async (TableName) =>
  (await scanAll({ TableName })).Items.sort((a, b) => (a.pk.S < b.pk.S ? -1 : 1));
const backUp = async (TableName, BackupName = 'monday') =>
  (await dynamodb.createBackup({ TableName, BackupName })).BackupDetails;

async function restore(BackupArn, more = {}) {
  const TargetTableName = uniqueName('restored');
  const { TableDescription } = await dynamodb.restoreTableFromBackup({ BackupArn, TargetTableName, ...more });
  assert.equal(TableDescription.TableStatus, 'CREATING');
  assert.equal(TableDescription.RestoreSummary.SourceBackupArn, BackupArn);
  assert.equal(TableDescription.RestoreSummary.RestoreInProgress, true);
  await untilActive(dynamodb, TargetTableName);
  return TargetTableName;
}

test('a backup is made, described, listed and deleted', async () => {
  const TableName = await createTable({ key: 'pk:S sk:N', global: { byOwner: 'owner:S' } });
  await dynamodb.putItem({ TableName, Item: { pk: S('a'), sk: N(1), owner: S('me') } });
  const made = await backUp(TableName);
  assert.equal(made.BackupStatus, 'CREATING');
  assert.equal(made.BackupType, 'USER');
  assert.equal(made.BackupExpiryDateTime, undefined);
  assert.match(made.BackupArn, new RegExp(`:table/${TableName}/backup/0\\d{13}-[0-9a-f]{8}$`));
  const { BackupArn } = made;
  const { BackupDescription } = await dynamodb.describeBackup({ BackupArn });
  assert.deepEqual(BackupDescription.BackupDetails, { ...made, BackupStatus: 'AVAILABLE' });
  const { Table } = await dynamodb.describeTable({ TableName });
  assert.deepEqual(BackupDescription.SourceTableDetails, {
    TableName,
    TableId: Table.TableId,
    TableArn: Table.TableArn,
    TableSizeBytes: Table.TableSizeBytes,
    KeySchema: Table.KeySchema,
    TableCreationDateTime: Table.CreationDateTime,
    ProvisionedThroughput: { ReadCapacityUnits: 0, WriteCapacityUnits: 0 },
    ItemCount: 1,
    BillingMode: 'PAY_PER_REQUEST',
  });
  const [index] = Table.GlobalSecondaryIndexes;
  assert.deepEqual(BackupDescription.SourceTableFeatureDetails, {
    GlobalSecondaryIndexes: [{
      IndexName: 'byOwner',
      KeySchema: index.KeySchema,
      Projection: index.Projection,
      ProvisionedThroughput: { ReadCapacityUnits: 0, WriteCapacityUnits: 0 },
    }],
  });
  const { BackupSummaries } = await dynamodb.listBackups({ TableName });
  assert.deepEqual(BackupSummaries.map((backup) => backup.BackupArn), [BackupArn]);
  const deleted = await dynamodb.deleteBackup({ BackupArn });
  assert.equal(deleted.BackupDescription.BackupDetails.BackupStatus, 'DELETED');
  const gone = `Backup not found: ${BackupArn}`;
  await refused(dynamodb.describeBackup({ BackupArn }), 'BackupNotFoundException', gone);
  await refused(dynamodb.deleteBackup({ BackupArn }), 'BackupNotFoundException', gone);
  assert.deepEqual((await dynamodb.listBackups({ TableName })).BackupSummaries, []);
});

test('a table comes back as it was, with its indexes, without stream, time to live and tags', async () => {
  const TableName = await createTable({
    global: { byOwner: 'owner:S' },
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
    Tags: [{ Key: 'team', Value: 'a' }],
  });
  await dynamodb.updateTimeToLive({ TableName, TimeToLiveSpecification: { Enabled: true, AttributeName: 'expires' } });
  await putAll(TableName, Array.from({ length: 300 }, (_, i) => ({ pk: S(`item${i}`), owner: S(`owner${i % 3}`) })));
  const before = await contents(TableName);
  const { BackupArn } = await backUp(TableName);
  await put(TableName, 'item1', { changed: S('yes') });
  await dynamodb.deleteTable({ TableName });
  const restored = await restore(BackupArn);
  assert.deepEqual(await contents(restored), before);
  const { Table } = await dynamodb.describeTable({ TableName: restored });
  assert.equal(Table.RestoreSummary, undefined);
  assert.equal(Table.StreamSpecification, undefined);
  assert.equal(Table.ItemCount, 300);
  const { Count } = await queryAll({
    TableName: restored,
    IndexName: 'byOwner',
    KeyConditionExpression: '#owner = :owner',
    ExpressionAttributeNames: { '#owner': 'owner' },
    ExpressionAttributeValues: { ':owner': S('owner0') },
  });
  assert.equal(Count, 100);
  const { TimeToLiveDescription } = await dynamodb.describeTimeToLive({ TableName: restored });
  assert.equal(TimeToLiveDescription.TimeToLiveStatus, 'DISABLED');
  assert.deepEqual((await dynamodb.listTagsOfResource({ ResourceArn: Table.TableArn })).Tags, []);
});

test('a restore may leave indexes out and bill otherwise', async () => {
  const TableName = await createTable({ global: { byOwner: 'owner:S' } });
  await put(TableName, 'a', { owner: S('x') });
  const { BackupArn } = await backUp(TableName);
  const restored = await restore(BackupArn, {
    GlobalSecondaryIndexOverride: [],
    BillingModeOverride: 'PROVISIONED',
    ProvisionedThroughputOverride: { ReadCapacityUnits: 2, WriteCapacityUnits: 3 },
  });
  const { Table } = await dynamodb.describeTable({ TableName: restored });
  assert.equal(Table.GlobalSecondaryIndexes, undefined);
  assert.equal(Table.ProvisionedThroughput.WriteCapacityUnits, 3);
  const TargetTableName = uniqueName();
  await refused(
    dynamodb.restoreTableFromBackup({ BackupArn, TargetTableName, BillingModeOverride: 'PROVISIONED' }),
    'ValidationException',
    'Must override ProvisionedThroughput if BillingMode is overridden to PROVISIONED',
  );
  await refused(dynamodb.restoreTableFromBackup({ BackupArn, TargetTableName: TableName }), 'TableAlreadyExistsException',
    `Table already exists: ${TableName}`);
});

test('backups are listed by table, time and type, in pages', async () => {
  const TableName = await createTable();
  const made = [];
  for (const name of ['one', 'two', 'three']) {
    made.push(await backUp(TableName, name));
    await sleep(5);
  }
  const names = async (more) =>
    (await dynamodb.listBackups({ TableName, ...more })).BackupSummaries.map((backup) => backup.BackupName);
  assert.deepEqual(await names(), ['one', 'two', 'three']);
  assert.deepEqual(await names({ TimeRangeLowerBound: made[1].BackupCreationDateTime }), ['two', 'three']);
  assert.deepEqual(await names({ TimeRangeUpperBound: made[1].BackupCreationDateTime }), ['one']);
  assert.deepEqual(await names({ BackupType: 'SYSTEM' }), []);
  const first = await dynamodb.listBackups({ TableName, Limit: 2 });
  assert.equal(first.LastEvaluatedBackupArn, made[1].BackupArn);
  assert.deepEqual(await names({ Limit: 2, ExclusiveStartBackupArn: first.LastEvaluatedBackupArn }), ['three']);
});

test('refuses what is not there', async () => {
  await refused(dynamodb.createBackup({ TableName: 'no-such-table', BackupName: 'abc' }), 'TableNotFoundException',
    'Table not found: no-such-table');
  const arn = 'arn:aws:dynamodb:us-east-1:123456789012:table/none/backup/01791504762511-2779fadd';
  await refused(dynamodb.describeBackup({ BackupArn: arn }), 'BackupNotFoundException', `Backup not found: ${arn}`);
  await refused(dynamodb.restoreTableFromBackup({ BackupArn: arn, TargetTableName: 'other' }), 'BackupNotFoundException');
  await refused(
    dynamodb.restoreTableFromBackup({ BackupArn: 'arn:aws:dynamodb:us-east-1:123456789012:table/none', TargetTableName: 'other' }),
    'ValidationException', 'Invalid Backup ARN');
});

const setRecovery = async (TableName, PointInTimeRecoveryEnabled, RecoveryPeriodInDays) =>
  (await dynamodb.updateContinuousBackups({
    TableName,
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled, RecoveryPeriodInDays },
  })).ContinuousBackupsDescription;
const describeRecovery = async (TableName) =>
  (await dynamodb.describeContinuousBackups({ TableName })).ContinuousBackupsDescription;

test('recovery is turned on and off', async () => {
  const TableName = await createTable();
  const off = { ContinuousBackupsStatus: 'ENABLED', PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: 'DISABLED' } };
  assert.deepEqual(await describeRecovery(TableName), off);
  const { PointInTimeRecoveryDescription: on } = await setRecovery(TableName, true);
  assert.equal(on.PointInTimeRecoveryStatus, 'ENABLED');
  assert.equal(on.RecoveryPeriodInDays, 35);
  assert.ok(on.EarliestRestorableDateTime <= on.LatestRestorableDateTime);
  const { PointInTimeRecoveryDescription: shorter } = await setRecovery(TableName, true, 7);
  assert.equal(shorter.RecoveryPeriodInDays, 7);
  assert.deepEqual(shorter.EarliestRestorableDateTime, on.EarliestRestorableDateTime);
  assert.deepEqual(await setRecovery(TableName, false), off);
  await refused(setRecovery(TableName, true, 36), 'ValidationException', /less than or equal to 35/);
  await refused(describeRecovery('no-such-table'), 'TableNotFoundException', 'Table not found: no-such-table');
});

async function past(SourceTableName, RestoreDateTime) {
  const TargetTableName = uniqueName('past');
  const { TableDescription } = await dynamodb.restoreTableToPointInTime({ SourceTableName, TargetTableName, RestoreDateTime });
  assert.match(TableDescription.RestoreSummary.SourceTableArn, new RegExp(`/${SourceTableName}$`));
  assert.equal(TableDescription.RestoreSummary.SourceBackupArn, undefined);
  await untilActive(dynamodb, TargetTableName);
  return contents(TargetTableName);
}

test('a table is brought back to moments of its past', async () => {
  const TableName = await createTable();
  await put(TableName, 'before', { version: N(0) });
  await setRecovery(TableName, true);
  const moments = [];
  for (let version = 1; version <= 5; ++version) {
    await sleep(20);
    await put(TableName, 'changing', { version: N(version) });
    await put(TableName, `new${version}`, { version: N(version) });
    if (version > 2) await dynamodb.deleteItem({ TableName, Key: { pk: S(`new${version - 2}`) } });
    await sleep(20);
    moments.push([new Date(), await contents(TableName)]);
  }
  for (const [moment, expected] of moments) assert.deepEqual(await past(TableName, moment), expected);
});

test('a past that is none is refused', async () => {
  const TableName = await createTable();
  const restoring = (more) =>
    dynamodb.restoreTableToPointInTime({ SourceTableName: TableName, TargetTableName: uniqueName(), ...more });
  await refused(restoring({ UseLatestRestorableTime: true }), 'PointInTimeRecoveryUnavailableException',
    `Point in time recovery is not enabled for table '${TableName}'`);
  await setRecovery(TableName, true);
  await refused(restoring({}), 'ValidationException',
    'Either one of RestoreDateTime or UseLatestRestorableTime must be specified');
  await refused(restoring({ UseLatestRestorableTime: true, RestoreDateTime: new Date() }), 'ValidationException',
    'Both RestoreDateTime and UseLatestRestorableTime cannot be set');
  await refused(restoring({ RestoreDateTime: new Date(Date.now() + 60_000) }), 'InvalidRestoreTimeException');
  await refused(restoring({ RestoreDateTime: new Date(0) }), 'InvalidRestoreTimeException');
});

test('a table with recovery leaves a backup of the system when it is deleted', async () => {
  const TableName = await createTable();
  await setRecovery(TableName, true);
  await put(TableName, 'a');
  await dynamodb.deleteTable({ TableName });
  const { BackupSummaries } = await dynamodb.listBackups({ TableName, BackupType: 'ALL' });
  assert.equal(BackupSummaries.length, 1);
  const [{ BackupArn, BackupName, BackupType, BackupExpiryDateTime, BackupCreationDateTime }] = BackupSummaries;
  assert.equal(BackupName, `${TableName}$DeletedTableBackup`);
  assert.equal(BackupType, 'SYSTEM');
  assert.equal(BackupExpiryDateTime - BackupCreationDateTime, 35 * 24 * 3600 * 1000);
  await refused(dynamodb.deleteBackup({ BackupArn }), 'ValidationException');
  assert.equal((await contents(await restore(BackupArn))).length, 1);
});
