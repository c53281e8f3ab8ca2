// Exports of tables to buckets, and imports of what lies there. A bucket is a
// folder below the server's folder of buckets.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { paginateListExports, paginateListImports } from '@aws-sdk/client-dynamodb';
import { connect, dynamodb as unbucketed, N, readAll, refused, S, uniqueName } from '../harness/index.mjs';
import { startServer, temporaryFolder } from '../harness/server.mjs';
import { makeTable } from '../harness/tables.mjs';

const buckets = temporaryFolder();
const data = temporaryFolder();
const S3Bucket = 'my.bucket-1';
mkdirSync(join(buckets, S3Bucket));
let server = await startServer({ data, options: ['--buckets', buckets] });
let dynamodb = connect(server.endpoint);

const file = (key) => join(buckets, S3Bucket, key);
function put(key, content) {
  mkdirSync(dirname(file(key)), { recursive: true });
  writeFileSync(file(key), content);
}
const md5 = (bytes, form = 'base64') => createHash('md5').update(bytes).digest(form);
const arnOf = (TableName) => `arn:aws:dynamodb:us-east-1:123456789012:table/${TableName}`;
const line = (Item) => `${JSON.stringify({ Item })}\n`;

async function restart() {
  server.kill('SIGKILL');
  await server.exited;
  server = await startServer({ data, options: ['--buckets', buckets] });
  dynamodb = connect(server.endpoint);
}

async function until(describe, seconds = 60) {
  const deadline = Date.now() + seconds * 1000;
  while (true) {
    const job = await describe();
    if ((job.ExportStatus ?? job.ImportStatus) !== 'IN_PROGRESS') return job;
    assert.ok(Date.now() < deadline, JSON.stringify(job));
    await sleep(20);
  }
}
const exported = (ExportArn) => until(async () => (await dynamodb.describeExport({ ExportArn })).ExportDescription);
const imported = (ImportArn) =>
  until(async () => (await dynamodb.describeImport({ ImportArn })).ImportTableDescription);

async function recoverable(description = {}) {
  const TableName = await makeTable(dynamodb, description);
  await dynamodb.updateContinuousBackups({
    TableName,
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  });
  return TableName;
}

async function exportTable(TableName, more = {}) {
  const { ExportDescription } =
    await dynamodb.exportTableToPointInTime({ TableArn: arnOf(TableName), S3Bucket, ...more });
  assert.equal(ExportDescription.ExportStatus, 'IN_PROGRESS');
  return exported(ExportDescription.ExportArn);
}

const importInput = (S3KeyPrefix, more = {}, table = {}) => ({
  S3BucketSource: { S3Bucket, S3KeyPrefix },
  InputFormat: 'DYNAMODB_JSON',
  TableCreationParameters: {
    TableName: uniqueName('imported'),
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
    ...table,
  },
  ...more,
});
async function importTable(input) {
  const { ImportTableDescription } = await dynamodb.importTable(input);
  assert.equal(ImportTableDescription.ImportStatus, 'IN_PROGRESS');
  return imported(ImportTableDescription.ImportArn);
}
const contents = async (TableName) =>
  (await readAll((page) => dynamodb.scan(page), { TableName })).Items.sort((a, b) => (a.pk.S < b.pk.S ? -1 : 1));

const items = [
  {
    pk: S('all'),
    s: S('quotes " and \n lines, é 🙂'),
    empty: S(''),
    n: N('-123456789012345678901234567890.12345678'),
    b: { B: new Uint8Array([0, 255, 10]) },
    emptyB: { B: new Uint8Array([]) },
    yes: { BOOL: true },
    nothing: { NULL: true },
    ss: { SS: ['a', 'b'] },
    ns: { NS: ['1', '2.5'] },
    bs: { BS: [new Uint8Array([1]), new Uint8Array([2])] },
    l: { L: [S('x'), { L: [] }, { M: {} }] },
    m: { M: { deep: { M: { er: { L: [N('1')] } } } } },
    owner: S('me'),
  },
  { pk: S('b') },
  { pk: S('c'), owner: S('you') },
];

test('an exported table has the files and manifests that Amazon writes', async () => {
  const TableName = await recoverable();
  for (const Item of items) await dynamodb.putItem({ TableName, Item });
  const job = await exportTable(TableName, { S3Prefix: 'nightly/full' });
  const id = job.ExportArn.split('/').at(-1);
  const folder = `nightly/full/AWSDynamoDB/${id}`;
  const { Table } = await dynamodb.describeTable({ TableName });
  assert.equal(job.ExportStatus, 'COMPLETED');
  assert.equal(job.ExportManifest, `${folder}/manifest-summary.json`);
  assert.equal(job.ItemCount, 3);
  assert.equal(job.BilledSizeBytes, Table.TableSizeBytes);
  assert.equal(job.TableId, Table.TableId);
  assert.equal(job.ExportType, undefined);
  assert.deepEqual(readdirSync(file(folder)).sort(), [
    '_started', 'data', 'manifest-files.json', 'manifest-files.md5', 'manifest-summary.json', 'manifest-summary.md5',
  ]);
  const summary = JSON.parse(readFileSync(file(job.ExportManifest)));
  assert.deepEqual(summary, {
    version: '2020-06-30',
    exportArn: job.ExportArn,
    startTime: job.StartTime.toISOString(),
    endTime: summary.endTime,
    tableArn: arnOf(TableName),
    tableId: Table.TableId,
    exportTime: job.ExportTime.toISOString(),
    s3Bucket: S3Bucket,
    s3Prefix: 'nightly/full',
    s3SseAlgorithm: 'AES256',
    s3SseKmsKeyId: null,
    manifestFilesS3Key: `${folder}/manifest-files.json`,
    billedSizeBytes: Table.TableSizeBytes,
    itemCount: 3,
    outputFormat: 'DYNAMODB_JSON',
    exportType: 'FULL_EXPORT',
  });
  for (const name of ['manifest-summary', 'manifest-files']) {
    assert.equal(readFileSync(file(`${folder}/${name}.md5`), 'utf8'), md5(readFileSync(file(`${folder}/${name}.json`))));
  }
  const lines = readFileSync(file(summary.manifestFilesS3Key), 'utf8').trimEnd().split('\n').map(JSON.parse);
  let count = 0;
  for (const entry of lines) {
    const bytes = readFileSync(file(entry.dataFileS3Key));
    assert.match(entry.dataFileS3Key, new RegExp(`^${folder}/data/[a-z2-7]{26}\\.json\\.gz$`));
    assert.equal(entry.md5Checksum, md5(bytes));
    assert.equal(entry.etag, `${md5(createHash('md5').update(bytes).digest(), 'hex')}-1`);
    const texts = gunzipSync(bytes).toString().split('\n').filter(Boolean);
    assert.equal(texts.length, entry.itemCount);
    for (const text of texts) assert.deepEqual(Object.keys(JSON.parse(text)), ['Item']);
    count += entry.itemCount;
  }
  assert.equal(count, 3);
});

test('an export comes back as an equal table, indexes and all', async () => {
  const TableName = await recoverable();
  for (const Item of items) await dynamodb.putItem({ TableName, Item });
  const job = await exportTable(TableName);
  const input = importInput(job.ExportManifest.replace('manifest-summary.json', 'data/'), { InputCompressionType: 'GZIP' }, {
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' }, { AttributeName: 'owner', AttributeType: 'S' },
    ],
    GlobalSecondaryIndexes: [{
      IndexName: 'byOwner',
      KeySchema: [{ AttributeName: 'owner', KeyType: 'HASH' }],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    }],
    SSESpecification: { Enabled: true, SSEType: 'KMS' },
  });
  const done = await importTable(input);
  assert.equal(done.ImportStatus, 'COMPLETED');
  assert.deepEqual(
    [done.ProcessedItemCount, done.ImportedItemCount, done.ErrorCount, done.InputCompressionType], [3, 3, 0, 'GZIP']);
  assert.deepEqual(done.TableCreationParameters, input.TableCreationParameters);
  const copy = input.TableCreationParameters.TableName;
  assert.deepEqual(await contents(copy), await contents(TableName));
  const { Table } = await dynamodb.describeTable({ TableName: copy });
  assert.equal(Table.TableStatus, 'ACTIVE');
  assert.equal(Table.TableId, done.TableId);
  assert.equal(Table.ItemCount, 3);
  assert.equal(Table.SSEDescription.Status, 'ENABLED');
  assert.equal(Table.GlobalSecondaryIndexes[0].ItemCount, 2);
  const { Items } = await dynamodb.query({
    TableName: copy,
    IndexName: 'byOwner',
    KeyConditionExpression: '#owner = :me',
    ExpressionAttributeNames: { '#owner': 'owner' },
    ExpressionAttributeValues: { ':me': S('me') },
  });
  assert.deepEqual(Items, [{ pk: S('all'), owner: S('me') }]);
});

test('an export shows the table at the time that it names', async () => {
  const TableName = await recoverable();
  await dynamodb.putItem({ TableName, Item: { pk: S('a'), v: N('1') } });
  await sleep(20);
  const ExportTime = new Date();
  await sleep(20);
  await dynamodb.putItem({ TableName, Item: { pk: S('a'), v: N('2') } });
  await dynamodb.putItem({ TableName, Item: { pk: S('b') } });
  const job = await exportTable(TableName, { ExportTime });
  assert.deepEqual(job.ExportTime, ExportTime);
  const [entry] = readFileSync(file(job.ExportManifest.replace('summary', 'files')), 'utf8').split('\n');
  assert.equal(gunzipSync(readFileSync(file(JSON.parse(entry).dataFileS3Key))).toString(), line({ pk: S('a'), v: N('1') }));
});

test('exports are refused in Amazon\'s words', async () => {
  const plain = await makeTable(dynamodb, {});
  const start = (more) => dynamodb.exportTableToPointInTime({ TableArn: arnOf(plain), S3Bucket, ...more });
  await refused(start(), 'PointInTimeRecoveryUnavailableException',
    `Point in time recovery is not enabled for table '${plain}'`);
  await refused(start({ TableArn: arnOf('none') }), 'TableNotFoundException', `Table not found: ${arnOf('none')}`);
  await refused(start({ TableArn: plain }), 'ValidationException',
    'One or more parameter values were invalid: tableArn is not a valid ARN');
  const TableArn = arnOf(await recoverable());
  await refused(start({ TableArn, ExportTime: new Date(Date.now() + 60000) }), 'InvalidExportTimeException',
    'Export Time is invalid');
  await refused(
    start({
      TableArn,
      ExportType: 'INCREMENTAL_EXPORT',
      IncrementalExportSpecification: { ExportFromTime: new Date(Math.ceil(Date.now() / 1000) * 1000) },
    }),
    'InvalidExportTimeException',
    'Difference between export period from time and export period to time is less than 15 minutes');
  await refused(start({ TableArn, ExportFormat: 'ION' }), 'ValidationException', /ION is not supported/);
  for (const S3Prefix of ['..', '../../etc', '/etc', 'a/../../b']) {
    await refused(start({ TableArn, S3Prefix }), 'ValidationException', /is not a path inside of a bucket/);
  }
  await refused(dynamodb.describeExport({ ExportArn: `${TableArn}/export/01234567890123-a1b2c3d4` }),
    'ExportNotFoundException', `Export not found: Export not found: ${TableArn}/export/01234567890123-a1b2c3d4`);
  await refused(dynamodb.describeExport({ ExportArn: TableArn }), 'ValidationException', 'Invalid Export ARN');
});

test('what is wrong with a bucket shows in the failed export', async () => {
  const TableName = await recoverable();
  const none = await exportTable(TableName, { S3Bucket: 'no-such-bucket' });
  assert.equal(none.ExportStatus, 'FAILED');
  assert.equal(none.FailureCode, 'S3NoSuchBucket');
  assert.match(none.FailureMessage, /^The specified bucket does not exist/);
  assert.equal(none.ExportManifest, undefined);
  assert.equal((await exportTable(TableName, { S3BucketOwner: '999999999999' })).FailureCode, 'S3AccessDenied');
  symlinkSync('/tmp', file('way-out'));
  assert.equal((await exportTable(TableName, { S3Prefix: 'way-out' })).FailureCode, 'S3AccessDenied');
});

test('one token is one export', async () => {
  const TableName = await recoverable();
  const ClientToken = uniqueName('token');
  const first = await exportTable(TableName, { ClientToken });
  const again = await dynamodb.exportTableToPointInTime({ TableArn: arnOf(TableName), S3Bucket, ClientToken });
  assert.deepEqual(again.ExportDescription, first);
  await refused(
    dynamodb.exportTableToPointInTime({ TableArn: arnOf(TableName), S3Bucket, ClientToken, S3Prefix: 'x' }),
    'ExportConflictException', 'Export conflict: Duplicate request detected with conflicting parameters');
});

test('exports and imports are listed in pages', async () => {
  const TableName = await recoverable();
  const arns = [];
  for (let i = 0; i < 5; ++i) arns.unshift((await exportTable(TableName)).ExportArn);
  const listed = [];
  for await (const page of paginateListExports({ client: dynamodb }, { TableArn: arnOf(TableName), MaxResults: 2 })) {
    assert.ok(page.ExportSummaries.length <= 2);
    listed.push(...page.ExportSummaries);
  }
  assert.deepEqual(listed.map((each) => each.ExportArn), arns);
  assert.deepEqual(listed[0], { ExportArn: arns[0], ExportStatus: 'COMPLETED', ExportType: 'FULL_EXPORT' });
  const made = [];
  for (let i = 0; i < 3; ++i) made.unshift((await importTable(importInput('nothing/'))).ImportArn);
  const imports = [];
  for await (const page of paginateListImports({ client: dynamodb }, { PageSize: 1 })) imports.push(...page.ImportSummaryList);
  assert.deepEqual(imports.slice(0, 3).map((each) => each.ImportArn), made);
  assert.equal(imports[0].ImportStatus, 'COMPLETED');
});

test('CSV becomes items: keys have the types of the table, all else is text', async () => {
  put('csv/1.csv', 'id,name,age,note\n1,Ann,30,"one, ""two"""\n2,Bob,,\n');
  put('csv/2.csv', 'id,name,age,note\nx,No number,1,\n3,Cy,5,"two\nlines"\n');
  const input = importInput('csv/', { InputFormat: 'CSV' }, {
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'N' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  });
  const done = await importTable(input);
  assert.equal(done.InputFormatOptions, undefined);
  assert.deepEqual([done.ImportStatus, done.FailureCode], ['FAILED', 'ItemValidationError']);
  assert.deepEqual([done.ProcessedItemCount, done.ImportedItemCount, done.ErrorCount], [4, 3, 1]);
  const { Items } = await dynamodb.scan({ TableName: input.TableCreationParameters.TableName });
  assert.deepEqual(Items.sort((a, b) => a.id.N - b.id.N), [
    { id: N('1'), name: S('Ann'), age: S('30'), note: S('one, "two"') },
    { id: N('2'), name: S('Bob'), age: S(''), note: S('') },
    { id: N('3'), name: S('Cy'), age: S('5'), note: S('two\nlines') },
  ]);
  const log = readFileSync(join(buckets, '.import-errors', `${done.ImportArn.split('/').at(-1)}.json`), 'utf8');
  assert.deepEqual(JSON.parse(log), {
    itemS3Pointer: { bucket: S3Bucket, key: 'csv/2.csv', itemIndex: 0 },
    importArn: done.ImportArn,
    errorMessages: ['The value of column id is not a number'],
  });
});

test('CSV with given columns has no header line', async () => {
  put('plain/1.csv.gz', gzipSync('a;1\nb;2\n'));
  const Csv = { Delimiter: ';', HeaderList: ['pk', 'val'] };
  const input = importInput('plain/', { InputFormat: 'CSV', InputFormatOptions: { Csv }, InputCompressionType: 'GZIP' });
  const done = await importTable(input);
  assert.deepEqual(done.InputFormatOptions, { Csv });
  assert.deepEqual(await contents(input.TableCreationParameters.TableName),
    [{ pk: S('a'), val: S('1') }, { pk: S('b'), val: S('2') }]);
});

test('a prefix is the beginning of a key; bad lines are counted and the good ones stay', async () => {
  put('mix/1.json', line({ pk: S('a') }) + line({ other: S('no key') }) + line({ pk: S('b') }));
  put('mix2/x.json', 'garbage\n' + line({ pk: S('lost') }));
  put('mix.bak', 'garbage');
  const input = importInput('mix');
  const done = await importTable(input);
  assert.deepEqual([done.ProcessedItemCount, done.ImportedItemCount, done.ErrorCount], [5, 2, 3]);
  assert.equal(done.FailureMessage,
    'Some of the items failed validation checks and were not imported. Please check CloudWatch error logs for more details.');
  assert.deepEqual(await contents(input.TableCreationParameters.TableName), [{ pk: S('a') }, { pk: S('b') }]);
});

test('an import needs a free name and a bucket', async () => {
  const TableName = await makeTable(dynamodb, {});
  await refused(dynamodb.importTable(importInput('x/', {}, { TableName })), 'ResourceInUseException',
    `Table already exists: ${TableName}`);
  // A table can be named by its ARN, but it cannot be called that.
  for (const name of ['ab', arnOf('abc'), 'a b c']) {
    await refused(dynamodb.importTable(importInput('x/', {}, { TableName: name })), 'ValidationException',
      /at 'tableCreationParameters\.tableName' failed to satisfy constraint/);
  }
  const input = importInput('x/');
  input.S3BucketSource.S3Bucket = 'no-such-bucket';
  const failed = await importTable(input);
  assert.deepEqual([failed.ImportStatus, failed.FailureCode], ['FAILED', 'S3NoSuchBucket']);
  await refused(dynamodb.describeTable({ TableName: input.TableCreationParameters.TableName }), 'ResourceNotFoundException');
  await refused(dynamodb.importTable(importInput('../up')), 'ValidationException', /is not a path inside of a bucket/);
  await refused(dynamodb.importTable(importInput('x/', { InputFormat: 'ION' })), 'ValidationException', /ION is not supported/);
});

test('a killed server goes on with imports and exports from their start', async () => {
  const COUNT = 60000;
  let lines = '';
  for (let i = 0; i < COUNT; ++i) lines += line({ pk: S(`item-${i}`), text: S('x'.repeat(50)) });
  put('many/1.json', lines);
  const input = importInput('many/');
  const { TableName } = input.TableCreationParameters;
  const { ImportArn } = (await dynamodb.importTable(input)).ImportTableDescription;
  const describe = async () => (await dynamodb.describeImport({ ImportArn })).ImportTableDescription;
  while ((await describe()).ProcessedItemCount < 1000) await sleep(1);
  assert.equal((await dynamodb.describeTable({ TableName })).Table.TableStatus, 'CREATING');
  await refused(dynamodb.deleteTable({ TableName }), 'ResourceInUseException');
  await refused(dynamodb.putItem({ TableName, Item: { pk: S('x') } }), 'ResourceNotFoundException');
  await restart();
  const done = await imported(ImportArn);
  assert.deepEqual([done.ImportStatus, done.ImportedItemCount], ['COMPLETED', COUNT]);
  const { Table } = await dynamodb.describeTable({ TableName });
  assert.deepEqual([Table.TableStatus, Table.ItemCount], ['ACTIVE', COUNT]);

  await dynamodb.updateContinuousBackups({
    TableName,
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  });
  const { ExportArn } =
    (await dynamodb.exportTableToPointInTime({ TableArn: arnOf(TableName), S3Bucket })).ExportDescription;
  await restart();
  const job = await exported(ExportArn);
  assert.deepEqual([job.ExportStatus, job.ItemCount], ['COMPLETED', COUNT]);
  const folder = dirname(file(job.ExportManifest));
  const entries = readFileSync(join(folder, 'manifest-files.json'), 'utf8').trimEnd().split('\n').map(JSON.parse);
  assert.deepEqual(readdirSync(join(folder, 'data')).map((name) => `data/${name}`).sort(),
    entries.map((entry) => entry.dataFileS3Key.split('/').slice(-2).join('/')).sort());
});

test('a server in memory says what it lacks', async () => {
  await refused(unbucketed.importTable(importInput('x/')), 'ValidationException', /start it with --buckets FOLDER/);
});
