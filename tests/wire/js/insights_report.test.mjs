// The keys that are asked for most: CloudWatch's GetInsightRuleReport and
// DescribeInsightRules on the rules of DescribeContributorInsights.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { B, connect, connectCloudWatch, N, refused, S } from '../harness/index.mjs';
import { startServer } from '../harness/server.mjs';
import { makeTable } from '../harness/tables.mjs';

const require = createRequire(createRequire(import.meta.url).resolve('@aws-sdk/client-cloudwatch'));
const { AwsJson1_0Protocol, AwsQueryProtocol, AwsSmithyRpcV2CborProtocol } = require('@aws-sdk/core/protocols');
const PROTOCOLS = { JSON: AwsJson1_0Protocol, Query: AwsQueryProtocol, CBOR: AwsSmithyRpcV2CborProtocol };

const { endpoint } = await startServer({ options: ['--throttle'] });
const dynamodb = connect(endpoint);
const cloudwatch = connectCloudWatch(endpoint);
const HOUR_MS = 3600_000;
const around = (now = Date.now()) => ({ StartTime: new Date(now - HOUR_MS / 2), EndTime: new Date(now + HOUR_MS / 2) });

async function makeWatched(shape, indexes = []) {
  const TableName = await makeTable(dynamodb, shape);
  for (const IndexName of [undefined, ...indexes]) {
    await dynamodb.updateContributorInsights({ TableName, IndexName, ContributorInsightsAction: 'ENABLE' });
  }
  return TableName;
}

async function ruleOf(kind, TableName, IndexName) {
  const { ContributorInsightsRuleList } = await dynamodb.describeContributorInsights({ TableName, IndexName });
  return ContributorInsightsRuleList.find((name) => name.startsWith(`DynamoDBContributorInsights-${kind}-`));
}
const report = async (RuleName, more = {}, client = cloudwatch) =>
  client.getInsightRuleReport({ RuleName, ...around(), Period: 3600, MaxContributorCount: 100, ...more });
// {'key/sort key': what was counted}
const keysOf = ({ Contributors }) =>
  Object.fromEntries(Contributors.map(({ Keys, ApproximateAggregateValue }) => [Keys.join('/'), ApproximateAggregateValue]));
const counted = async (kind, ...of) => keysOf(await report(await ruleOf(kind, ...of)));

test('reads and writes count by their keys: units read once, units written three times', async () => {
  const shape = { key: 'pk:S sk:N', local: { byGrade: 'pk:S grade:N' }, global: { byTeam: 'team:S' } };
  const TableName = await makeWatched(shape, ['byTeam']);
  const key = (pk, sk) => ({ pk: S(pk), sk: N(sk) });
  const query = (pk, more = {}) => dynamodb.query({
    TableName, KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': S(pk) }, ...more,
  });
  const byTeam = (team) => dynamodb.query({
    TableName, IndexName: 'byTeam', KeyConditionExpression: 'team = :t', ExpressionAttributeValues: { ':t': S(team) },
  });
  await dynamodb.putItem({ TableName, Item: { ...key('a', 1), team: S('x') } });
  await dynamodb.getItem({ TableName, Key: key('a', 1), ConsistentRead: true });
  await dynamodb.getItem({ TableName, Key: key('a', 2) });
  await query('a', { ConsistentRead: true });
  await query('nobody');
  await query('local', { IndexName: 'byGrade' });
  await dynamodb.updateItem({
    TableName, Key: key('a', 1), UpdateExpression: 'SET team = :y', ExpressionAttributeValues: { ':y': S('y') },
  });
  await dynamodb.deleteItem({ TableName, Key: key('a', 1) });
  await byTeam('y');
  const puts = [1, 2].map((sk) => ({ PutRequest: { Item: key('b', sk) } }));
  await dynamodb.batchWriteItem({ RequestItems: { [TableName]: puts } });
  await dynamodb.batchGetItem({ RequestItems: { [TableName]: { Keys: [key('b', 1), key('b', 2)], ConsistentRead: true } } });
  await dynamodb.transactWriteItems({ TransactItems: [{ Put: { TableName, Item: key('c', 1) } }] });
  await dynamodb.transactGetItems({ TransactItems: [{ Get: { TableName, Key: key('c', 1) } }] });
  await refused(dynamodb.putItem({ TableName, Item: key('c', 1), ConditionExpression: 'attribute_not_exists(pk)' }),
    'ConditionalCheckFailedException');
  await dynamodb.scan({ TableName });
  await dynamodb.executeStatement({ Statement: `SELECT * FROM "${TableName}" WHERE pk = 'd'` });

  assert.deepEqual(await counted('PKC', TableName),
    { a: 11.5, c: 11, b: 8, d: 0.5, local: 0.5, nobody: 0.5 });
  assert.deepEqual(await counted('SKC', TableName), { 'c/1': 11, 'a/1': 10, 'b/1': 4, 'b/2': 4, 'a/2': 0.5 });
  // An entry that moves is taken from one key and put to another.
  assert.deepEqual(await counted('PKC', TableName, 'byTeam'), { x: 6, y: 6.5 });
  assert.deepEqual(await counted('PKT', TableName), {});
});

test('a report has labels, sums, datapoints and the metrics that are asked for', async () => {
  const TableName = await makeWatched({ key: 'pk:S sk:B' });
  for (const [pk, times] of [['often', 3], ['seldom', 1], ['twice', 2]]) {
    const Key = { pk: S(pk), sk: B(1, 2) };
    for (let i = 0; i < times; ++i) await dynamodb.getItem({ TableName, Key, ConsistentRead: true });
  }
  const rule = await ruleOf('SKC', TableName);
  const Metrics = ['UniqueContributors', 'MaxContributorValue', 'SampleCount', 'Sum', 'Minimum', 'Maximum', 'Average'];
  for (const [name, protocol] of Object.entries(PROTOCOLS)) {
    const client = connectCloudWatch(endpoint, { protocol });
    const answer = await report(rule, { MaxContributorCount: 2, Metrics }, client);
    assert.deepEqual(answer.KeyLabels, ['pk', 'sk'], name);
    assert.equal(answer.AggregationStatistic, 'SUM');
    assert.equal(answer.AggregateValue, 6);
    assert.equal(answer.ApproximateUniqueCount, 3);
    assert.deepEqual(answer.Contributors.map(({ Keys }) => Keys), [['often', 'AQI='], ['twice', 'AQI=']]);
    const [{ Timestamp, ApproximateValue }, ...rest] = answer.Contributors[0].Datapoints;
    assert.equal(ApproximateValue, 3);
    assert.deepEqual(rest, []);
    assert.ok(Timestamp instanceof Date && Math.abs(Timestamp - Date.now()) < HOUR_MS);
    const [{ Timestamp: time, ...metrics }] = answer.MetricDatapoints;
    assert.deepEqual(time, Timestamp);
    assert.equal(metrics.UniqueContributors, 3);
    assert.equal(metrics.Sum, 6);
    assert.ok(metrics.MaxContributorValue === 3 && metrics.Maximum <= 3 && metrics.Minimum >= 1);
    assert.equal(metrics.Average, 6 / metrics.SampleCount);
    assert.equal((await report(rule, {}, client)).MetricDatapoints, undefined);
    assert.equal((await report(rule, { OrderBy: 'Maximum' }, client)).Contributors[0].Keys[0], 'often');
    const { InsightRules } = await client.describeInsightRules({});
    const found = InsightRules.find((each) => each.Name === rule);
    assert.equal(found.State, 'ENABLED');
    assert.equal(JSON.parse(found.Schema).Name, 'ServiceLogRule');
    assert.deepEqual(JSON.parse(found.Definition).Contribution.Keys, ['pk', 'sk']);
  }
});

test('throttled requests count by the keys they were for', async () => {
  const TableName = await makeWatched({
    key: 'pk:S sk:S', BillingMode: 'PROVISIONED', ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 },
  });
  const hot = { pk: S('hot'), sk: S('s') };
  const refusals = async (call) => {
    let times = 0;
    for (let i = 0; i < 400 && times < 3; ++i) {
      try { await call(); } catch (error) { if (error.name !== 'ProvisionedThroughputExceededException') throw error; ++times; }
    }
    return times;
  };
  const writes = await refusals(() => dynamodb.putItem({ TableName, Item: hot }));
  const gets = await refusals(() => dynamodb.getItem({ TableName, Key: { pk: S('read'), sk: S('s') }, ConsistentRead: true }));
  const queries = await refusals(() => dynamodb.query({
    TableName, KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': S('asked') }, ConsistentRead: true,
  }));
  assert.deepEqual([writes, gets, queries], [3, 3, 3]);
  assert.deepEqual(await counted('PKT', TableName), { hot: 3, read: 3, asked: 3 });
  assert.deepEqual(await counted('SKT', TableName), { 'hot/s': 3, 'read/s': 3 });
});

test('rules are gone with their insights, and new ones begin anew', async () => {
  const TableName = await makeWatched({ key: 'pk:N' });
  await dynamodb.getItem({ TableName, Key: { pk: N('-1.50') } });
  const rule = await ruleOf('PKC', TableName);
  assert.deepEqual(keysOf(await report(rule)), { '-1.5': 0.5 });
  await dynamodb.updateContributorInsights({ TableName, ContributorInsightsAction: 'DISABLE' });
  await refused(report(rule), 'ResourceNotFoundException');
  await dynamodb.getItem({ TableName, Key: { pk: N(2) } });
  await dynamodb.updateContributorInsights({ TableName, ContributorInsightsAction: 'ENABLE' });
  assert.notEqual(await ruleOf('PKC', TableName), rule);
  assert.ok(!('2' in await counted('PKC', TableName)), 'nothing is counted while insights are off');
});

test('a report refuses what is wrong', async () => {
  const rule = await ruleOf('PKC', await makeWatched({}));
  for (const protocol of Object.values(PROTOCOLS)) {
    const client = connectCloudWatch(endpoint, { protocol });
    const wrong = (more, name, message) => assert.rejects(report(rule, more, client), { name, message });
    const value = /^InvalidParameterValue(Exception)?$/;
    await wrong({ RuleName: 'none' }, 'ResourceNotFoundException', 'The rule none does not exist.');
    await wrong({ EndTime: new Date(0) }, value, 'The parameter StartTime must be less than the parameter EndTime.');
    await wrong({ Period: 61 }, value, 'The parameter Period must be a multiple of 60.');
    await wrong({ MaxContributorCount: 101 }, value, 'The parameter MaxContributorCount must be between 1 and 100.');
    await wrong({ MaxContributorCount: 0 }, value, 'The parameter MaxContributorCount must be between 1 and 100.');
    await wrong({ OrderBy: 'Average' }, value, 'The parameter OrderBy must be a value in the set [Sum, Maximum].');
    await wrong({ Metrics: ['Median'] }, value, /^The parameter Metrics\.member\.1\.<list element> must be a value in the set/);
    await wrong({ Period: undefined }, /^Missing(Required)?Parameter(Exception)?$/, 'The parameter Period is required.');
  }
});

test('rules come in pages', async () => {
  await makeWatched({ key: 'pk:S sk:S' });
  const names = [];
  let NextToken;
  do {
    const page = await cloudwatch.describeInsightRules({ MaxResults: 2, NextToken });
    assert.ok(page.InsightRules.length <= 2);
    names.push(...page.InsightRules.map(({ Name }) => Name));
    ({ NextToken } = page);
  } while (NextToken);
  const { InsightRules } = await cloudwatch.describeInsightRules({});
  assert.deepEqual(names, InsightRules.map(({ Name }) => Name));
  assert.ok(names.length >= 4);
  await refused(cloudwatch.describeInsightRules({ NextToken: '?' }), 'InvalidNextToken');
});
