// No way in goes around a design: whichever operation writes an item, its keys are
// derived, its attributes checked and its unique values claimed; and tables that
// are made anew, restored or imported under a design's name keep it from their
// first item on, also when the server is killed on the way.

import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../wire/harness/clients.mjs';
import { startServer, temporaryFolder } from '../wire/harness/server.mjs';
import { tableInput, untilActive, untilGone } from '../wire/harness/tables.mjs';

const TableName = 'people';
const S3Bucket = 'bucket';
const DESIGN = `design: people
tables:
  main:
    name: ${TableName}
    key: { partition: PK, sort: SK }
    indexes: { GSI1: { partition: GSI1PK, sort: GSI1SK } }
    stream: new-and-old-images
    extensions: [range-queries]
entities:
  User:
    key: { PK: "USER#{id}", SK: METADATA }
    indexes: { GSI1: { GSI1PK: "NICK#{nick}", GSI1SK: "{id}" } }
    unique: [email]
    attributes:
      id: string
      email: email
      nick: string
      age: integer
      createdAt: { type: timestamp, set: on-create }
      updatedAt: { type: timestamp, set: on-write }
operations:
  byNick: { query: User, index: GSI1, by: [nick] }
`;
const folder = temporaryFolder();
const design = join(folder, 'design.yaml');
writeFileSync(design, DESIGN);
mkdirSync(join(folder, 'buckets', S3Bucket), { recursive: true });

let server;
let dynamodb;
async function serve() {
  const options = ['--design', design, '--buckets', join(folder, 'buckets')];
  server = await startServer({ data: join(folder, 'data'), options });
  dynamodb = connect(server.endpoint);
}
async function killAndServe() {
  dynamodb.destroy();
  await server.kill('SIGKILL');
  await serve();
}
await serve();

const key = (id) => ({ PK: { S: `USER#${id}` }, SK: { S: 'METADATA' } });
const typed = (attributes) => Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, { S: value }]));
const itemOf = (id, attributes) => ({ ...key(id), ...typed(attributes) });
const read = async (id) => (await dynamodb.getItem({ TableName, Key: key(id) })).Item;

const expressionOf = (attributes) => ({
  UpdateExpression: `SET ${Object.keys(attributes).map((name) => `${name} = :${name}`).join(', ')}`,
  ExpressionAttributeValues: Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`:${name}`, { S: value }])),
});
const insertOf = (id, attributes) => {
  const all = { PK: `USER#${id}`, SK: 'METADATA', ...attributes };
  return `INSERT INTO "${TableName}" VALUE {${Object.entries(all).map(([name, value]) => `'${name}': '${value}'`).join(', ')}}`;
};
const changeOf = (id, attributes) =>
  `UPDATE "${TableName}" ${Object.entries(attributes).map(([name, value]) => `SET ${name} = '${value}'`).join(' ')}
   WHERE PK = 'USER#${id}' AND SK = 'METADATA'`;
const removalOf = (id) => `DELETE FROM "${TableName}" WHERE PK = 'USER#${id}' AND SK = 'METADATA'`;

// A batch of statements answers, and tells in its answer what failed.
async function inBatch(Statement) {
  const { Responses: [{ Error: error }] } = await dynamodb.batchExecuteStatement({ Statements: [{ Statement }] });
  if (error) throw Object.assign(new Error(error.Message), { name: `${error.Code}` });
}
const inTransaction = (Statement) => dynamodb.executeTransaction({ TransactStatements: [{ Statement }] });
const transact = (action) => dynamodb.transactWriteItems({ TransactItems: [action] });
const batch = (request) => dynamodb.batchWriteItem({ RequestItems: { [TableName]: [request] } });

// How an item is made, changed and removed; changing makes a whole item where
// there is no other way.
const statement = (Statement) => dynamodb.executeStatement({ Statement });
const partiQl = (run) => ({
  make: (id, attributes) => run(insertOf(id, attributes)),
  change: (id, attributes) => run(changeOf(id, attributes)),
  remove: (id) => run(removalOf(id)),
});
const WAYS = {
  'single writes': {
    make: (id, attributes) => dynamodb.putItem({ TableName, Item: itemOf(id, attributes) }),
    change: (id, attributes) => dynamodb.updateItem({ TableName, Key: key(id), ...expressionOf(attributes) }),
    remove: (id) => dynamodb.deleteItem({ TableName, Key: key(id) }),
  },
  BatchWriteItem: {
    make: (id, attributes) => batch({ PutRequest: { Item: itemOf(id, attributes) } }),
    change: (id, attributes) => batch({ PutRequest: { Item: itemOf(id, attributes) } }),
    remove: (id) => batch({ DeleteRequest: { Key: key(id) } }),
  },
  TransactWriteItems: {
    make: (id, attributes) => transact({ Put: { TableName, Item: itemOf(id, attributes) } }),
    change: (id, attributes) => transact({ Update: { TableName, Key: key(id), ...expressionOf(attributes) } }),
    remove: (id) => transact({ Delete: { TableName, Key: key(id) } }),
  },
  ExecuteStatement: partiQl(statement),
  BatchExecuteStatement: partiQl(inBatch),
  ExecuteTransaction: partiQl(inTransaction),
};

const rejects = (promise, words) =>
  assert.rejects(promise, (error) => {
    const reasons = (error.CancellationReasons ?? []).map(({ Message }) => Message);
    assert.match([error.name, error.message, ...reasons].join(' '), words);
    return true;
  });

for (const [way, { make, change, remove }] of Object.entries(WAYS)) {
  test(`${way}: keys are derived, attributes checked, values unique`, async () => {
    const name = way.replace(' ', '').toLowerCase();
    const [id, other] = [`${name}-1`, `${name}-2`];
    const [email, free] = [`${name}@example.com`, `${name}.free@example.com`];
    await make(id, { email, nick: 'an' });
    const made = await read(id);
    assert.equal(made.GSI1PK.S, 'NICK#an');
    assert.match(made.createdAt.S, /^\d{4}-/);
    await rejects(make(other, { age: 'old' }), /Validation.*age must be a whole number/);
    await rejects(make(other, { email }), /ConditionalCheckFailed.*Not unique: another item has email/);
    assert.equal(await read(other), undefined);

    await change(id, { nick: 'bo', email: free });
    const changed = await read(id);
    assert.equal(changed.GSI1PK.S, 'NICK#bo');
    await rejects(change(id, { nick: 'ci', age: 'old' }), /age must be a whole number/);
    assert.deepEqual(await read(id), changed);
    // The value that was let go is free, the new one is not.
    await make(other, { email });
    await rejects(change(other, { email: free }), /Not unique/);
    await remove(id);
    await change(other, { email: free });
    assert.equal((await read(other)).email.S, free);
    await remove(other);
  });
}

const forgetTable = async () => {
  await dynamodb.deleteTable({ TableName });
  await untilGone(dynamodb, TableName);
};
const INPUT = tableInput({ name: TableName, key: 'PK:S SK:S', global: { GSI1: 'GSI1PK:S GSI1SK:S' } });

// What a table of the design's name must do, whatever made it; it has an item
// with the id, nick and e-mail address "first".
async function expectKept() {
  await rejects(dynamodb.putItem({ TableName, Item: itemOf('thief', { email: 'first@example.com' }) }), /Not unique/);
  await rejects(dynamodb.putItem({ TableName, Item: itemOf('thief', { age: 'old' }) }), /age must be a whole number/);
  await dynamodb.putItem({ TableName, Item: itemOf('second', { nick: 'second', email: 'second@example.com' }) });
  const { Items } = await dynamodb.query({
    TableName,
    IndexName: 'GSI1',
    KeyConditionExpression: 'begins_with(GSI1PK, :nick)',
    ExpressionAttributeValues: { ':nick': { S: 'NICK#' } },
    Limit: 2,
  });
  assert.deepEqual(Items.map(({ PK }) => PK.S), ['USER#first', 'USER#second'], 'the extension is on');
  await dynamodb.deleteItem({ TableName, Key: key('second') });
}

test('a table that is made anew keeps the design', async () => {
  await forgetTable();
  await dynamodb.createTable(INPUT);
  await dynamodb.putItem({ TableName, Item: itemOf('first', { nick: 'first', email: 'first@example.com' }) });
  await expectKept();
});

const MANY = 15_000;
async function fill() {
  for (let begin = 0; begin < MANY; begin += 200) {
    await Promise.all(
      Array.from({ length: 8 }, (_, part) =>
        dynamodb.batchWriteItem({
          RequestItems: {
            [TableName]: Array.from({ length: 25 }, (__, i) => begin + part * 25 + i).map((number) => ({
              PutRequest: { Item: itemOf(`many-${number}`, { email: `many-${number}@example.com` }) },
            })),
          },
        }),
      ),
    );
  }
}
const count = async () => {
  let items = 0;
  let ExclusiveStartKey;
  do {
    const page = await dynamodb.scan({ TableName, Select: 'COUNT', ExclusiveStartKey });
    items += page.Count;
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return items;
};

const state = async () => (await dynamodb.describeTable({ TableName })).Table.TableStatus;

test('a table that is restored keeps the design, and its items are as they were', async () => {
  await fill();
  const before = await read('first');
  const { BackupDetails: { BackupArn } } = await dynamodb.createBackup({ TableName, BackupName: 'before' });
  await forgetTable();
  await dynamodb.restoreTableFromBackup({ BackupArn, TargetTableName: TableName });
  await untilActive(dynamodb, TableName);
  assert.deepEqual(await read('first'), before);
  assert.equal(await count(), MANY + 1);
  await expectKept();

  // Killed on the way.
  await forgetTable();
  await dynamodb.restoreTableFromBackup({ BackupArn, TargetTableName: TableName });
  assert.equal(await state(), 'CREATING');
  await killAndServe();
  await untilActive(dynamodb, TableName);
  assert.deepEqual(await read('first'), before);
  assert.equal(await count(), MANY + 1);
  await expectKept();
  await rejects(dynamodb.putItem({ TableName, Item: itemOf('thief', { email: `many-${MANY - 1}@example.com` }) }), /Not unique/);
});

test('a table that is brought back to a time keeps the design', async () => {
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  const source = 'people-of-then';
  await dynamodb.createTable({ ...INPUT, TableName: source });
  await dynamodb.updateContinuousBackups({ TableName: source, PointInTimeRecoverySpecification });
  for (const [id, email] of [['first', 'first'], ['third', 'third'], ['twin', 'third']]) {
    await dynamodb.putItem({ TableName: source, Item: itemOf(id, { nick: id, email: `${email}@example.com` }) });
  }
  await forgetTable();
  await dynamodb.restoreTableToPointInTime({ SourceTableName: source, TargetTableName: TableName, UseLatestRestorableTime: true });
  await untilActive(dynamodb, TableName);
  // Of the two with one address, the table has one; the log says so.
  const { Items } = await dynamodb.scan({ TableName });
  assert.equal(Items.length, 2);
  assert.match(server.log(), /Of table people 1 items? (was|were) not restored.*Not unique/);
  await dynamodb.deleteItem({ TableName, Key: key('third') });
  await dynamodb.deleteItem({ TableName, Key: key('twin') });
  await expectKept();
  await dynamodb.deleteTable({ TableName: source });
});

const importInput = {
  S3BucketSource: { S3Bucket, S3KeyPrefix: 'people' },
  InputFormat: 'DYNAMODB_JSON',
  TableCreationParameters: INPUT,
};
const imported = async (ImportArn) => {
  for (;;) {
    const { ImportTableDescription: job } = await dynamodb.describeImport({ ImportArn });
    if (job.ImportStatus !== 'IN_PROGRESS') return job;
    await sleep(20);
  }
};
const line = (id, attributes) => `${JSON.stringify({ Item: itemOf(id, attributes) })}\n`;

test('a table that is imported keeps the design', async () => {
  const file = join(folder, 'buckets', S3Bucket, 'people.json');
  writeFileSync(file, [
    line('first', { nick: 'passing', email: 'passing@example.com' }),
    line('first', { nick: 'passing', email: 'passing-too@example.com' }),
    line('first', { nick: 'first', email: 'first@example.com' }),
    line('wrong', { age: 'old' }),
    line('thief', { email: 'first@example.com' }),
  ].join(''));
  await forgetTable();
  const { ImportTableDescription: { ImportArn } } = await dynamodb.importTable(importInput);
  const job = await imported(ImportArn);
  assert.deepEqual([job.ProcessedItemCount, job.ImportedItemCount, job.ErrorCount], [5, 3, 2]);
  assert.equal((await read('first')).GSI1PK.S, 'NICK#first', 'the last of one key stays');
  assert.equal(await count(), 1);
  await expectKept();
  await dynamodb.putItem({ TableName, Item: itemOf('free', { email: 'passing@example.com' }) });

  // Killed on the way. What the design says of the table and an import does not,
  // such as its stream, waits until it is over.
  for (let number = 0; number < MANY; ++number) {
    appendFileSync(file, line(`many-${number}`, { email: `many-${number}@example.com` }));
  }
  await forgetTable();
  const again = (await dynamodb.importTable(importInput)).ImportTableDescription.ImportArn;
  while ((await dynamodb.describeImport({ ImportArn: again })).ImportTableDescription.ProcessedItemCount < 100) await sleep(5);
  await killAndServe();
  const after = await imported(again);
  assert.deepEqual([after.ImportedItemCount, after.ErrorCount], [MANY + 3, 2]);
  await untilActive(dynamodb, TableName);
  assert.equal(await count(), MANY + 1);
  const { Table } = await dynamodb.describeTable({ TableName });
  assert.equal(Table.StreamSpecification.StreamEnabled, true);
  await expectKept();
});
