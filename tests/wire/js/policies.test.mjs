// PutResourcePolicy, GetResourcePolicy, DeleteResourcePolicy.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, createTable, dynamodb, refused, tableInput, uniqueName } from '../harness/index.mjs';
import { startServer, temporaryFolder } from '../harness/server.mjs';

const ACCOUNT = '123456789012';
const ROOT = `arn:aws:iam::${ACCOUNT}:root`;
const allow = (Action, Resource, more = {}) =>
  ({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Principal: { AWS: ROOT }, Action, Resource, ...more }] });
const describe = async (TableName) => (await dynamodb.describeTable({ TableName })).Table;
const notFound = (why) => `Resource-based policy not found for the provided ResourceArn: ${why}`;
const put = (ResourceArn, policy, more = {}) =>
  dynamodb.putResourcePolicy({ ResourceArn, Policy: typeof policy === 'string' ? policy : JSON.stringify(policy), ...more });
const get = (ResourceArn) => dynamodb.getResourcePolicy({ ResourceArn });

async function tableWithStream() {
  const TableName = await createTable({
    global: { index: 'g:S' },
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
  });
  const { TableArn, LatestStreamArn, LatestStreamLabel } = await describe(TableName);
  return { TableName, TableArn, LatestStreamArn, LatestStreamLabel };
}

test('a policy is put, returned in its canonical form, replaced and deleted', async () => {
  const { TableArn } = await describe(await createTable());
  await refused(get(TableArn), 'PolicyNotFoundException', notFound(TableArn));
  assert.equal((await dynamodb.deleteResourcePolicy({ ResourceArn: TableArn })).RevisionId, undefined);

  const { RevisionId } = await put(TableArn, JSON.stringify(allow(['dynamodb:GetItem'], [TableArn]), null, 2));
  assert.match(RevisionId, /^\d{13}$/);
  const kept = await get(TableArn);
  assert.equal(kept.Policy, JSON.stringify(allow('dynamodb:GetItem', TableArn)));
  assert.equal(kept.RevisionId, RevisionId);
  // The same policy in other words is no change.
  const same = allow('dynamodb:GetItem', TableArn);
  same.Statement[0].Principal = { AWS: ACCOUNT };
  assert.equal((await put(TableArn, same)).RevisionId, RevisionId);

  const replaced = await put(TableArn, allow(['dynamodb:Query', 'dynamodb:GetItem'], '*'));
  assert.ok(replaced.RevisionId > RevisionId);
  assert.deepEqual(JSON.parse((await get(TableArn)).Policy), allow(['dynamodb:Query', 'dynamodb:GetItem'], '*'));
  assert.equal((await dynamodb.deleteResourcePolicy({ ResourceArn: TableArn })).RevisionId, replaced.RevisionId);
  await refused(get(TableArn), 'PolicyNotFoundException');
  // Deleted again it tells of the deletion.
  assert.ok((await dynamodb.deleteResourcePolicy({ ResourceArn: TableArn })).RevisionId > replaced.RevisionId);
});

test('a policy is changed only from the revision that is expected', async () => {
  const TableName = await createTable();
  const { TableArn } = await describe(TableName);
  const policies = ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'].map((action) => allow(action, '*'));
  const wrong = (id, is) => notFound(
    `Requested update for policy with revision id ${id}, but the policy associated to target table ${TableName} has revision id ${is}.`);
  const none = (id) => notFound(`Requested update for policy with revision id ${id}, but table ${TableName} has no associated policy.`);

  await refused(put(TableArn, policies[0], { ExpectedRevisionId: '123' }), 'PolicyNotFoundException', none('123'));
  const first = (await put(TableArn, policies[0], { ExpectedRevisionId: 'NO_POLICY' })).RevisionId;
  await refused(put(TableArn, policies[1], { ExpectedRevisionId: 'NO_POLICY' }), 'PolicyNotFoundException', notFound(
    `Requested policy update expecting none to be present for table ${TableName}, but a policy exists with revision id ${first}.`));
  const second = (await put(TableArn, policies[1], { ExpectedRevisionId: first })).RevisionId;
  await refused(put(TableArn, policies[2], { ExpectedRevisionId: first }), 'PolicyNotFoundException', wrong(first, second));
  assert.equal((await get(TableArn)).RevisionId, second);
  const remove = (ExpectedRevisionId) => dynamodb.deleteResourcePolicy({ ResourceArn: TableArn, ExpectedRevisionId });
  await refused(remove(first), 'PolicyNotFoundException', wrong(first, second));
  assert.equal((await remove(second)).RevisionId, second);
  await refused(remove(second), 'PolicyNotFoundException', none(second));
});

test('a table is made with a policy, which has the revision of its making', async () => {
  const policy = allow('dynamodb:GetItem', '*');
  delete policy.Version;
  const { TableArn, CreationDateTime } = await describe(await createTable({ ResourcePolicy: JSON.stringify(policy) }));
  const kept = await get(TableArn);
  assert.equal(kept.RevisionId, String(CreationDateTime.getTime()));
  assert.equal(JSON.parse(kept.Policy).Version, '2008-10-17');
});

test('a stream has a policy of its own', async () => {
  const { TableName, TableArn, LatestStreamArn, LatestStreamLabel } = await tableWithStream();
  const policy = allow(['dynamodb:DescribeStream', 'dynamodb:GetRecords'], LatestStreamArn);
  await refused(get(LatestStreamArn), 'PolicyNotFoundException', notFound(LatestStreamArn));
  const { RevisionId } = await put(LatestStreamArn, policy);
  assert.deepEqual({ ...(await get(LatestStreamArn)), $metadata: 0 }, { Policy: JSON.stringify(policy), RevisionId, $metadata: 0 });
  await refused(get(TableArn), 'PolicyNotFoundException');
  await refused(
    dynamodb.deleteResourcePolicy({ ResourceArn: LatestStreamArn, ExpectedRevisionId: '1' }), 'PolicyNotFoundException',
    notFound(`Requested update for policy with revision id 1, but the policy associated to target stream ${LatestStreamLabel} has revision id ${RevisionId}.`));
  assert.equal((await dynamodb.deleteResourcePolicy({ ResourceArn: LatestStreamArn })).RevisionId, RevisionId);

  await refused(put(TableArn, policy), 'ValidationException',
    'One or more parameter values were invalid: Invalid policy document: The following action names are invalid: ' +
    '"dynamodb:DescribeStream", "dynamodb:GetRecords"');
  const bogus = `${TableArn}/stream/2000-01-01T00:00:00.000`;
  const gone = `Requested resource not found: Stream: 2000-01-01T00:00:00.000 not found for Table: ${TableName}`;
  await refused(get(bogus), 'ResourceNotFoundException', gone);
  await refused(put(bogus, allow('dynamodb:GetRecords', '*')), 'ResourceNotFoundException', gone);
});

test('only tables and streams of this account and region have policies', async () => {
  const { TableName, TableArn } = await tableWithStream();
  const invalid = (what) => `One or more parameter values were invalid: ${what}`;
  const elsewhere = TableArn.replace(/:us-[^:]+:/, ':eu-south-2:');
  const cases = [
    [TableName, 'ValidationException', invalid(`ARNs must start with 'arn:': ${TableName}`)],
    [`${TableArn}x`, 'ResourceNotFoundException', `Requested resource not found: Table: ${TableName}x not found`],
    [TableArn.replace(ACCOUNT, '210987654321'), 'ValidationException',
      'This action is only supported by accounts that match the resource owner’s account.'],
    [elsewhere, 'ValidationException', invalid(`Invalid resource Arn: ${elsewhere}`)],
    [`${TableArn}/index/index`, 'ValidationException',
      invalid(`Invalid resource arn provided, only table or stream is accepted. Provided resource arn: ${TableArn}/index/index`)],
    [`${TableArn}/backup/0170`, 'ValidationException', invalid(`Provided Arn is not a DynamoDB resource arn: ${TableArn}/backup/0170`)],
  ];
  for (const [arn, exception, words] of cases) {
    await refused(get(arn), exception, words);
    await refused(put(arn, allow('dynamodb:GetItem', '*')), exception, words);
    await refused(dynamodb.deleteResourcePolicy({ ResourceArn: arn }), exception, words);
  }
});

test('a policy that would lock everybody out wants to be confirmed', async () => {
  const { TableArn } = await describe(await createTable());
  const policy = { Version: '2012-10-17', Statement: [{ Effect: 'Deny', Principal: '*', Action: 'dynamodb:PutResourcePolicy', Resource: TableArn }] };
  await refused(put(TableArn, policy), 'AccessDeniedException',
    'The new resource policy will not allow you to update the resource policy in the future.');
  await put(TableArn, policy, { ConfirmRemoveSelfResourceAccess: true });
  assert.deepEqual(JSON.parse((await get(TableArn)).Policy), policy);
});

test('policies survive a restart, and go with their table', async () => {
  const data = temporaryFolder();
  const TableName = uniqueName();
  const policy = JSON.stringify(allow('dynamodb:GetItem', '*'));
  const input = tableInput({ name: TableName, StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' } });
  const first = await startServer({ data });
  let client = connect(first.endpoint);
  const { TableDescription } = await client.createTable(input);
  const ResourceArn = TableDescription.TableArn;
  const { RevisionId } = await client.putResourcePolicy({ ResourceArn, Policy: policy });
  const ofStream = JSON.stringify(allow('dynamodb:GetRecords', '*'));
  await client.putResourcePolicy({ ResourceArn: TableDescription.LatestStreamArn, Policy: ofStream });
  await first.kill('SIGTERM');

  const second = await startServer({ data });
  client = connect(second.endpoint);
  const kept = await client.getResourcePolicy({ ResourceArn });
  assert.deepEqual([kept.Policy, kept.RevisionId], [policy, RevisionId]);
  assert.equal((await client.getResourcePolicy({ ResourceArn: TableDescription.LatestStreamArn })).Policy, ofStream);
  await client.deleteTable({ TableName });
  await refused(client.deleteResourcePolicy({ ResourceArn }), 'ResourceNotFoundException');
  await client.createTable(input);
  await refused(client.getResourcePolicy({ ResourceArn }), 'PolicyNotFoundException');
  await second.kill('SIGTERM');
});
