// The rows of the system "kefir", each by the document's own queries and by the
// design's operations.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServer, temporaryFolder } from '../wire/harness/server.mjs';
import { connect } from '../wire/harness/clients.mjs';
import { untilActive, untilIndexGone } from '../wire/harness/tables.mjs';
import * as written from './documents/kefir.mjs';
import { MILLISECONDS, newUlid, ULID } from './ids.mjs';
import { designFile, fails, openSystem, pagesOf, pluck, race, rawPages, refused, sorted, testOfTaula } from './systems.mjs';

const system = await openSystem('kefir');
const { call, docClient, dynamodb, keepsDesigns } = system;
const tableName = 'kefir-app-dev-table';

const DAY = 24 * 60 * 60 * 1000;
const inDays = (days) => new Date(Date.now() + days * DAY).toISOString();

const recipe = { name: 'Test', waterVolumeMl: 1000, sugarGrams: 60, temperatureC: 22, targetHoursStage1: 48 };
const newBatch = async (userId = newUlid()) => (await call('createBatch', { userId, ...recipe })).item;

const NORA = '123';

// The records of a CSV file, as RFC 4180 has them.
function parseCsv(text) {
  const records = [[]];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  for (let match; field.lastIndex < text.length && (match = field.exec(text)); ) {
    records.at(-1).push(match[1]?.replaceAll('""', '"') ?? match[2]);
    if (match[3] === '\r\n') records.push([]);
  }
  assert.deepEqual(records.pop(), [], 'ends with the end of a line');
  return records;
}

test('K1 a user by id, with preferences', async () => {
  const { Item } = await docClient.get({ TableName: tableName, Key: { PK: 'USER#123', SK: 'METADATA' } });
  assert.deepEqual(Item.preferences, { notificationsEnabled: true, defaultTemperatureC: 22 });
  const { item } = await call('user', { userId: NORA });
  assert.deepEqual(item, {
    userId: NORA,
    email: 'nora.lindqvist@example.com',
    name: 'Nora Lindqvist',
    preferences: { notificationsEnabled: true, defaultTemperatureC: 22 },
    createdAt: '2024-01-02T18:00:00.000Z',
    updatedAt: '2024-01-10T07:45:00.000Z',
  });
  assert.equal((await call('user', { userId: '789' })).item.preferences, undefined);
  const made = (await call('createUser', { email: 'new@example.com' })).item;
  assert.match(made.userId, ULID);
  await fails(call('createUser', { email: 'new@example.com' }), 'NotUnique');
  const changed = await call('updateUser', { userId: made.userId, preferences: { notificationsEnabled: false, defaultTemperatureC: 19.5 } });
  assert.equal(changed.item.preferences.defaultTemperatureC, 19.5);
  await fails(call('updateUser', { userId: made.userId, preferences: { notificationsEnabled: 'no' } }), 'InvalidParameter');
});

test('K2 the batches of a user', async () => {
  const { Items } = await docClient.query({
    TableName: tableName,
    KeyConditionExpression: 'PK = :pk AND begins_with(SK, :sk)',
    ExpressionAttributeValues: { ':pk': 'USER#123', ':sk': 'BATCH#' },
  });
  assert.deepEqual(pluck(Items, 'batchId'), ['abc', 'abd', 'abe', 'abf']);
  assert.deepEqual(pluck((await call('listBatches', { userId: NORA })).items, 'batchId'), ['abc', 'abd', 'abe', 'abf']);
  assert.deepEqual((await call('listBatches', { userId: '789' })).items, []);
  const batch = await newBatch();
  assert.match(batch.batchId, ULID);
  assert.match(batch.startTime, MILLISECONDS);
  assert.deepEqual([batch.stage, batch.status], [1, 'active']);
  await fails(call('createBatch', { ...recipe, userId: NORA, temperatureC: 80 }), 'InvalidParameter');
});

test('K3 a batch by id', async () => {
  const { batchParams, eventsParams, remindersParams } = written.batchWithEventsAndReminders(tableName);
  const [Item] = (await docClient.query(batchParams)).Items;
  assert.deepEqual([Item.PK, Item.name, Item.GSI1SK], ['USER#123', 'Ginger and lemon', 'STATUS#active#2024-01-13T08:00:00.000Z']);
  assert.deepEqual(pluck((await docClient.query(eventsParams)).Items, 'eventId'), ['evt123', 'evt122', 'evt121', 'evt120']);
  assert.deepEqual(pluck((await docClient.query(remindersParams)).Items, 'reminderId'), ['rem1', 'rem2', 'rem3']);
  assert.equal((await call('batchById', { batchId: 'abc' })).item.userId, NORA);
  await fails(call('batchById', { batchId: 'ab' }), 'NotFound');
});

testOfTaula('K4 batches by status over all users', async () => {
  const known = ['abc', 'abd', 'abe', 'abf', 'sam1', 'sam2'];
  const seeded = (items) => pluck(items, 'batchId').filter((id) => known.includes(id));
  // In the order of the sort key: oldest first, whosever they are.
  const raw = await rawPages((page) => docClient.query(page), written.batchesByStatus(tableName, 'active'));
  assert.deepEqual(seeded(raw.flat()), ['abc', 'sam1', 'abd']);
  assert.ok(raw.flat().every(({ status }) => status === 'active'));
  for (const [status, batches] of Object.entries({ active: ['abc', 'sam1', 'abd'], in_fridge: ['abe'], ready: ['sam2'], archived: ['abf'] })) {
    const pages = await pagesOf(system, 'batchesByStatus', { status });
    assert.deepEqual(seeded(pages.flat()), batches, status);
  }
  // In pages, each once.
  const pages = await pagesOf(system, 'batchesByStatus', { status: 'active', limit: 2 });
  assert.ok(pages.every((page) => page.length <= 2));
  assert.deepEqual(seeded(pages.flat()), ['abc', 'sam1', 'abd']);
});

test('K4 the portable way reads the whole index', async () => {
  const items = (await pagesOf(system, 'batchesByStatusAnywhere', { status: 'in_fridge' })).flat();
  assert.deepEqual(pluck(items, 'batchId'), ['abe']);
});

testOfTaula('K4, K8, K9 a table without the extension refuses these queries, as Amazon does', async () => {
  const TableName = 'plain-table';
  const attribute = (AttributeName) => ({ AttributeName, AttributeType: 'S' });
  const schema = (hash, range) => [{ AttributeName: hash, KeyType: 'HASH' }, { AttributeName: range, KeyType: 'RANGE' }];
  await dynamodb.createTable({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: ['PK', 'SK', 'GSI1PK', 'GSI1SK'].map(attribute),
    KeySchema: schema('PK', 'SK'),
    GlobalSecondaryIndexes: [{ IndexName: 'GSI1', KeySchema: schema('GSI1PK', 'GSI1SK'), Projection: { ProjectionType: 'ALL' } }],
  });
  await untilActive(dynamodb, TableName);
  for (const input of [
    written.batchesByStatus(TableName, 'active'),
    written.remindersAfter(TableName, NORA, '2024-01-15T00:00:00.000Z'),
    written.dueReminders(TableName, '2024-01-17T00:00:00.000Z'),
  ]) {
    await refused(docClient.query(input), 'ValidationException');
  }
  await dynamodb.deleteTable({ TableName });
});

test("K5 a user's active batches", async () => {
  assert.deepEqual(pluck((await docClient.query(written.activeBatches(tableName))).Items, 'batchId'), ['abc', 'abd']);
  assert.deepEqual(pluck((await call('activeBatches', { userId: NORA })).items, 'batchId'), ['abc', 'abd']);
  assert.deepEqual((await call('activeBatches', { userId: '789' })).items, []);
});

test('K6 the events of a batch in order; the newest 20; those after a time', async () => {
  assert.deepEqual(pluck((await call('events', { batchId: 'abc' })).items, 'eventId'), ['evt120', 'evt121', 'evt122', 'evt123']);
  assert.deepEqual(pluck((await call('recentEvents', { batchId: 'abc' })).items, 'eventId'), ['evt123', 'evt122', 'evt121', 'evt120']);
  // The document's "SK > EVENT#<timestamp>" runs on into the reminders of the batch; the operation does not.
  const after = await docClient.query({
    TableName: tableName,
    KeyConditionExpression: 'PK = :pk AND SK > :sk',
    ExpressionAttributeValues: { ':pk': 'BATCH#abc', ':sk': 'EVENT#2024-01-14T21:40:00.000Z' },
  });
  assert.deepEqual(pluck(after.Items, 'SK').map((sk) => sk.split('#')[0]), ['EVENT', 'EVENT', 'REMINDER', 'REMINDER', 'REMINDER']);
  const events = await call('eventsAfter', { batchId: 'abc', since: '2024-01-14T12:00:00.000Z' });
  assert.deepEqual(pluck(events.items, 'eventId'), ['evt122', 'evt123']);
  // "After" is after: not at.
  const strictly = await call('eventsAfter', { batchId: 'abc', since: '2024-01-14T21:40:00.000Z' });
  assert.deepEqual(pluck(strictly.items, 'eventId'), ['evt123']);

  const { batchId } = await newBatch();
  for (let number = 0; number < 25; ++number) await call('addNote', { batchId, note: `Note ${number}` });
  const photo = (await call('addPhoto', { batchId, photoUrl: 'https://photos.example.com/1.jpg', photoKey: '1.jpg' })).item;
  assert.deepEqual([photo.type, photo.photoKey], ['photo', '1.jpg']);
  const recent = (await call('recentEvents', { batchId })).items;
  assert.equal(recent.length, 20);
  assert.equal(recent[0].type, 'photo');
  assert.equal(recent[1].note, 'Note 24');
  assert.equal((await call('events', { batchId })).items.length, 26);
});

test('K7 the reminders of a batch', async () => {
  assert.deepEqual(pluck((await call('reminders', { batchId: 'abc' })).items, 'reminderId'), ['rem1', 'rem2', 'rem3']);
  const { batchId, userId } = await newBatch();
  const made = (await call('createReminder', { batchId, userId, message: 'Taste it.', dueAt: inDays(1) })).item;
  assert.equal(made.status, 'pending');
  const cancelled = (await call('cancelReminder', { batchId, reminderId: made.reminderId })).item;
  assert.equal(cancelled.status, 'cancelled');
  assert.match(cancelled.cancelledAt, MILLISECONDS);
  await fails(call('cancelReminder', { batchId, reminderId: made.reminderId }), 'ConditionFailed');
});

test("K8 a user's upcoming reminders, between now and a week on", async () => {
  const { batchId, userId } = await newBatch();
  for (const [message, days] of Object.entries({ past: -1, soon: 1, later: 6.9, beyond: 8 })) {
    await call('createReminder', { batchId, userId, message, dueAt: inDays(days) });
  }
  const raw = await docClient.query(written.upcomingReminders(tableName, userId));
  assert.deepEqual(pluck(raw.Items, 'message'), ['soon', 'later']);
  assert.deepEqual(pluck((await call('upcomingReminders', { userId })).items, 'message'), ['soon', 'later']);
  assert.deepEqual(pluck((await call('upcomingReminders', { userId, until: inDays(9) })).items, 'message'), ['soon', 'later', 'beyond']);
  const week = { userId: NORA, from: '2024-01-16T00:00:00.000Z', until: '2024-01-17T10:40:00.000Z' };
  assert.deepEqual(pluck((await call('upcomingReminders', week)).items, 'reminderId'), ['rem3', 'rem2', 'rem4']);
  assert.deepEqual(pluck((await call('remindersAfter', { userId })).items, 'message'), ['soon', 'later', 'beyond']);
  if (!keepsDesigns) return;

  // begins_with and > on one key, as the document has it.
  const two = await docClient.query(written.remindersAfter(tableName, userId, new Date().toISOString()));
  assert.deepEqual(pluck(two.Items, 'message'), ['soon', 'later', 'beyond']);
});

testOfTaula('K9 reminders due now over all users', async () => {
  const seeded = (items) => pluck(items, 'reminderId').filter((id) => id.startsWith('rem'));
  const until = '2024-01-17T00:00:00.000Z';
  const raw = await rawPages((page) => docClient.query(page), written.dueReminders(tableName, until));
  assert.deepEqual(sorted(seeded(raw.flat())), ['rem1', 'rem2', 'rem3', 'rem6']);
  assert.ok(raw.flat().every(({ GSI1SK }) => GSI1SK.startsWith('DUE#') && GSI1SK < `DUE#${until}`));
  const due = (await pagesOf(system, 'dueReminders', { until })).flat();
  assert.deepEqual(sorted(seeded(due)), ['rem2', 'rem6']);

  const { batchId, userId } = await newBatch();
  const soon = (await call('createReminder', { batchId, userId, message: 'Not yet.', dueAt: inDays(1) })).item;
  const past = (await call('createReminder', { batchId, userId, message: 'Now.', dueAt: inDays(-0.01) })).item;
  const dueNow = async () => pluck((await pagesOf(system, 'dueReminders', { limit: 3 })).flat(), 'reminderId');
  const now = await dueNow();
  assert.ok(now.includes(past.reminderId) && !now.includes(soon.reminderId));
  assert.equal(new Set(now).size, now.length);
  await call('reminderSent', { batchId, reminderId: past.reminderId });
  await fails(call('reminderSent', { batchId, reminderId: past.reminderId }), 'ConditionFailed');
  assert.ok(!(await dueNow()).includes(past.reminderId));
});

test('K9 the portable way reads the whole index', async () => {
  const items = (await pagesOf(system, 'dueRemindersAnywhere', { until: '2024-01-17T00:00:00.000Z' })).flat();
  assert.deepEqual(sorted(pluck(items, 'reminderId')), ['rem2', 'rem6']);
});

test('K10 the devices of a user; one device', async () => {
  const raw = await docClient.query({
    TableName: tableName,
    KeyConditionExpression: 'PK = :pk AND begins_with(SK, :sk)',
    ExpressionAttributeValues: { ':pk': 'USER#123', ':sk': 'DEVICE#' },
  });
  assert.deepEqual(pluck(raw.Items, 'deviceId'), ['browser', 'phone']);
  assert.deepEqual(pluck((await call('devices', { userId: NORA })).items, 'deviceId'), ['browser', 'phone']);
  const { Item } = await docClient.get({ TableName: tableName, Key: { PK: 'USER#123', SK: 'DEVICE#phone' } });
  assert.equal(Item.deviceInfo.model, 'iPhone 13');
  assert.equal((await call('device', { userId: NORA, deviceId: 'phone' })).item.platform, 'ios');
  const userId = newUlid();
  const device = { userId, deviceId: 'tablet', platform: 'android', pushToken: 'ExponentPushToken[0]' };
  await call('registerDevice', device);
  await call('registerDevice', { ...device, pushToken: 'ExponentPushToken[1]' });
  assert.deepEqual(pluck((await call('devices', { userId })).items, 'pushToken'), ['ExponentPushToken[1]']);
  await fails(call('registerDevice', { ...device, platform: 'toaster' }), 'InvalidParameter');
  await call('removeDevice', { userId, deviceId: 'tablet' });
  await fails(call('device', { userId, deviceId: 'tablet' }), 'NotFound');
});

test('K11 stage and status changes write the batch, its moved index key and an event together', async () => {
  const { userId, batchId } = await newBatch();
  const key = { userId, batchId };
  const stored = async () => (await docClient.get({ TableName: tableName, Key: { PK: `USER#${userId}`, SK: `BATCH#${batchId}` } })).Item;
  const before = await stored();
  assert.equal(before.GSI1SK, `STATUS#active#${before.createdAt}`);

  await call('startStage2', { ...key, bottleCount: 3, bottleVolumeMl: 330, temperatureCStage2: 20, targetHoursStage2: 36 });
  const bottled = await stored();
  assert.deepEqual([bottled.stage, bottled.bottleCount], [2, 3]);
  assert.match(bottled.startTimeStage2, MILLISECONDS);
  await fails(call('startStage2', { ...key, bottleCount: 9 }), 'ConditionFailed');

  await call('changeStatus', { ...key, status: 'in_fridge' });
  assert.equal((await stored()).GSI1SK, `STATUS#in_fridge#${before.createdAt}`);
  await fails(call('changeStatus', { ...key, status: 'in_fridge' }), 'ConditionFailed');
  await fails(call('changeStatus', { ...key, status: 'eaten' }), 'InvalidParameter');
  await fails(call('changeStatus', { userId, batchId: newUlid(), status: 'ready' }), 'NotFound');
  await call('archiveBatch', key);
  const archived = await stored();
  assert.equal(archived.status, 'archived');
  assert.match(archived.archivedAt, MILLISECONDS);

  const { items } = await call('events', { batchId });
  assert.deepEqual(
    items.map(({ type, fromStage, toStage, fromStatus, toStatus }) => [type, fromStage ?? fromStatus, toStage ?? toStatus]),
    [
      ['stage_transition', 1, 2],
      ['status_change', 'active', 'in_fridge'],
      ['status_change', 'in_fridge', 'archived'],
    ],
  );
  if (!keepsDesigns) return;

  // Many changes at once: as many events as changes, each from where the last one went.
  const raced = await newBatch();
  const statuses = ['in_fridge', 'ready', 'active'];
  const attempts = Array.from({ length: 30 }, (_, number) =>
    call('changeStatus', { userId: raced.userId, batchId: raced.batchId, status: statuses[number % 3] }),
  );
  const { won } = await race(attempts);
  const timeline = (await call('events', { batchId: raced.batchId })).items;
  assert.equal(timeline.length, won.length);
  const arrivals = timeline.map(({ toStatus }) => toStatus);
  const departures = timeline.map(({ fromStatus }) => fromStatus);
  const status = (await call('batchById', { batchId: raced.batchId })).item.status;
  assert.deepEqual(sorted([...departures, status]), sorted(['active', ...arrivals]));

  // A plain UpdateItem moves the index key by itself.
  const { Attributes } = await docClient.update({
    TableName: tableName,
    Key: { PK: `USER#${userId}`, SK: `BATCH#${batchId}` },
    UpdateExpression: 'SET #s = :s',
    ExpressionAttributeNames: { '#s': 'status' },
    ExpressionAttributeValues: { ':s': 'ready' },
    ReturnValues: 'ALL_NEW',
  });
  assert.equal(Attributes.GSI1SK, `STATUS#ready#${before.createdAt}`);
  // So do one in a transaction, and a whole item in a batch.
  const Key = { PK: `USER#${userId}`, SK: `BATCH#${batchId}` };
  const Update = {
    TableName: tableName,
    Key,
    UpdateExpression: 'SET #s = :s',
    ExpressionAttributeNames: { '#s': 'status' },
    ExpressionAttributeValues: { ':s': 'active' },
  };
  await docClient.transactWrite({ TransactItems: [{ Update }] });
  assert.equal((await stored()).GSI1SK, `STATUS#active#${before.createdAt}`);
  const { GSI1PK, GSI1SK, ...whole } = await stored();
  await docClient.batchWrite({ RequestItems: { [tableName]: [{ PutRequest: { Item: { ...whole, status: 'in_fridge' } } }] } });
  assert.equal((await stored()).GSI1SK, `STATUS#in_fridge#${before.createdAt}`);
});

test("K12 all of a user's data as CSV, with the events and reminders of each batch", async () => {
  const { userId } = (await call('createUser', { email: 'export@example.com', name: 'Ada "the\nexporter", Ltd.' })).item;
  const batches = [await newBatch(userId), await newBatch(userId)];
  const { batchId } = batches[0];
  await call('changeStatus', { userId, batchId, status: 'in_fridge' });
  await call('createReminder', { batchId: batches[1].batchId, userId, message: 'Open, "carefully"', dueAt: inDays(1) });
  await call('registerDevice', { userId, deviceId: 'tablet', platform: 'web', pushToken: 't', deviceInfo: { model: 'X' } });
  const notes = 3;
  for (let i = 0; i < notes; ++i) await call('addNote', { batchId, note: `note ${i}, with a comma` });

  // A page an item, to see that all pages come.
  const csv = await system.run('userData', `userId=${userId}`, 'limit=1', '--then', 'batchData', '--format', 'csv');
  const [header, ...records] = parseCsv(csv);
  const rows = records.map((cells) => Object.fromEntries(header.map((name, i) => [name, cells[i]])));
  const count = (entity) => rows.filter((row) => row.$entity === entity).length;
  assert.deepEqual(
    ['User', 'Batch', 'Device', 'Reminder', 'BatchEvent'].map(count),
    [1, 2, 1, 1, notes + 1],
    'nobody else and nothing twice',
  );
  assert.equal(rows.length, notes + 6);
  assert.deepEqual(header.slice(0, 4), ['$entity', 'userId', 'email', 'name']);
  assert.equal(rows.find(({ $entity }) => $entity === 'User').name, 'Ada "the\nexporter", Ltd.');
  const written = rows.filter(({ type }) => type === 'note').map(({ note }) => note);
  assert.deepEqual(written, Array.from({ length: notes }, (_, i) => `note ${i}, with a comma`));
  assert.deepEqual(JSON.parse(rows.find(({ $entity }) => $entity === 'Device').deviceInfo), { model: 'X' });
  assert.equal(rows.find(({ $entity }) => $entity === 'Reminder').message, 'Open, "carefully"');
  assert.ok(!csv.includes('GSI1PK'), 'keys are not data');
});

test('K14 an attribute and an index are added to a live table, and the index dropped again', async () => {
  // Old items do without the attribute.
  await docClient.update({
    TableName: tableName,
    Key: { PK: 'USER#456', SK: 'BATCH#sam2' },
    UpdateExpression: 'SET carbonation = :c',
    ExpressionAttributeValues: { ':c': 'strong' },
  });
  assert.deepEqual(pluck((await call('listBatches', { userId: '456' })).items, 'carbonation'), [undefined, 'strong']);

  await dynamodb.updateTable({
    TableName: tableName,
    AttributeDefinitions: ['platform', 'lastSeenAt'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    GlobalSecondaryIndexUpdates: [
      {
        Create: {
          IndexName: 'ByPlatform',
          KeySchema: [{ AttributeName: 'platform', KeyType: 'HASH' }, { AttributeName: 'lastSeenAt', KeyType: 'RANGE' }],
          Projection: { ProjectionType: 'ALL' },
        },
      },
    ],
  });
  await untilActive(dynamodb, tableName);
  const onIos = {
    TableName: tableName,
    IndexName: 'ByPlatform',
    KeyConditionExpression: 'platform = :p',
    ExpressionAttributeValues: { ':p': 'ios' },
  };
  assert.deepEqual(pluck((await docClient.query(onIos)).Items, 'deviceId'), ['phone']);
  await call('registerDevice', { userId: NORA, deviceId: 'watch', platform: 'ios', pushToken: 'ExponentPushToken[w]' });
  assert.deepEqual(pluck((await docClient.query(onIos)).Items, 'deviceId'), ['phone', 'watch']);
  await call('removeDevice', { userId: NORA, deviceId: 'watch' });
  await dynamodb.updateTable({ TableName: tableName, GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'ByPlatform' } }] });
  await untilIndexGone(dynamodb, tableName, 'ByPlatform');
  await refused(docClient.query(onIos), 'ValidationException');
});

testOfTaula('K15 seed data for development: whole, and put once', async () => {
  const data = temporaryFolder();
  const seeded = async () => {
    const server = await startServer({ data, options: ['--design', designFile('kefir'), '--seed'] });
    const client = connect(server.endpoint);
    const { Items } = await client.scan({ TableName: tableName });
    const address = `${server.endpoint}/designs/kefir`;
    return { server, client, Items, address };
  };
  const first = await seeded();
  assert.equal(first.Items.length, 3 + 6 + 9 + 6 + 3);
  // What was changed since is not undone by the next start.
  await first.client.deleteItem({ TableName: tableName, Key: { PK: { S: 'USER#123' }, SK: { S: 'DEVICE#browser' } } });
  await first.client.updateItem({
    TableName: tableName,
    Key: { PK: { S: 'USER#123' }, SK: { S: 'METADATA' } },
    UpdateExpression: 'SET #n = :n',
    ExpressionAttributeNames: { '#n': 'name' },
    ExpressionAttributeValues: { ':n': { S: 'Nora L.' } },
  });
  await first.server.kill('SIGTERM');
  const again = await seeded();
  const nora = again.Items.find(({ PK, SK }) => PK.S === 'USER#123' && SK.S === 'METADATA');
  assert.equal(nora.name.S, 'Nora L.');
  assert.equal(again.Items.length, first.Items.length - 1);
  assert.ok(!again.Items.some(({ SK }) => SK.S === 'DEVICE#browser'));
  await again.server.kill('SIGTERM');
});

test('K16 every access pattern of the document has an operation', async () => {
  // What the document calls a unit test for each query pattern.
  assert.ok((await call('listBatches', { userId: NORA })).items.length > 0);
  const data = await docClient.query(written.allUserData(tableName));
  assert.equal(data.Count, 7);
  const { items } = await call('userData', { userId: NORA });
  assert.deepEqual(sorted(pluck(items, '$entity')), ['Batch', 'Batch', 'Batch', 'Batch', 'Device', 'Device', 'User']);
});

test("K17 a sparse index, encryption at rest, and the stage in the table's name", async () => {
  const indexed = (await rawPages((page) => docClient.scan(page), { TableName: tableName, IndexName: 'GSI1' })).flat();
  const kinds = new Set(indexed.map(({ SK }) => SK.split('#')[0]));
  assert.deepEqual(sorted(kinds), ['BATCH', 'REMINDER'], 'users, events and devices are not in the index');
  if (!keepsDesigns) return; // DynamoDB Local says nothing about encryption
  const { Table } = await dynamodb.describeTable({ TableName: tableName });
  assert.equal(Table.SSEDescription.Status, 'ENABLED');
  assert.equal(Table.SSEDescription.SSEType, 'KMS');
  assert.match(Table.SSEDescription.KMSMasterKeyArn, /^arn:aws:kms:[^:]+:[^:]+:key\//);

  const server = await startServer({ data: temporaryFolder(), options: ['--design', designFile('kefir'), '--stage', 'prod'] });
  const { TableNames } = await connect(server.endpoint).listTables({});
  assert.deepEqual(TableNames, ['kefir-app-prod-table']);
  const prod = await connect(server.endpoint).describeTable({ TableName: 'kefir-app-prod-table' });
  assert.equal(prod.Table.SSEDescription.SSEType, 'KMS');
  await server.kill('SIGTERM');
});
