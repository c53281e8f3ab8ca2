// The rows of the system "goals", each by plain calls and by the design's
// operations.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectStreams } from '../wire/harness/clients.mjs';
import { exampleChannel } from './documents/goals.mjs';
import { goals as ids, newUlid, SECONDS, ULID } from './ids.mjs';
import { fails, openSystem, pluck, race, refused, sorted, testOfTaula } from './systems.mjs';

const system = await openSystem('goals');
const { call, docClient, dynamodb, keepsDesigns } = system;
const TableName = 'goals-dev';

const partition = (userId) => ({ TableName, KeyConditionExpression: 'PK = :pk', ExpressionAttributeValues: { ':pk': `USER#${userId}` } });
const beginning = (userId, sk) => ({
  TableName,
  KeyConditionExpression: 'PK = :pk AND begins_with(SK, :sk)',
  ExpressionAttributeValues: { ':pk': `USER#${userId}`, ':sk': sk },
});
const byEmail = (email) => ({
  TableName,
  IndexName: 'EmailIndex',
  KeyConditionExpression: 'email = :email AND SK = :sk',
  ExpressionAttributeValues: { ':email': email, ':sk': 'METADATA' },
});

let people = 0;
const newUser = async () =>
  (await call('createUser', { email: `player${++people}@example.com`, displayName: `Player ${people}` })).item;

test('G1 user metadata by id, and by e-mail address through a sparse index', async () => {
  const { Item } = await docClient.get({ TableName, Key: { PK: `USER#${ids.robin}`, SK: 'METADATA' } });
  assert.equal(Item.email, 'zezima.fan@example.com');
  assert.equal(Item.userId, undefined, 'the user id is in the key only');
  assert.equal((await docClient.query(byEmail('zezima.fan@example.com'))).Items[0].PK, `USER#${ids.robin}`);
  // Only metadata is in the index: channels, characters, goals and progress are not.
  const indexed = (await docClient.scan({ TableName, IndexName: 'EmailIndex' })).Items;
  assert.deepEqual(pluck(indexed, 'SK'), ['METADATA', 'METADATA']);

  const robin = { userId: ids.robin, email: 'zezima.fan@example.com', displayName: 'Robin Clarke', timeZone: 'Europe/London', createdAt: '2025-01-01T00:00:00Z', updatedAt: '2025-01-01T00:00:00Z' };
  assert.deepEqual((await call('user', { userId: ids.robin })).item, robin);
  assert.deepEqual((await call('userByEmail', { email: robin.email })).item, robin);
  await fails(call('userByEmail', { email: 'nobody@example.com' }), 'NotFound');

  const made = await newUser();
  assert.match(made.userId, ULID);
  assert.equal(made.timeZone, 'UTC');
  assert.match(made.createdAt, SECONDS);
  await fails(call('createUser', { email: made.email, displayName: 'Copy' }), 'NotUnique');
  const moved = await call('updateUser', { userId: made.userId, email: 'moved@example.com' });
  assert.equal(moved.item.email, 'moved@example.com');
  await fails(call('userByEmail', { email: made.email }), 'NotFound');
  assert.equal((await call('userByEmail', { email: 'moved@example.com' })).item.userId, made.userId);
  if (!keepsDesigns) return;

  const attempts = Array.from({ length: 64 }, () =>
    docClient.put({ TableName, Item: { PK: `USER#${newUlid()}`, SK: 'METADATA', email: 'race@example.com', displayName: 'Racer' } }),
  );
  assert.equal((await race(attempts)).won.length, 1);
  assert.equal((await docClient.query(byEmail('race@example.com'))).Items.length, 1);
});

test('G2 notification channels: add, change, switch on and off, remove', async () => {
  // The document's example, as written, is what the seed data holds.
  const { Item } = await docClient.get({ TableName, Key: { PK: exampleChannel.PK, SK: exampleChannel.SK } });
  assert.deepEqual(Item, exampleChannel);
  const listed = await docClient.query(beginning(ids.robin, 'NOTIFICATION#'));
  assert.deepEqual(pluck(listed.Items, 'channelType'), ['DISCORD', 'EMAIL', 'SMS']);
  assert.deepEqual(pluck((await call('channels', { userId: ids.robin })).items, 'channelType'), ['DISCORD', 'EMAIL', 'SMS']);

  const { userId } = await newUser();
  await docClient.put({ TableName, Item: { ...exampleChannel, PK: `USER#${userId}` } });
  const [sms] = (await call('channels', { userId })).items;
  const { PK, SK, ...attributes } = exampleChannel;
  assert.equal(sms.identifier, attributes.identifier);

  const added = (await call('addChannel', { userId, channelType: 'DISCORD', identifier: '42' })).item;
  assert.equal(added.isActive, true);
  assert.equal(added.createdAt, added.updatedAt);
  await fails(call('addChannel', { userId, channelType: 'DISCORD', identifier: '43' }), 'AlreadyExists');
  await fails(call('addChannel', { userId, channelType: 'PIGEON', identifier: 'grey' }), 'InvalidParameter');
  assert.equal((await call('changeChannel', { userId, channelType: 'DISCORD', identifier: '43' })).item.identifier, '43');
  assert.equal((await call('switchOffChannel', { userId, channelType: 'SMS' })).item.isActive, false);
  assert.equal((await call('switchOnChannel', { userId, channelType: 'SMS' })).item.isActive, true);
  await call('removeChannel', { userId, channelType: 'DISCORD' });
  assert.deepEqual(pluck((await call('channels', { userId })).items, 'channelType'), ['SMS']);
  await fails(call('switchOnChannel', { userId, channelType: 'DISCORD' }), 'NotFound');
  if (!keepsDesigns) return;

  const { Attributes } = await docClient.update({
    TableName,
    Key: { PK: `USER#${userId}`, SK: 'NOTIFICATION#SMS' },
    UpdateExpression: 'SET isActive = :off',
    ExpressionAttributeValues: { ':off': false },
    ReturnValues: 'ALL_NEW',
  });
  assert.ok(Attributes.updatedAt > exampleChannel.updatedAt);
  const wrong = { ...exampleChannel, PK: `USER#${userId}`, SK: 'NOTIFICATION#SMS', isActive: 'yes' };
  await refused(docClient.put({ TableName, Item: wrong }), 'ValidationException', /isActive/);
});

test('G3 characters and their goals: create, list, change, complete, remove', async () => {
  const characters = await docClient.query(beginning(ids.robin, 'CHARACTER#'));
  assert.deepEqual(pluck(characters.Items, 'characterName'), ['Iron Robin', 'Lumby Lou']);
  assert.deepEqual(pluck((await call('characters', { userId: ids.robin })).items, 'characterName'), ['Iron Robin', 'Lumby Lou']);
  const ofLou = await docClient.query(beginning(ids.robin, 'GOAL#Lumby Lou#'));
  assert.deepEqual(pluck(ofLou.Items, 'goalId'), [ids.mining, ids.quests]);
  assert.deepEqual(pluck((await call('goalsOfCharacter', { userId: ids.robin, characterName: 'Lumby Lou' })).items, 'goalId'), [ids.mining, ids.quests]);
  assert.deepEqual(pluck((await call('goals', { userId: ids.robin })).items, 'goalId'), [ids.barrows, ids.mining, ids.quests]);

  const { userId } = await newUser();
  const character = (await call('createCharacter', { userId, characterName: 'Zez', combatLevel: 3 })).item;
  assert.equal(character.accountType, 'main');
  await call('createCharacter', { userId, characterName: 'Zezima', combatLevel: 126 });
  await fails(call('createCharacter', { userId, characterName: 'Zez' }), 'AlreadyExists');
  await fails(call('createCharacter', { userId, characterName: 'Longer than twelve' }), 'InvalidParameter');
  await fails(call('createCharacter', { userId, characterName: 'Zaz', combatLevel: 139 }), 'InvalidParameter');
  assert.equal((await call('updateCharacter', { userId, characterName: 'Zez', totalLevel: 32 })).item.totalLevel, 32);

  const goalOf = async (characterName, title) => {
    const { items } = await call('goalsOfCharacter', { userId, characterName });
    return items.find((goal) => goal.title === title);
  };
  const wanted = { userId, title: '50 Fishing', goalType: 'skill_level', subject: 'Fishing', targetValue: 50 };
  await call('createGoal', { ...wanted, characterName: 'Zez' });
  await call('createGoal', { ...wanted, characterName: 'Zezima', title: '99 Fishing', targetValue: 99 });
  await fails(call('createGoal', { ...wanted, characterName: 'Nobody' }), 'ConditionFailed');
  // A name that could not be told from what follows it in the key.
  await fails(call('createGoal', { ...wanted, characterName: 'Zez#ima' }), 'InvalidParameter');
  // The goals of "Zez" are not those of "Zezima".
  assert.deepEqual(pluck((await call('goalsOfCharacter', { userId, characterName: 'Zez' })).items, 'title'), ['50 Fishing']);
  const goal = await goalOf('Zez', '50 Fishing');
  assert.match(goal.goalId, ULID);
  assert.deepEqual([goal.goalStatus, goal.currentValue], ['active', 0]);
  const key = { userId, characterName: 'Zez', goalId: goal.goalId };
  assert.equal((await call('updateGoal', { ...key, targetValue: 60 })).item.targetValue, 60);
  const done = (await call('completeGoal', key)).item;
  assert.equal(done.goalStatus, 'completed');
  assert.match(done.completedAt, SECONDS);
  await fails(call('completeGoal', key), 'ConditionFailed');
  await call('removeGoal', key);
  await fails(call('goal', key), 'NotFound');
  await call('removeCharacter', { userId, characterName: 'Zez' });
  assert.deepEqual(pluck((await call('characters', { userId })).items, 'characterName'), ['Zezima']);
});

test('G4 progress of a goal between two days, newest first; recorded daily for many goals', async () => {
  const raw = await docClient.query({
    TableName,
    KeyConditionExpression: 'PK = :pk AND SK BETWEEN :from AND :until',
    ExpressionAttributeValues: {
      ':pk': `USER#${ids.robin}`,
      ':from': `PROGRESS#${ids.mining}#2025-02-26`,
      ':until': `PROGRESS#${ids.mining}#2025-02-28`,
    },
    ScanIndexForward: false,
  });
  const days = ['2025-02-28', '2025-02-27', '2025-02-26'];
  assert.deepEqual(pluck(raw.Items, 'recordedOn'), days);
  const between = { userId: ids.robin, goalId: ids.mining, from: '2025-02-26', until: '2025-02-28' };
  assert.deepEqual(pluck((await call('progressOfGoal', between)).items, 'recordedOn'), days);
  assert.equal((await call('progressOfGoal', { userId: ids.robin, goalId: ids.mining })).items.length, 5);
  assert.deepEqual((await call('progressOfGoal', { ...between, from: '2025-03-02', until: '2025-03-09' })).items, []);
  const [latest] = (await call('latestProgress', { userId: ids.robin, goalId: ids.mining })).items;
  assert.equal(latest.currentValue, 12604915);
  await fails(call('progressOfGoal', { ...between, from: 'yesterday' }), 'InvalidParameter');

  // One goal on one day, and the goal with it; the same day again replaces it.
  const { userId } = await newUser();
  await call('createCharacter', { userId, characterName: 'Digger' });
  await call('createGoal', { userId, characterName: 'Digger', title: '99 Mining', goalType: 'skill_level', targetValue: 99 });
  const [{ goalId }] = (await call('goals', { userId })).items;
  for (const currentValue of [41, 42]) {
    await call('recordProgress', { userId, characterName: 'Digger', goalId, recordedOn: '2025-05-01', currentValue });
  }
  assert.deepEqual(pluck((await call('progressOfGoal', { userId, goalId })).items, 'currentValue'), [42]);
  assert.equal((await call('goal', { userId, characterName: 'Digger', goalId })).item.currentValue, 42);
  // Nothing is half done: no progress for a goal that is not there.
  const lost = newUlid();
  await fails(call('recordProgress', { userId, characterName: 'Digger', goalId: lost, recordedOn: '2025-05-01', currentValue: 1 }), 'NotFound');
  assert.deepEqual((await call('progressOfGoal', { userId, goalId: lost })).items, []);

  // More goals than one BatchWriteItem takes.
  const many = Array.from({ length: 60 }, (_, index) => ({ userId, goalId: `goal-${index}`, recordedOn: '2025-05-02', currentValue: index }));
  await call('recordDay', { items: many });
  const recorded = await docClient.query(beginning(userId, 'PROGRESS#goal-'));
  assert.equal(recorded.Count, 60);
  assert.deepEqual(sorted(pluck(recorded.Items, 'goalId')), sorted(pluck(many, 'goalId')));
});

test('G5 which active channels to notify when a goal is reached', async () => {
  const raw = await docClient.query({
    ...beginning(ids.robin, 'NOTIFICATION#'),
    FilterExpression: 'isActive = :on',
    ExpressionAttributeValues: { ':pk': `USER#${ids.robin}`, ':sk': 'NOTIFICATION#', ':on': true },
  });
  assert.deepEqual(pluck(raw.Items, 'channelType'), ['DISCORD', 'SMS']);
  const { items } = await call('activeChannels', { userId: ids.robin });
  assert.deepEqual(items.map(({ channelType, identifier }) => [channelType, identifier]), [
    ['DISCORD', '1091842265730314290'],
    ['SMS', '+1234567890'],
  ]);
  assert.deepEqual((await call('activeChannels', { userId: ids.mira })).items, []);
});

test('G6 everything of a user in one query', async () => {
  const raw = await docClient.query(partition(ids.robin));
  assert.equal(raw.Count, 1 + 3 + 2 + 3 + 8);
  const { items } = await call('everything', { userId: ids.robin });
  assert.equal(items.length, raw.Count);
  const count = (kind) => items.filter((item) => item.$entity === kind).length;
  assert.deepEqual(['User', 'Channel', 'Character', 'Goal', 'Progress'].map(count), [1, 3, 2, 3, 8]);
  assert.ok(items.every((item) => item.userId === ids.robin && item.PK === undefined && item.SK === undefined));
  assert.deepEqual((await call('everything', { userId: 'nobody' })).items, []);
});

testOfTaula('G7 old progress that has a time to expire vanishes, and the stream says that nobody deleted it', async () => {
  const { userId } = await newUser();
  const day = (goalId, expiresAt) => ({ userId, goalId, recordedOn: '2025-05-01', currentValue: 1, expiresAt });
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
  const inAYear = new Date(Date.now() + 365 * 86_400_000).toISOString();
  await call('recordDay', { items: [day('expired', hourAgo), day('kept'), day('later', inAYear), day('deleted', inAYear)] });
  await docClient.delete({ TableName, Key: { PK: `USER#${userId}`, SK: 'PROGRESS#deleted#2025-05-01' } });

  const left = async () => sorted(pluck((await docClient.query(beginning(userId, 'PROGRESS#'))).Items, 'goalId'));
  const deadline = Date.now() + 20_000;
  while ((await left()).includes('expired')) {
    assert.ok(Date.now() < deadline, 'it does not expire');
    await sleep(50);
  }
  assert.deepEqual(await left(), ['kept', 'later']);
  assert.deepEqual((await call('progressOfGoal', { userId, goalId: 'expired' })).items, []);
  const later = await docClient.get({ TableName, Key: { PK: `USER#${userId}`, SK: 'PROGRESS#later#2025-05-01' } });
  assert.equal(later.Item.expiresAt, Math.floor(Date.parse(inAYear) / 1000));

  const { Table: { LatestStreamArn: StreamArn } } = await dynamodb.describeTable({ TableName });
  const streams = connectStreams(system.endpoint);
  const { StreamDescription } = await streams.describeStream({ StreamArn });
  assert.equal(StreamDescription.StreamViewType, 'NEW_AND_OLD_IMAGES');
  const removed = [];
  for (const { ShardId } of StreamDescription.Shards) {
    let { ShardIterator } = await streams.getShardIterator({ StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' });
    for (let records = [null]; records.length > 0 && ShardIterator;) {
      ({ Records: records, NextShardIterator: ShardIterator } = await streams.getRecords({ ShardIterator }));
      removed.push(...records.filter((record) => record.eventName === 'REMOVE' && record.dynamodb.Keys.PK.S === `USER#${userId}`));
    }
  }
  assert.deepEqual(removed.map((record) => [record.dynamodb.OldImage.goalId.S, record.userIdentity]), [
    ['deleted', undefined],
    ['expired', { Type: 'Service', PrincipalId: 'dynamodb.amazonaws.com' }],
  ]);
});

test('the table says what the document says of it', { skip: !keepsDesigns }, async () => {
  const { Table } = await dynamodb.describeTable({ TableName });
  assert.deepEqual(Table.KeySchema, [{ AttributeName: 'PK', KeyType: 'HASH' }, { AttributeName: 'SK', KeyType: 'RANGE' }]);
  assert.deepEqual(Table.GlobalSecondaryIndexes[0].KeySchema, [
    { AttributeName: 'email', KeyType: 'HASH' },
    { AttributeName: 'SK', KeyType: 'RANGE' },
  ]);
  const { TimeToLiveDescription } = await dynamodb.describeTimeToLive({ TableName });
  assert.deepEqual(TimeToLiveDescription, { AttributeName: 'expiresAt', TimeToLiveStatus: 'ENABLED' });
});
