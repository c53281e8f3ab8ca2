// UpdateTimeToLive and DescribeTimeToLive.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTable, dynamodb, N, refused, S, scanAll } from '../harness/index.mjs';

const describe = async (TableName) => (await dynamodb.describeTimeToLive({ TableName })).TimeToLiveDescription;
const set = (TableName, Enabled, AttributeName = 'expires') =>
  dynamodb.updateTimeToLive({ TableName, TimeToLiveSpecification: { Enabled, AttributeName } });

async function untilEnabled(TableName) {
  while ((await describe(TableName)).TimeToLiveStatus === 'ENABLING') await sleep(10);
}

test('off at first, then on, then off', async () => {
  const TableName = await createTable();
  assert.deepEqual(await describe(TableName), { TimeToLiveStatus: 'DISABLED' });
  const { TimeToLiveSpecification } = await set(TableName, true);
  assert.deepEqual(TimeToLiveSpecification, { Enabled: true, AttributeName: 'expires' });
  await untilEnabled(TableName);
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

const now = () => Math.floor(Date.now() / 1000);
const keys = async (TableName) => (await scanAll({ TableName })).Items.map((item) => item.pk.S).sort();

// Until the table has these keys, for a few seconds at most.
async function untilLeft(TableName, expected) {
  for (let tries = 0; tries < 60; ++tries) {
    const left = await keys(TableName);
    if (left.join() === expected.join()) return;
    await sleep(100);
  }
  assert.deepEqual(await keys(TableName), expected);
}

test('expired items leave within seconds, those before and after it was turned on', async () => {
  const TableName = await createTable();
  const put = (pk, expires) => dynamodb.putItem({ TableName, Item: { pk: S(pk), ...(expires && { expires }) } });
  await put('old', N(now() - 60));
  await set(TableName, true);
  await put('new', N(now() - 1));
  await put('soon', N(now() + 1));
  await put('never');
  await put('text', S(now() - 60));
  await put('far', N(now() + 3600));
  await put('six years ago', N(now() - 6 * 365 * 24 * 3600));
  await untilLeft(TableName, ['far', 'never', 'six years ago', 'text']);
});

test('an item whose time is put off stays', async () => {
  const TableName = await createTable();
  await set(TableName, true);
  await dynamodb.putItem({ TableName, Item: { pk: S('a'), expires: N(now() + 2) } });
  await dynamodb.putItem({ TableName, Item: { pk: S('b'), expires: N(now() + 2) } });
  await dynamodb.updateItem({
    TableName,
    Key: { pk: S('a') },
    UpdateExpression: 'SET expires = expires + :hour',
    ExpressionAttributeValues: { ':hour': N(3600) },
  });
  await untilLeft(TableName, ['a']);
});
