// EnableKinesisStreamingDestination and its kind: kept and described, though
// nothing is sent.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, createTable, dynamodb, refused, REGION, tableInput, uniqueName } from '../harness/index.mjs';
import { startServer, temporaryFolder } from '../harness/server.mjs';

const stream = (name, region = REGION) => `arn:aws:kinesis:${region}:123456789012:stream/${name}`;
const members = ({ $metadata, ...rest }) => rest;
const configuration = (precision) => precision && { ApproximateCreationDateTimePrecision: precision };
const enable = async (TableName, StreamArn, precision) => members(await dynamodb.enableKinesisStreamingDestination(
  { TableName, StreamArn, EnableKinesisStreamingConfiguration: configuration(precision) }));
const disable = async (TableName, StreamArn, more = {}) =>
  members(await dynamodb.disableKinesisStreamingDestination({ TableName, StreamArn, ...more }));
const update = async (TableName, StreamArn, precision) => members(await dynamodb.updateKinesisStreamingDestination(
  { TableName, StreamArn, UpdateKinesisStreamingConfiguration: configuration(precision) }));
const destinations = async (TableName) =>
  (await dynamodb.describeKinesisStreamingDestination({ TableName })).KinesisDataStreamDestinations;
const brief = async (TableName) =>
  (await destinations(TableName)).map(({ StreamArn, DestinationStatus }) => [StreamArn.split('/')[1], DestinationStatus]);

const STATE = 'Table is not in a valid state to enable Kinesis Streaming Destination: ';
const BUSY = `${STATE}EnableKinesisStreamingDestination must be DISABLED or ENABLE_FAILED to perform ENABLE operation.`;
const IDLE = `${STATE}KinesisStreamingDestination must be ACTIVE to perform DISABLE operation.`;

test('a destination is enabled, changed, disabled and enabled again', async () => {
  const TableName = await createTable();
  const StreamArn = stream('orders');
  assert.deepEqual(await destinations(TableName), []);
  assert.deepEqual(await enable(TableName, StreamArn),
    { TableName, StreamArn, DestinationStatus: 'ENABLING', EnableKinesisStreamingConfiguration: {} });
  const [made] = await destinations(TableName);
  assert.match(made.DestinationStatusDescription, /nothing is sent .*`taula trigger`/);
  assert.deepEqual({ ...made, DestinationStatusDescription: '' }, { StreamArn, DestinationStatus: 'ACTIVE', DestinationStatusDescription: '' });
  await refused(enable(TableName, StreamArn), 'ValidationException', BUSY);
  await refused(enable(TableName, stream('another')), 'ValidationException', BUSY);

  assert.deepEqual(await update(TableName, StreamArn, 'MICROSECOND'), {
    TableName, StreamArn, DestinationStatus: 'UPDATING',
    UpdateKinesisStreamingConfiguration: { ApproximateCreationDateTimePrecision: 'MICROSECOND' },
  });
  assert.equal((await destinations(TableName))[0].ApproximateCreationDateTimePrecision, 'MICROSECOND');
  await refused(update(TableName, StreamArn, 'MICROSECOND'), 'ValidationException',
    /^Invalid Request: Precision is already set to the desired value of MICROSECOND for tableId: [-0-9a-f]{36}, kdsArn: arn:/);

  assert.deepEqual(await disable(TableName, StreamArn), { TableName, StreamArn, DestinationStatus: 'DISABLING' });
  assert.deepEqual(await brief(TableName), [['orders', 'DISABLED']]);
  await refused(disable(TableName, StreamArn), 'ValidationException', IDLE);
  await refused(update(TableName, StreamArn, 'MILLISECOND'), 'ValidationException',
    `${STATE}Kinesis streaming is not in ACTIVE state. Updates are only allowed in ACTIVE state. TableName: ${TableName}, kdsArn: ${StreamArn}`);
  await enable(TableName, StreamArn);
  const [again] = await destinations(TableName);
  assert.equal(again.DestinationStatus, 'ACTIVE');
  assert.equal(again.ApproximateCreationDateTimePrecision, undefined, 'it begins anew');
});

test('what is no stream of this region fails to be enabled, and says so', async () => {
  const TableName = await createTable();
  for (const [arn, why] of [
    [stream('far', 'ap-south-1'), /not in the current region/],
    [`arn:aws:dynamodb:${REGION}:123456789012:table/orders`, /does not have a permission/],
    [`${stream('read')}/consumer/one:1`, /does not have a permission/],
  ]) {
    assert.equal((await enable(TableName, arn)).DestinationStatus, 'ENABLING');
    const [latest] = await destinations(TableName);
    assert.equal(latest.DestinationStatus, 'ENABLE_FAILED');
    assert.match(latest.DestinationStatusDescription, why);
    await refused(disable(TableName, arn), 'ValidationException', IDLE);
  }
  await enable(TableName, stream('good'));
  assert.deepEqual(await brief(TableName),
    [['good', 'ACTIVE'], ['read', 'ENABLE_FAILED'], ['orders', 'ENABLE_FAILED'], ['far', 'ENABLE_FAILED']]);
});

test('requests that say too little or too much are refused', async () => {
  const TableName = await createTable();
  const StreamArn = stream('orders');
  await refused(update(TableName, StreamArn), 'ValidationException',
    'Streaming destination cannot be updated with given parameters: UpdateKinesisStreamingConfiguration cannot be null or contain only null values');
  await refused(update(TableName, StreamArn, 'MICROSECOND'), 'ValidationException',
    `${STATE}No streaming destination with streamArn: ${StreamArn} found for table with tableName: ${TableName}`);
  await refused(enable(TableName, StreamArn, 'SECOND'), 'ValidationException',
    "1 validation error detected: Value 'SECOND' at 'enableKinesisStreamingConfiguration.approximateCreationDateTimePrecision' " +
    'failed to satisfy constraint: Member must satisfy enum value set: [MILLISECOND, MICROSECOND]');
  await refused(disable(TableName, StreamArn, { EnableKinesisStreamingConfiguration: configuration('MICROSECOND') }),
    'ValidationException', 'Stream cannot be disabled using EnableKinesisStreamingConfiguration parameters');
  await refused(enable('nowhere', StreamArn), 'ResourceNotFoundException', 'Requested resource not found: Table: nowhere not found');
  await refused(destinations('nowhere'), 'ResourceNotFoundException');
});

test('destinations survive a restart', async () => {
  const data = temporaryFolder();
  const TableName = uniqueName();
  const first = await startServer({ data });
  await connect(first.endpoint).createTable(tableInput({ name: TableName }));
  await connect(first.endpoint).enableKinesisStreamingDestination(
    { TableName, StreamArn: stream('orders'), EnableKinesisStreamingConfiguration: configuration('MICROSECOND') });
  const before = members(await connect(first.endpoint).describeKinesisStreamingDestination({ TableName }));
  assert.equal(before.KinesisDataStreamDestinations[0].ApproximateCreationDateTimePrecision, 'MICROSECOND');
  await first.kill('SIGTERM');
  const second = await startServer({ data });
  assert.deepEqual(members(await connect(second.endpoint).describeKinesisStreamingDestination({ TableName })), before);
  await second.kill('SIGTERM');
});
