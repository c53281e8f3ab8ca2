// UpdateContributorInsights, DescribeContributorInsights, ListContributorInsights.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, createTable, dynamodb, refused, tableInput, uniqueName, untilActive } from '../harness/index.mjs';
import { startServer, temporaryFolder } from '../harness/server.mjs';

const ALL = 'ACCESSED_AND_THROTTLED_KEYS';
const THROTTLED = 'THROTTLED_KEYS';
const members = ({ $metadata, ...rest }) => rest;
const update = async (TableName, ContributorInsightsAction, more = {}) =>
  members(await dynamodb.updateContributorInsights({ TableName, ContributorInsightsAction, ...more }));
const describe = async (TableName, IndexName) => members(await dynamodb.describeContributorInsights({ TableName, IndexName }));
const list = async (input) => {
  const { ContributorInsightsSummaries, NextToken } = await dynamodb.listContributorInsights(input);
  return { summaries: ContributorInsightsSummaries, NextToken };
};
// The part of a rule's name behind what all of them begin with, without its time.
const rules = ({ ContributorInsightsRuleList }, name) => ContributorInsightsRuleList.map((rule) => {
  const [, kind, time] = rule.match(new RegExp(`^DynamoDBContributorInsights-(.{3})-${name}-(\\d{13})$`));
  assert.ok(Math.abs(Date.now() - time) < 60_000);
  return kind;
});

test('insights of a table are turned on, changed and turned off', async () => {
  const TableName = await createTable({ key: 'pk:S sk:S' });
  assert.deepEqual(await describe(TableName), { TableName, ContributorInsightsStatus: 'DISABLED' });
  assert.deepEqual(await update(TableName, 'DISABLE'), { TableName, ContributorInsightsStatus: 'DISABLED' });

  const mode = { ContributorInsightsMode: ALL };
  assert.deepEqual(await update(TableName, 'ENABLE'), { TableName, ContributorInsightsStatus: 'ENABLING', ...mode });
  const enabled = await describe(TableName);
  assert.equal(enabled.ContributorInsightsStatus, 'ENABLED');
  assert.equal(enabled.ContributorInsightsMode, ALL);
  assert.ok(Math.abs(Date.now() - enabled.LastUpdateDateTime) < 60_000);
  assert.deepEqual(rules(enabled, TableName), ['PKC', 'PKT', 'SKC', 'SKT']);
  // The same again changes nothing.
  assert.deepEqual(await update(TableName, 'ENABLE'), { TableName, ContributorInsightsStatus: 'ENABLED', ...mode });
  assert.deepEqual(await describe(TableName), enabled);

  const narrowed = await update(TableName, 'ENABLE', { ContributorInsightsMode: THROTTLED });
  assert.deepEqual(narrowed, { TableName, ContributorInsightsStatus: 'ENABLING', ContributorInsightsMode: THROTTLED });
  const throttled = await describe(TableName);
  assert.deepEqual(rules(throttled, TableName), ['PKT', 'SKT']);
  const kept = throttled.ContributorInsightsRuleList.every((rule) => enabled.ContributorInsightsRuleList.includes(rule));
  assert.ok(kept, 'rules that stay keep their names');
  // Without a mode it is the wider one again.
  assert.equal((await update(TableName, 'ENABLE')).ContributorInsightsMode, ALL);

  assert.deepEqual(await update(TableName, 'DISABLE', { ContributorInsightsMode: THROTTLED }),
    { TableName, ContributorInsightsStatus: 'DISABLING', ...mode });
  const { LastUpdateDateTime, ...disabled } = await describe(TableName);
  assert.deepEqual(disabled, { TableName, ContributorInsightsStatus: 'DISABLED', ...mode });
  assert.ok(LastUpdateDateTime >= enabled.LastUpdateDateTime);
});

test('insights of an index are its own, and it has no rules for a sort key it lacks', async () => {
  const TableName = await createTable({ key: 'pk:S sk:S', local: { local: 'pk:S l:S' }, global: { byOwner: 'owner:S' } });
  const IndexName = 'byOwner';
  assert.deepEqual(await update(TableName, 'ENABLE', { IndexName }),
    { TableName, IndexName, ContributorInsightsStatus: 'ENABLING', ContributorInsightsMode: ALL });
  assert.deepEqual(rules(await describe(TableName, IndexName), `${TableName}-${IndexName}`), ['PKC', 'PKT']);
  assert.equal((await describe(TableName)).ContributorInsightsStatus, 'DISABLED');

  for (const name of ['local', 'nowhere']) {
    const words = `Requested resource not found: Index: ${name} not found for table: ${TableName}`;
    await refused(describe(TableName, name), 'ResourceNotFoundException', words);
    await refused(update(TableName, 'ENABLE', { IndexName: name }), 'ResourceNotFoundException', words);
  }
  await dynamodb.updateTable({ TableName, GlobalSecondaryIndexUpdates: [{ Delete: { IndexName } }] });
  await untilActive(dynamodb, TableName);
  assert.deepEqual((await list({ TableName })).summaries, []);
});

test('what insights are on for is listed, a table before its indexes, in pages', async () => {
  const TableName = await createTable({ global: { one: 'a:S', two: 'b:S' } });
  const summary = (IndexName, mode = ALL) =>
    ({ TableName, ...(IndexName && { IndexName }), ContributorInsightsStatus: 'ENABLED', ContributorInsightsMode: mode });
  assert.deepEqual((await list({ TableName })).summaries, []);
  await update(TableName, 'ENABLE', { IndexName: 'two', ContributorInsightsMode: THROTTLED });
  await update(TableName, 'ENABLE');
  const all = [summary(), summary('two', THROTTLED)];
  assert.deepEqual(await list({ TableName }), { summaries: all, NextToken: undefined });
  const first = await list({ TableName, MaxResults: 1 });
  assert.deepEqual(first.summaries, all.slice(0, 1));
  assert.deepEqual(await list({ TableName, MaxResults: 1, NextToken: first.NextToken }), { summaries: all.slice(1), NextToken: undefined });

  const everything = [];
  let NextToken;
  do {
    const page = await list({ MaxResults: 2, NextToken });
    everything.push(...page.summaries);
    ({ NextToken } = page);
  } while (NextToken);
  assert.deepEqual(everything.filter((each) => each.TableName === TableName), all);

  await update(TableName, 'DISABLE');
  assert.deepEqual((await list({ TableName })).summaries, all.slice(1));
  await refused(list({ MaxResults: 101 }), 'ValidationException',
    "1 validation error detected: Value '101' at 'maxResults' failed to satisfy constraint: Member must have value less than or equal to 100");
});

test('insights need a table that is there, and an action that exists', async () => {
  const words = 'Requested resource not found: Table: nowhere not found';
  await refused(describe('nowhere'), 'ResourceNotFoundException', words);
  await refused(update('nowhere', 'ENABLE'), 'ResourceNotFoundException', words);
  await refused(list({ TableName: 'nowhere' }), 'ResourceNotFoundException', words);
  await refused(update(await createTable(), 'MAYBE', { ContributorInsightsMode: 'SOME' }), 'ValidationException',
    "2 validation errors detected: Value 'MAYBE' at 'contributorInsightsAction' failed to satisfy constraint: Member must " +
    "satisfy enum value set: [ENABLE, DISABLE]; Value 'SOME' at 'contributorInsightsMode' failed to satisfy constraint: " +
    'Member must satisfy enum value set: [ACCESSED_AND_THROTTLED_KEYS, THROTTLED_KEYS]');
});

test('insights survive a restart', async () => {
  const data = temporaryFolder();
  const TableName = uniqueName();
  const first = await startServer({ data });
  await connect(first.endpoint).createTable(tableInput({ name: TableName, global: { index: 'g:S' } }));
  await connect(first.endpoint).updateContributorInsights({ TableName, IndexName: 'index', ContributorInsightsAction: 'ENABLE' });
  const before = members(await connect(first.endpoint).describeContributorInsights({ TableName, IndexName: 'index' }));
  await first.kill('SIGTERM');
  const second = await startServer({ data });
  assert.deepEqual(members(await connect(second.endpoint).describeContributorInsights({ TableName, IndexName: 'index' })), before);
  await second.kill('SIGTERM');
});
