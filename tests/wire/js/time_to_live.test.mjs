// UpdateTimeToLive and DescribeTimeToLive.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTable, dynamodb, refused } from '../harness/index.mjs';

const describe = async (TableName) => (await dynamodb.describeTimeToLive({ TableName })).TimeToLiveDescription;
const set = (TableName, Enabled, AttributeName = 'expires') =>
  dynamodb.updateTimeToLive({ TableName, TimeToLiveSpecification: { Enabled, AttributeName } });

test('off at first, then on, then off', async () => {
  const TableName = await createTable();
  assert.deepEqual(await describe(TableName), { TimeToLiveStatus: 'DISABLED' });
  const { TimeToLiveSpecification } = await set(TableName, true);
  assert.deepEqual(TimeToLiveSpecification, { Enabled: true, AttributeName: 'expires' });
  assert.deepEqual(await describe(TableName), { TimeToLiveStatus: 'ENABLED', AttributeName: 'expires' });
  await set(TableName, false);
  assert.deepEqual(await describe(TableName), { TimeToLiveStatus: 'DISABLED' });
});

test('refuses what it already is, and another attribute', async () => {
  const TableName = await createTable();
  await refused(set(TableName, false), 'ValidationException', 'TimeToLive is already disabled');
  await set(TableName, true);
  await refused(set(TableName, true), 'ValidationException', 'TimeToLive is already enabled');
  await refused(
    set(TableName, false, 'other'),
    'ValidationException',
    'TimeToLive is active on a different AttributeName: current AttributeName is expires',
  );
});

test('refuses an attribute without a name', async () =>
  refused(set(await createTable(), true, ''), 'ValidationException'));

test('does not know a table that is not there', () =>
  refused(dynamodb.describeTimeToLive({ TableName: 'no-such-table' }), 'ResourceNotFoundException'));
