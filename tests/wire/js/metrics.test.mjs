// What is counted, through CloudWatch's API in each of its protocols. What
// Prometheus sees of it is tested in tests/wire/python.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, connectCloudWatch, N, refused, S, tableInput } from '../harness/index.mjs';
import { exchange, request } from '../harness/http.mjs';
import { startServer, temporaryFolder } from '../harness/server.mjs';
import { makeTable } from '../harness/tables.mjs';

// The client's own, for there may be another version beside it.
const require = createRequire(createRequire(import.meta.url).resolve('@aws-sdk/client-cloudwatch'));
const { AwsJson1_0Protocol, AwsQueryProtocol, AwsSmithyRpcV2CborProtocol } = require('@aws-sdk/core/protocols');
const PROTOCOLS = { JSON: AwsJson1_0Protocol, Query: AwsQueryProtocol, CBOR: AwsSmithyRpcV2CborProtocol };

const Namespace = 'AWS/DynamoDB';
const HOUR_MS = 3600_000;
// Nothing else may count here.
const { endpoint } = await startServer();
const dynamodb = connect(endpoint);
const cloudwatch = connectCloudWatch(endpoint);

const dimensions = (named) => Object.entries(named).map(([Name, Value]) => ({ Name, Value }));

// From half an hour ago to half an hour hence, so that no minute ends in between.
const around = (now = Date.now()) => ({ StartTime: new Date(now - HOUR_MS / 2), EndTime: new Date(now + HOUR_MS / 2) });

async function statistics(MetricName, named, client = cloudwatch) {
  const { Datapoints, Label } = await client.getMetricStatistics({
    Namespace, MetricName, Dimensions: dimensions(named), ...around(), Period: 3600,
    Statistics: ['Sum', 'SampleCount', 'Average', 'Minimum', 'Maximum'],
  });
  assert.equal(Label, MetricName);
  assert.ok(Datapoints.length <= 1);
  return Datapoints[0] ?? { Sum: 0, SampleCount: 0 };
}
const sumOf = async (metric, named, client) => (await statistics(metric, named, client)).Sum;

const tableOf = (name) => tableInput({
  name,
  key: 'pk:S sk:N',
  local: { byGrade: { key: 'pk:S grade:N', projection: 'ALL' } },
  global: { byTeam: 'team:S' },
});

const item = (sk, more = {}) => ({ pk: S('p'), sk: N(sk), grade: N(sk % 3), team: S(`t${sk % 2}`), ...more });
const large = { text: S('x'.repeat(5000)) };

// What the answers said, to be compared with what was counted.
class Bill {
  read = { table: 0, byTeam: 0 };
  write = { table: 0, byTeam: 0 };
  calls = {};

  // The table's local indexes use the capacity of the table.
  #add(sums, capacity) {
    sums.table += capacity.Table?.CapacityUnits ?? 0;
    for (const index of Object.values(capacity.LocalSecondaryIndexes ?? {})) sums.table += index.CapacityUnits;
    sums.byTeam += capacity.GlobalSecondaryIndexes?.byTeam?.CapacityUnits ?? 0;
  }

  async run(kind, operation, input) {
    const method = operation[0].toLowerCase() + operation.slice(1);
    const answer = await dynamodb[method]({ ...input, ReturnConsumedCapacity: 'INDEXES' });
    const capacities = [answer.ConsumedCapacity].flat();
    assert.ok(capacities.length > 0 && capacities[0]);
    for (const capacity of capacities) this.#add(this[kind], capacity);
    this.calls[operation] = (this.calls[operation] ?? 0) + 1;
    return answer;
  }
}

const TableName = 'billed';
const bill = new Bill();
const failures = { conditions: 0, users: 0 };
const returned = { Query: 0, Scan: 0 };

before(async () => {
  await makeTable(dynamodb, tableOf(TableName));
  const Key = { pk: S('p'), sk: N(1) };
  for (let sk = 1; sk <= 6; sk++) await bill.run('write', 'PutItem', { TableName, Item: item(sk, sk % 2 ? large : {}) });
  await bill.run('write', 'UpdateItem', {
    TableName, Key, UpdateExpression: 'SET team = :t', ExpressionAttributeValues: { ':t': S('moved') },
  });
  await bill.run('write', 'DeleteItem', { TableName, Key: { pk: S('p'), sk: N(6) } });
  await bill.run('write', 'BatchWriteItem', {
    RequestItems: { [TableName]: [7, 8, 9].map((sk) => ({ PutRequest: { Item: item(sk) } })) },
  });
  await bill.run('write', 'TransactWriteItems', {
    TransactItems: [{ Put: { TableName, Item: item(10) } }, { Delete: { TableName, Key: { pk: S('p'), sk: N(9) } } }],
  });
  for (const ConsistentRead of [false, true]) {
    await bill.run('read', 'GetItem', { TableName, Key, ConsistentRead });
    await bill.run('read', 'BatchGetItem', {
      RequestItems: { [TableName]: { ConsistentRead, Keys: [1, 2, 99].map((sk) => ({ pk: S('p'), sk: N(sk) })) } },
    });
    const query = { TableName, ConsistentRead, KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': S('p') } };
    returned.Query += (await bill.run('read', 'Query', query)).Count;
    returned.Query += (await bill.run('read', 'Query', { ...query, IndexName: 'byGrade' })).Count;
    returned.Scan += (await bill.run('read', 'Scan', { TableName, ConsistentRead })).Count;
  }
  const byTeam = { TableName, IndexName: 'byTeam', KeyConditionExpression: 'team = :t', ExpressionAttributeValues: { ':t': S('t0') } };
  returned.Query += (await bill.run('read', 'Query', byTeam)).Count;
  await bill.run('read', 'TransactGetItems', { TransactItems: [1, 2].map((sk) => ({ Get: { TableName, Key: { pk: S('p'), sk: N(sk) } } })) });

  // A condition that fails costs what the item it looked at would: it is large.
  await refused(
    dynamodb.putItem({ TableName, Item: item(1), ConditionExpression: 'attribute_not_exists(pk)' }), 'ConditionalCheckFailedException',
  );
  bill.write.table += 5;
  failures.conditions++;
  // One request that fails is one error, be it on two tables.
  const other = { Put: { TableName: await makeTable(dynamodb, tableInput({})), Item: { pk: S('p') } } };
  await refused(
    dynamodb.transactWriteItems({
      TransactItems: [{ ConditionCheck: { TableName, Key, ConditionExpression: 'attribute_not_exists(pk)' } }, other],
    }),
    'TransactionCanceledException',
  );
  failures.conditions++;
  failures.users++;
  await refused(dynamodb.getItem({ TableName, Key: { pk: S('p') } }), 'ValidationException');
  await refused(dynamodb.getItem({ TableName: 'nowhere', Key }), 'ResourceNotFoundException');
  failures.users += 2;
});

test('consumed capacity is what the answers said, by table and by global index', async () => {
  for (const [kind, metric] of [['read', 'ConsumedReadCapacityUnits'], ['write', 'ConsumedWriteCapacityUnits']]) {
    assert.ok(bill[kind].table > 5 && bill[kind].byTeam > 0);
    assert.equal(await sumOf(metric, { TableName }), bill[kind].table, metric);
    assert.equal(await sumOf(metric, { TableName, GlobalSecondaryIndexName: 'byTeam' }), bill[kind].byTeam, metric);
  }
});

test('every request that succeeded has a latency, by table and operation', async () => {
  for (const [Operation, calls] of Object.entries(bill.calls)) {
    const latency = await statistics('SuccessfulRequestLatency', { TableName, Operation });
    assert.equal(latency.SampleCount, calls, Operation);
    assert.equal(latency.Unit, 'Milliseconds');
    assert.ok(latency.Minimum > 0 && latency.Minimum <= latency.Average && latency.Average <= latency.Maximum, Operation);
    assert.ok(latency.Maximum < 10_000);
  }
});

test('what queries and scans returned', async () => {
  for (const [Operation, items] of Object.entries(returned)) {
    assert.equal(await sumOf('ReturnedItemCount', { TableName, Operation }), items, Operation);
  }
});

test('requests that failed', async () => {
  assert.equal(await sumOf('ConditionalCheckFailedRequests', { TableName }), failures.conditions);
  assert.equal(await sumOf('UserErrors', {}), failures.users);
  assert.equal(await sumOf('SystemErrors', { TableName, Operation: 'GetItem' }), 0);
});

test('dimensions must be exactly those of a metric', async () => {
  assert.equal(await sumOf('ConsumedReadCapacityUnits', {}), 0);
  assert.equal(await sumOf('ConsumedReadCapacityUnits', { TableName, Operation: 'GetItem' }), 0);
  assert.equal(await sumOf('SuccessfulRequestLatency', { TableName }), 0);
});

for (const [name, protocol] of Object.entries(PROTOCOLS)) {
  const client = connectCloudWatch(endpoint, { protocol });

  test(`${name}: GetMetricStatistics`, async () => {
    const latency = { Namespace, MetricName: 'SuccessfulRequestLatency', Dimensions: dimensions({ TableName, Operation: 'PutItem' }) };
    const { Datapoints } = await client.getMetricStatistics({
      ...latency, ...around(), Period: 3600, Statistics: ['Average', 'SampleCount'], ExtendedStatistics: ['p50', 'p99.9'],
    });
    assert.equal(Datapoints.length, 1);
    const [point] = Datapoints;
    assert.ok(point.Timestamp instanceof Date && Math.abs(point.Timestamp.getTime() - (Date.now() - HOUR_MS / 2)) < 120_000);
    assert.equal(point.SampleCount, 6);
    assert.equal(point.Sum, undefined);
    assert.ok(point.Average > 0 && point.ExtendedStatistics.p50 > 0);
    assert.ok(point.ExtendedStatistics['p99.9'] >= point.ExtendedStatistics.p50);
  });

  test(`${name}: GetMetricData, with expressions and pages`, async () => {
    const metric = (Id, MetricName, more = {}) => ({
      Id, MetricStat: { Metric: { Namespace, MetricName, Dimensions: dimensions({ TableName }) }, Period: 3600, Stat: 'Sum' }, ...more,
    });
    const input = {
      ...around(),
      MetricDataQueries: [
        metric('reads', 'ConsumedReadCapacityUnits'),
        metric('writes', 'ConsumedWriteCapacityUnits', { Label: 'w', ReturnData: false }),
        { Id: 'all', Expression: 'SUM([reads, writes])', Label: 'both' },
        { Id: 'share', Expression: '100 * reads / (reads + writes)' },
      ],
    };
    const { MetricDataResults } = await client.getMetricData(input);
    assert.deepEqual(MetricDataResults.map(({ Id, Label, StatusCode }) => [Id, Label, StatusCode]), [
      ['reads', 'ConsumedReadCapacityUnits', 'Complete'], ['all', 'both', 'Complete'], ['share', 'share', 'Complete'],
    ]);
    assert.deepEqual(MetricDataResults.slice(0, 2).map(({ Values }) => Values), [[bill.read.table], [bill.read.table + bill.write.table]]);
    assert.ok(MetricDataResults[0].Timestamps[0] instanceof Date);

    const pages = [];
    let NextToken;
    do {
      const page = await client.getMetricData({ ...input, MaxDatapoints: 1, NextToken });
      pages.push(page.MetricDataResults.map(({ Id, Values }) => [Id, Values.length]));
      ({ NextToken } = page);
    } while (NextToken);
    assert.deepEqual(pages, [[['reads', 1]], [['all', 1]], [['share', 1]]]);
  });

  test(`${name}: ListMetrics`, async () => {
    const list = async (input) => (await client.listMetrics(input)).Metrics;
    const metrics = await list({ Namespace, Dimensions: [{ Name: 'TableName', Value: TableName }, { Name: 'GlobalSecondaryIndexName' }] });
    assert.deepEqual(metrics, ['ConsumedReadCapacityUnits', 'ConsumedWriteCapacityUnits'].map((MetricName) => ({
      Namespace, MetricName, Dimensions: dimensions({ TableName, GlobalSecondaryIndexName: 'byTeam' }),
    })));
    assert.deepEqual(await list({ Namespace: 'AWS/EC2' }), []);
    assert.deepEqual((await list({ MetricName: 'UserErrors', RecentlyActive: 'PT3H' })).map(({ Dimensions }) => Dimensions), [[]]);
  });

  test(`${name}: errors have CloudWatch's names and words`, async () => {
    const input = { Namespace, MetricName: 'UserErrors', ...around(), Period: 60, Statistics: ['Sum'] };
    const ask = (more) => client.getMetricStatistics({ ...input, ...more });
    const expect = async (call, names, words) => {
      const error = await call.then(() => assert.fail('was answered'), (failure) => failure);
      assert.ok(names.includes(error.name), `${error.name}: ${error.message}`);
      assert.match(error.message, words);
      assert.equal(error.$metadata.httpStatusCode, 400);
    };
    await expect(ask({ StartTime: new Date(), EndTime: new Date(0) }), ['InvalidParameterValue', 'InvalidParameterValueException'],
      /^The parameter StartTime must be less than the parameter EndTime\.$/);
    await expect(ask({ StartTime: new Date(Date.now() - 48 * HOUR_MS) }), ['InvalidParameterCombination', 'InvalidParameterCombinationException'],
      /^You have requested up to 29\d\d datapoints, which exceeds the limit of 1440\. /);
    await expect(ask({ MetricName: undefined }), ['MissingParameter', 'MissingRequiredParameterException'], /^The parameter MetricName is required\.$/);
    await expect(client.getMetricData({ ...around(), MetricDataQueries: [{ Id: 'e', Expression: 'SEARCH("x")' }] }),
      ['ValidationError', 'ValidationException'], /^Error in expression 'e': The function SEARCH is not supported\.$/);
    await expect(client.getMetricData({ ...around(), MetricDataQueries: [{ Id: 'X', Expression: '1' }] }),
      ['ValidationError', 'ValidationException'], /MetricDataQueries\.member\.1\.Id is not matching the expected pattern/);
    await assert.rejects(client.describeAlarms({}), (error) => ['InvalidAction', 'UnknownOperationException'].includes(error.name));
  });
}

test('pages of datapoints go on where they ended', async () => {
  const query = {
    Id: 'm', MetricStat: { Metric: { Namespace, MetricName: 'UserErrors' }, Period: 60, Stat: 'SampleCount' }, ReturnData: false,
  };
  const input = { ...around(), ScanBy: 'TimestampAscending', MetricDataQueries: [query, { Id: 'filled', Expression: 'FILL(m, 0)' }] };
  const whole = (await cloudwatch.getMetricData(input)).MetricDataResults[0];
  assert.ok(whole.Values.length >= 60 && whole.Values.length <= 61);
  const parts = [];
  let NextToken;
  do {
    const page = await cloudwatch.getMetricData({ ...input, MaxDatapoints: 25, NextToken });
    ({ NextToken } = page);
    assert.equal(page.MetricDataResults[0].StatusCode, NextToken ? 'PartialData' : 'Complete');
    parts.push(...page.MetricDataResults[0].Timestamps);
  } while (NextToken);
  assert.deepEqual(parts, whole.Timestamps);
});

test('without credentials CloudWatch refuses as DynamoDB does', async () => {
  const headers = { 'X-Amz-Target': 'GraniteServiceVersion20100801.ListMetrics', Authorization: undefined };
  const answer = await exchange(endpoint, request('', '{}', headers));
  assert.equal(answer.status, 403);
  assert.match(answer.body.toString(), /MissingAuthenticationTokenException/);
  const form = { 'X-Amz-Target': undefined, 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' };
  const passed = await exchange(endpoint, request('', 'Action=ListMetrics&Version=2010-08-01', form));
  assert.equal(passed.status, 200);
  assert.equal(passed.headers['content-type'], 'text/xml');
  const other = await exchange(endpoint, request('', 'Action=GetCallerIdentity&Version=2011-06-15', form));
  assert.equal(other.status, 404);
});

test('a restart keeps what was counted, and so does kill -9, up to the last seconds', async () => {
  const data = temporaryFolder();
  let server = await startServer({ data });
  await makeTable(connect(server.endpoint), tableInput({ name: 'kept' }));
  const put = (pk) => connect(server.endpoint).putItem({ TableName: 'kept', Item: { pk: S(pk) } });
  const units = () => sumOf('ConsumedWriteCapacityUnits', { TableName: 'kept' }, connectCloudWatch(server.endpoint));
  await put('a');
  await put('b');
  await server.kill('SIGTERM');
  server = await startServer({ data });
  assert.equal(await units(), 2);
  await put('c');
  await sleep(12_000);
  await put('d');
  await server.kill('SIGKILL');
  server = await startServer({ data });
  const kept = await units();
  assert.ok(kept === 3 || kept === 4, `${kept}`);
  await server.kill('SIGTERM');
});
