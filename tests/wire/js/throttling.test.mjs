// `taula serve --throttle`: capacity that is felt.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, N, S, tableInput } from '../harness/index.mjs';
import { startServer } from '../harness/server.mjs';

let server;
let dynamodb;
before(async () => {
  server = await startServer({ options: ['--throttle'] });
  dynamodb = connect(server.endpoint);
});
after(() => server.kill());

const units = (ReadCapacityUnits, WriteCapacityUnits) => ({ ReadCapacityUnits, WriteCapacityUnits });
const ARN = 'arn:aws:dynamodb:us-east-1:123456789012:table/';

async function provisioned(reads, writes, more = {}) {
  const input = tableInput({ key: 'pk:S', ...more, BillingMode: 'PROVISIONED', ProvisionedThroughput: units(reads, writes) });
  for (const index of input.GlobalSecondaryIndexes ?? []) index.ProvisionedThroughput = units(reads, more.indexWrites ?? writes);
  delete input.indexWrites;
  await dynamodb.createTable(input);
  return input.TableName;
}

const failure = (promise) => promise.then(() => undefined, (error) => error);

// Calls until it is refused; what it was refused with, and how often it was not.
async function untilRefused(call, most = 2000) {
  for (let done = 0; done < most; ++done) {
    const error = await failure(call(done));
    if (error) return { done, error };
  }
  return { done: most };
}

test('writes beyond what is provisioned are refused, with the reason', async () => {
  const TableName = await provisioned(5, 5);
  const { done, error } = await untilRefused((i) => dynamodb.putItem({ TableName, Item: { pk: S(`${i}`) } }));
  assert.ok(done >= 5 && done < 50, `${done} were let through`);
  assert.equal(error.name, 'ProvisionedThroughputExceededException');
  assert.equal(error.$metadata.httpStatusCode, 400);
  assert.match(error.message, /^The level of configured provisioned throughput for the table was exceeded/);
  assert.deepEqual(error.ThrottlingReasons, [
    { reason: 'TableWriteProvisionedThroughputExceeded', resource: ARN + TableName },
  ]);
});

test('what is refused is let through a little later, and the SDK does that by itself', async () => {
  const TableName = await provisioned(5, 5);
  const patient = connect(server.endpoint, { maxAttempts: 20 });
  const begun = Date.now();
  for (let i = 0; i < 15; ++i) await patient.putItem({ TableName, Item: { pk: S(`${i}`) } });
  assert.ok(Date.now() - begun > 1000, 'it took its time');
});

test('reads have a capacity of their own, and scans and queries use it', async () => {
  const TableName = await provisioned(5, 5);
  await dynamodb.putItem({ TableName, Item: { pk: S('a') } });
  for (const call of [
    () => dynamodb.getItem({ TableName, Key: { pk: S('a') }, ConsistentRead: true }),
    () => dynamodb.scan({ TableName }),
    () => dynamodb.query({ TableName, KeyConditionExpression: 'pk = :a', ExpressionAttributeValues: { ':a': S('a') } }),
    () => dynamodb.transactGetItems({ TransactItems: [{ Get: { TableName, Key: { pk: S('a') } } }] }),
    () => dynamodb.executeStatement({ Statement: `SELECT * FROM "${TableName}" WHERE pk = 'a'` }),
  ]) {
    const { error } = await untilRefused(call);
    assert.equal(error.name, 'ProvisionedThroughputExceededException');
    assert.equal(error.ThrottlingReasons[0].reason, 'TableReadProvisionedThroughputExceeded');
  }
});

test('an index with too little holds up the writes that reach it, and no others', async () => {
  const TableName = await provisioned(5, 300, { global: { byStatus: 'status:S' }, indexWrites: 1 });
  const { error } = await untilRefused((i) => dynamodb.putItem({ TableName, Item: { pk: S(`${i}`), status: S(`s${i}`) } }));
  assert.match(error.message, /one or more global secondary indexes/);
  assert.deepEqual(error.ThrottlingReasons, [
    { reason: 'IndexWriteProvisionedThroughputExceeded', resource: `${ARN}${TableName}/index/byStatus` },
  ]);
  await dynamodb.putItem({ TableName, Item: { pk: S('plain') } });
});

test('BatchWriteItem hands back what it has no capacity for', async () => {
  const TableName = await provisioned(5, 5);
  const puts = Array.from({ length: 25 }, (_, i) => ({ PutRequest: { Item: { pk: S(`${i}`) } } }));
  const { UnprocessedItems } = await dynamodb.batchWriteItem({ RequestItems: { [TableName]: puts } });
  const left = UnprocessedItems[TableName].length;
  assert.ok(left > 0 && left < 25, `${left} are left`);
  const { error } = await untilRefused(() => dynamodb.batchWriteItem({ RequestItems: { [TableName]: puts } }));
  assert.equal(error.name, 'ProvisionedThroughputExceededException');
});

test('BatchGetItem hands back the keys it has no capacity for', async () => {
  const TableName = await provisioned(5, 100);
  const Keys = Array.from({ length: 30 }, (_, i) => ({ pk: S(`${i}`) }));
  for (const Key of Keys) await dynamodb.putItem({ TableName, Item: Key });
  const RequestItems = { [TableName]: { Keys, ConsistentRead: true } };
  const { Responses, UnprocessedKeys } = await dynamodb.batchGetItem({ RequestItems });
  const got = Responses[TableName].map((item) => item.pk.S);
  const left = UnprocessedKeys[TableName].Keys.map((key) => key.pk.S);
  assert.ok(got.length > 0 && left.length > 0);
  assert.equal(UnprocessedKeys[TableName].ConsistentRead, true);
  assert.deepEqual([...got, ...left].sort(), Keys.map((key) => key.pk.S).sort());
  const { error } = await untilRefused(() => dynamodb.batchGetItem({ RequestItems }));
  assert.equal(error.name, 'ProvisionedThroughputExceededException');
});

test('a transaction without capacity is cancelled with that reason, and writes nothing', async () => {
  const TableName = await provisioned(100, 4);
  const write = (i) => ({ Put: { TableName, Item: { pk: S(`t${i}`) } } });
  const { error } = await untilRefused((i) => dynamodb.transactWriteItems({ TransactItems: [write(2 * i), write(2 * i + 1)] }));
  assert.equal(error.name, 'TransactionCanceledException');
  const codes = error.CancellationReasons.map((reason) => reason.Code);
  assert.ok(codes.includes('ProvisionedThroughputExceeded'), codes.join());
  const { Count } = await dynamodb.scan({ TableName });
  assert.equal(Count % 2, 0, 'no half of a transaction');
});

test('on-demand tables with a maximum get a ThrottlingException', async () => {
  const input = tableInput({ key: 'pk:S', OnDemandThroughput: { MaxReadRequestUnits: 10, MaxWriteRequestUnits: 5 } });
  await dynamodb.createTable(input);
  const { TableName } = input;
  const { error } = await untilRefused((i) => dynamodb.putItem({ TableName, Item: { pk: S(`${i}`) } }));
  assert.equal(error.name, 'ThrottlingException');
  assert.deepEqual(error.throttlingReasons, [
    { reason: 'TableWriteMaxOnDemandThroughputExceeded', resource: ARN + TableName },
  ]);
});

test('one partition key cannot have more than a partition gives, however much is provisioned', async () => {
  const TableName = await provisioned(20_000, 20_000);
  const big = S('x'.repeat(300_000));
  const write = (pk) => dynamodb.putItem({ TableName, Item: { pk: S(pk), big } });
  const { error } = await untilRefused(() => write('hot'), 60);
  assert.equal(error.name, 'ProvisionedThroughputExceededException');
  assert.equal(error.ThrottlingReasons[0].reason, 'TableWriteKeyRangeThroughputExceeded');
  await write('another');
  await sleep(1200);
  await write('hot');
});

test('more capacity helps at once', async () => {
  const TableName = await provisioned(5, 1);
  const write = (i) => dynamodb.putItem({ TableName, Item: { pk: S(`${i}`) } });
  await untilRefused(write);
  await dynamodb.updateTable({ TableName, ProvisionedThroughput: units(5, 1000) });
  await sleep(50);
  for (let i = 0; i < 20; ++i) await write(i);
});

test('failed conditions use capacity too', async () => {
  const TableName = await provisioned(5, 5);
  await dynamodb.putItem({ TableName, Item: { pk: S('a'), n: N(1) } });
  await sleep(10);
  const { error } = await untilRefused(() =>
    dynamodb.putItem({ TableName, Item: { pk: S('a') }, ConditionExpression: 'attribute_not_exists(pk)' })
      .catch((refusal) => { if (refusal.name !== 'ConditionalCheckFailedException') throw refusal; }));
  assert.equal(error?.name, 'ProvisionedThroughputExceededException');
});
