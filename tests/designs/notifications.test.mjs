// The rows of the system "notifications", each by the document's own calls and
// by the design's operations.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as written from './documents/notifications.mjs';
import { HASH, newUlid, notifications as ids, SECONDS, ULID } from './ids.mjs';
import { fails, openSystem, pagesOf, pluck, race, rawPages, refused, ROUNDS } from './systems.mjs';

const system = await openSystem('notifications');
const { call, docClient, keepsDesigns } = system;
const NOTIFICATIONS = 'notifications-dev';
const USERS = 'users-dev';

// What the document's sketches call.
const queryOf = (TableName) => ({ Query: (input) => docClient.query({ TableName, ...input }) });

const userKey = (id) => ({ PK: `USER#${id}`, SK: 'METADATA' });
const notificationKey = ({ user_id, created_at, id }) => ({ PK: `USER#${user_id}`, SK: `NOTIF#${created_at}#${id}` });

const newUserId = () => `usr_${newUlid()}`;
const userItem = (id, email) => ({ ...userKey(id), id, email, password_hash: HASH, GSI1PK: `EMAIL#${email}`, GSI1SK: `USER#${id}` });

test("N1 a user's notifications in time order, newest first, in pages", async () => {
  const input = {
    TableName: NOTIFICATIONS,
    KeyConditionExpression: 'PK = :pk',
    ExpressionAttributeValues: { ':pk': `USER#${ids.ana}` },
  };
  const inTimeOrder = [ids.welcome, ids.code, ids.messageFromTom, ids.messageFromLucia, ids.week];
  assert.deepEqual(pluck((await docClient.query(input)).Items, 'id'), inTimeOrder);
  const newestFirst = await docClient.query({ ...input, ScanIndexForward: false });
  assert.deepEqual(pluck(newestFirst.Items, 'id'), [...inTimeOrder].reverse());

  // Pages of two: every item once, in order, though two share their second.
  const pages = await rawPages((page) => docClient.query(page), { ...input, ScanIndexForward: false, Limit: 2 });
  assert.deepEqual(pluck(pages.flat(), 'id'), [...inTimeOrder].reverse());
  assert.ok(pages.every((page) => page.length <= 2));

  const left = inTimeOrder.filter((id) => id !== ids.code);
  assert.deepEqual(pluck((await call('notificationHistory', { user_id: ids.ana })).items, 'id'), left);
  const list = await call('listNotifications', { user_id: ids.ana });
  assert.deepEqual(pluck(list.items, 'id'), [...left].reverse());
  assert.equal(list.next, undefined);
  const listed = await pagesOf(system, 'listNotifications', { user_id: ids.ana, limit: 2 });
  assert.deepEqual(pluck(listed.flat(), 'id'), [...left].reverse());
  assert.ok(listed.every((page) => page.length <= 2));

  // Entities, without keys.
  assert.deepEqual(list.items[0], {
    id: ids.week,
    user_id: ids.ana,
    title: 'Your week',
    content: 'Two messages, one new contact, nothing left unread.',
    channel_name: 'email',
    created_at: '2024-11-05T07:00:00Z',
    updated_at: '2024-11-05T07:00:00Z',
  });

  const since = await call('notificationsSince', { user_id: ids.ana, since: '2024-11-02T15:30:00Z' });
  assert.deepEqual(pluck(since.items, 'id'), [ids.messageFromTom, ids.messageFromLucia, ids.week]);
  assert.deepEqual(await call('listNotifications', { user_id: ids.lucia }), { items: [] });
  // Nobody sees another's: not even with an id that begins alike.
  assert.deepEqual((await call('listNotifications', { user_id: ids.ana.slice(0, -1) })).items, []);
  await fails(call('listNotifications'), 'InvalidParameter');
  await fails(call('listNotifications', { user_id: ids.ana, next: 'nonsense' }), 'InvalidParameter');
});

test('N2 one notification by its id alone', async () => {
  const { Items } = await written.notificationById(queryOf(NOTIFICATIONS), ids.messageFromTom);
  assert.equal(Items.length, 1);
  assert.equal(Items[0].content, 'You have a new message from Tom.');
  assert.deepEqual((await written.notificationById(queryOf(NOTIFICATIONS))).Items, []);

  const { item } = await call('notification', { id: ids.messageFromTom });
  assert.equal(item.user_id, ids.ana);
  assert.equal(item.GSI1PK, undefined);
  await fails(call('notification', { id: newUlid() }), 'NotFound');
});

test('N3 create: a ULID, timestamps, and a channel that exists', async () => {
  const { item } = await call('createNotification', {
    user_id: ids.tom,
    title: 'Backup done',
    content: 'Twelve files.',
    channel_name: 'push',
  });
  assert.match(item.id, ULID);
  assert.match(item.created_at, SECONDS);
  assert.equal(item.updated_at, item.created_at);
  assert.ok(Math.abs(Date.parse(item.created_at) - Date.now()) < 60000);
  const stored = await docClient.get({ TableName: NOTIFICATIONS, Key: notificationKey(item) });
  assert.deepEqual(stored.Item, {
    ...notificationKey(item),
    GSI1PK: `NOTIF#${item.id}`,
    GSI1SK: `NOTIF#${item.id}`,
    ...item,
  });

  const wrong = { user_id: ids.tom, title: 'T', content: 'C', channel_name: 'fax' };
  assert.equal((await fails(call('createNotification', wrong), 'InvalidParameter')).parameter, 'channel_name');
  await fails(call('createNotification', { user_id: ids.tom, content: 'C', channel_name: 'sms' }), 'InvalidParameter');
  if (!keepsDesigns) return;

  // A plain PutItem, without the index's key.
  const id = newUlid();
  const created_at = '2024-12-24T18:00:00Z';
  const Item = { ...notificationKey({ user_id: ids.tom, created_at, id }), id, title: 'T', content: 'C', channel_name: 'sms' };
  await docClient.put({ TableName: NOTIFICATIONS, Item });
  const { Items } = await written.notificationById(queryOf(NOTIFICATIONS), id);
  assert.equal(Items[0].GSI1SK, `NOTIF#${id}`);
  assert.match(Items[0].updated_at, SECONDS);
  assert.equal((await call('notification', { id })).item.user_id, ids.tom);
  await refused(docClient.put({ TableName: NOTIFICATIONS, Item: { ...Item, channel_name: 'fax' } }), 'ValidationException', /channel_name/);
  const { title, ...untitled } = Item;
  await refused(docClient.put({ TableName: NOTIFICATIONS, Item: untitled }), 'ValidationException', /title/);
});

test('N4 update title or content; updated_at moves', async () => {
  const made = { user_id: ids.lucia, title: 'Draft', content: 'To be changed.', channel_name: 'email', created_at: '2024-11-03T09:00:00Z', updated_at: '2024-11-03T09:00:00Z' };
  const { item } = await call('createNotification', made);
  const changed = (await call('updateNotification', { id: item.id, title: 'Done' })).item;
  assert.equal(changed.title, 'Done');
  assert.equal(changed.content, made.content);
  assert.equal(changed.created_at, made.created_at);
  assert.ok(changed.updated_at > made.updated_at);
  await fails(call('updateNotification', { id: newUlid(), title: 'Nobody' }), 'NotFound');
  await fails(call('updateNotification', { id: item.id, channel_name: 'sms' }), 'InvalidParameter');
  if (!keepsDesigns) return;

  const raw = await call('createNotification', { ...made, created_at: '2024-11-03T10:00:00Z' });
  const update = (UpdateExpression, value) =>
    docClient.update({
      TableName: NOTIFICATIONS,
      Key: notificationKey(raw.item),
      UpdateExpression,
      ExpressionAttributeValues: { ':v': value },
      ReturnValues: 'ALL_NEW',
    });
  const { Attributes } = await update('SET content = :v', 'Changed.');
  assert.equal(Attributes.content, 'Changed.');
  assert.ok(Attributes.updated_at > made.updated_at);
  // What stands in the key never changes.
  await refused(update('SET user_id = :v', ids.tom), 'ValidationException', /user_id/);
  await refused(update('SET channel_name = :v', 'pigeon'), 'ValidationException', /channel_name/);
});

test('N5 delete is soft; lists leave it out unless asked', async () => {
  const create = async (title) =>
    (await call('createNotification', { user_id: newUserId(), title, content: 'C', channel_name: 'sms' })).item;
  const gone = await create('By the operation');
  await call('deleteNotification', { id: gone.id });
  const { Item } = await docClient.get({ TableName: NOTIFICATIONS, Key: notificationKey(gone) });
  assert.match(Item.deleted_at, SECONDS);
  assert.equal(Item.title, gone.title);
  assert.deepEqual((await call('listNotifications', { user_id: gone.user_id })).items, []);
  assert.deepEqual(pluck((await call('allNotifications', { user_id: gone.user_id })).items, 'id'), [gone.id]);
  await fails(call('notification', { id: gone.id }), 'NotFound');
  await fails(call('deleteNotification', { id: gone.id }), 'NotFound');
  await fails(call('updateNotification', { id: gone.id, title: 'Again' }), 'NotFound');

  await call('restoreNotification', { id: gone.id });
  assert.deepEqual(pluck((await call('listNotifications', { user_id: gone.user_id })).items, 'id'), [gone.id]);

  // As the document has it: an update that sets deleted_at.
  const raw = await create('By an update');
  await docClient.update({
    TableName: NOTIFICATIONS,
    Key: notificationKey(raw),
    UpdateExpression: 'SET deleted_at = :now',
    ExpressionAttributeValues: { ':now': '2024-12-01T00:00:00Z' },
  });
  assert.deepEqual((await call('listNotifications', { user_id: raw.user_id })).items, []);
  assert.equal((await call('allNotifications', { user_id: raw.user_id })).items.length, 1);

  // A page is as long as it can be though deleted ones lie between.
  assert.equal((await call('allNotifications', { user_id: ids.ana })).items.length, 5);
  assert.equal((await call('listNotifications', { user_id: ids.ana })).items.length, 4);
});

test('N6 a user by id', async () => {
  const { Item } = await docClient.get({ TableName: USERS, Key: userKey(ids.ana) });
  assert.equal(Item.email, 'ana.ferrer@example.com');
  assert.deepEqual((await call('user', { id: ids.ana })).item, {
    id: ids.ana,
    email: 'ana.ferrer@example.com',
    created_at: '2024-10-01T08:12:45Z',
  });
  await fails(call('user', { id: newUserId() }), 'NotFound');
});

test('N7 a user by e-mail address, and the login', async () => {
  const { Items } = await written.userByEmail(queryOf(USERS), 'tom.okafor@example.com');
  assert.equal(Items.length, 1);
  assert.equal(Items[0].id, ids.tom);
  assert.match(Items[0].password_hash, /^\$2[aby]\$10\$/);

  const byEmail = await call('userByEmail', { email: 'tom.okafor@example.com' });
  assert.deepEqual(Object.keys(byEmail.item).sort(), ['created_at', 'email', 'id']);
  const login = await call('login', { email: 'tom.okafor@example.com', password: ids.password });
  assert.deepEqual(login.item, byEmail.item);

  const wrong = await fails(call('login', { email: 'tom.okafor@example.com', password: 'salamandra-43' }), 'WrongCredentials');
  const nobody = await fails(call('login', { email: 'nobody@example.com', password: ids.password }), 'WrongCredentials');
  assert.equal(wrong.message, nobody.message);
  // The hash itself is no password.
  await fails(call('login', { email: 'tom.okafor@example.com', password: Items[0].password_hash }), 'WrongCredentials');

  // Who asks for an address that does not exist waits as long.
  const seconds = async (email) => {
    const times = [];
    for (let attempt = 0; attempt < 5; ++attempt) {
      const start = performance.now();
      await call('login', { email, password: 'wrong-password' }).catch(() => {});
      times.push(performance.now() - start);
    }
    return times.sort((a, b) => a - b)[2];
  };
  const [known, unknown] = [await seconds('tom.okafor@example.com'), await seconds('nobody@example.com')];
  assert.ok(unknown > known / 2 && unknown < known * 2, `known ${known} ms, unknown ${unknown} ms`);
});

test('N8 signup; an e-mail address is unique', async () => {
  const { item } = await call('signup', { email: 'noor@example.com', password: 'correct horse' });
  assert.match(item.id, /^usr_[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  assert.equal(item.password_hash, undefined);
  const { Item } = await docClient.get({ TableName: USERS, Key: userKey(item.id) });
  assert.match(Item.password_hash, /^\$2[aby]\$10\$.{53}$/);
  assert.equal(Item.GSI1PK, 'EMAIL#noor@example.com');
  assert.equal((await call('login', { email: 'noor@example.com', password: 'correct horse' })).item.id, item.id);

  await fails(call('signup', { email: 'noor@example.com', password: 'another horse' }), 'NotUnique');
  await fails(call('signup', { email: 'no address', password: 'correct horse' }), 'InvalidParameter');
  await fails(call('signup', { email: 'short@example.com', password: 'short' }), 'InvalidParameter');

  const attempts = Array.from({ length: keepsDesigns ? 64 : 8 }, () => call('signup', { email: 'race@example.com', password: 'correct horse' }));
  const { won, failed } = await race(attempts);
  assert.equal(won.length, 1);
  assert.ok(failed.every(({ code }) => code === 'NotUnique' || code === 'Conflict'), String(failed[0]));
  assert.equal((await written.userByEmail(queryOf(USERS), 'race@example.com')).Items.length, 1);
});

test('N8 64 signups at once with one address, by plain PutItem: exactly one succeeds, every time', { skip: !keepsDesigns }, async () => {
  for (let round = 0; round < ROUNDS; ++round) {
    const email = `round${round}@example.com`;
    const { won, failed } = await race(
      Array.from({ length: 64 }, () => docClient.put({ TableName: USERS, Item: userItem(newUserId(), email) })),
    );
    assert.equal(won.length, 1, `round ${round}: ${won.length} signups succeeded; ${failed[0]}`);
    for (const error of failed) assert.match(error.message, /email/, `${error.name}: ${error.message}`);
    const { Items } = await written.userByEmail(queryOf(USERS), email);
    assert.equal(Items.length, 1);
  }
});

test('N8 no way in goes around the rule: transactions, batches, replacing items', { skip: !keepsDesigns }, async () => {
  const put = (id, email) => ({ TableName: USERS, Item: userItem(id, email) });
  const holders = async (email) => (await written.userByEmail(queryOf(USERS), email)).Items.length;
  const [first, second] = [newUserId(), newUserId()];
  const twice = docClient.transactWrite({ TransactItems: [{ Put: put(first, 'twice@example.com') }, { Put: put(second, 'twice@example.com') }] });
  const { CancellationReasons } = await refused(twice, 'TransactionCanceledException');
  assert.match(CancellationReasons.map(({ Message }) => Message).join(), /email/);
  assert.equal(await holders('twice@example.com'), 0);

  const requests = [first, second].map((id) => ({ PutRequest: { Item: userItem(id, 'batch@example.com') } }));
  await assert.rejects(docClient.batchWrite({ RequestItems: { [USERS]: requests } }), /email/);
  assert.ok((await holders('batch@example.com')) <= 1);

  // Who has the address may be written again; others may not take it in any way.
  await docClient.put(put(first, 'mine@example.com'));
  await docClient.put(put(first, 'mine@example.com'));
  await assert.rejects(docClient.put(put(second, 'mine@example.com')), /email/);
  await assert.rejects(docClient.batchWrite({ RequestItems: { [USERS]: [{ PutRequest: { Item: userItem(second, 'mine@example.com') } }] } }), /email/);
  assert.equal(await holders('mine@example.com'), 1);
  // In one transaction one leaves it and another takes it.
  await docClient.transactWrite({
    TransactItems: [{ Put: put(first, 'left@example.com') }, { Put: put(second, 'mine@example.com') }],
  });
  assert.equal((await written.userByEmail(queryOf(USERS), 'mine@example.com')).Items[0].id, second);
  // An index key that a client makes up is put right.
  await docClient.put({ TableName: USERS, Item: { ...userItem(first, 'left@example.com'), GSI1PK: 'EMAIL#mine@example.com' } }).catch((error) => assert.equal(error.name, 'ValidationException'));
  assert.equal(await holders('mine@example.com'), 1);
  assert.equal(await holders('left@example.com'), 1);
});

test('N9 a changed e-mail address moves the index key and stays unique', async () => {
  const signup = async (email) => (await call('signup', { email, password: 'correct horse' })).item;
  const mover = await signup('old@example.com');
  const holder = await signup('held@example.com');

  assert.equal((await call('updateUser', { id: mover.id, email: 'new@example.com' })).item.email, 'new@example.com');
  assert.equal((await written.userByEmail(queryOf(USERS), 'new@example.com')).Items[0].id, mover.id);
  assert.deepEqual((await written.userByEmail(queryOf(USERS), 'old@example.com')).Items, []);
  await fails(call('updateUser', { id: mover.id, email: 'held@example.com' }), 'NotUnique');
  assert.equal((await call('user', { id: mover.id })).item.email, 'new@example.com');
  // What was left is free, and one's own address is no obstacle.
  await signup('old@example.com');
  await call('updateUser', { id: mover.id, email: 'new@example.com' });
  await call('changePassword', { id: holder.id, password: 'another horse' });
  await fails(call('login', { email: 'held@example.com', password: 'correct horse' }), 'WrongCredentials');
  await call('login', { email: 'held@example.com', password: 'another horse' });
  await fails(call('updateUser', { id: newUserId(), email: 'ghost@example.com' }), 'NotFound');
  if (!keepsDesigns) return;

  const rename = (id, email) =>
    docClient.update({
      TableName: USERS,
      Key: userKey(id),
      UpdateExpression: 'SET email = :email',
      ExpressionAttributeValues: { ':email': email },
    });
  await rename(mover.id, 'raw@example.com');
  assert.equal((await written.userByEmail(queryOf(USERS), 'raw@example.com')).Items[0].id, mover.id);
  assert.deepEqual((await written.userByEmail(queryOf(USERS), 'new@example.com')).Items, []);
  await assert.rejects(rename(mover.id, 'held@example.com'), /email/);

  // Many users after one address.
  const users = Array.from({ length: 64 }, newUserId);
  await Promise.all(users.map((id) => docClient.put({ TableName: USERS, Item: userItem(id, `${id.toLowerCase()}@example.com`) })));
  const { won } = await race(users.map((id) => rename(id, 'wanted@example.com')));
  assert.equal(won.length, 1);
  assert.equal((await written.userByEmail(queryOf(USERS), 'wanted@example.com')).Items.length, 1);
  // A user who is gone leaves the address free.
  const { Items } = await written.userByEmail(queryOf(USERS), 'wanted@example.com');
  await docClient.delete({ TableName: USERS, Key: userKey(Items[0].id) });
  await signup('wanted@example.com');
});
