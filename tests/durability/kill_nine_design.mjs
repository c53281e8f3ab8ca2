// kill -9 under a design with unique rules and derived keys. Writers have
// members of their own, but fight over e-mail addresses and over numbers in
// teams. After each restart:
//
// - no acknowledged write is lost, and one without an answer is whole or absent;
// - every member has the keys that the design derives, and both indexes hold
//   exactly the members that belong in them;
// - no two members share an address or a number in a team, an address that a
//   member has is refused to another, and one that nobody has can be taken.
//
// usage: kill_nine_design.mjs [--rounds 200] [--seed n] [--data folder]

import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Model } from './model.mjs';
import { answered, random, readAll, runRounds } from './rounds.mjs';

const DESIGN = join(dirname(fileURLToPath(import.meta.url)), 'design.yaml');
const TableName = 'members';
const WRITERS = 12;
const MEMBERS_PER_WRITER = 6;
const ADDRESSES = 90;
const TEAMS = 5;
const NUMBERS = 12;

const S = (text) => ({ S: String(text) });
const N = (number) => ({ N: String(number) });
const keyOf = (id) => ({ PK: S(`MEMBER#${id}`), SK: S('METADATA') });
const idOf = (found) => found.PK.S.slice('MEMBER#'.length);

// What a writer says of a member, as one text that the model compares.
let lastVersion = 0;
function choice() {
  const inTeam = random(3) > 0;
  return {
    version: ++lastVersion,
    email: `address${random(ADDRESSES)}@example.com`,
    team: inTeam ? `team${random(TEAMS)}` : undefined,
    number: inTeam ? random(NUMBERS) : undefined,
    status: random(2) ? 'active' : 'away',
  };
}
const stateOf = ({ version, email, team, number, status }) => JSON.stringify([version, email, team ?? null, number ?? null, status]);
function chosen(state) {
  const [version, email, team, number, status] = JSON.parse(state);
  return { version, email, team: team ?? undefined, number: number ?? undefined, status };
}
const stateOfItem = (found) =>
  stateOf({
    version: Number(found.version.N),
    email: found.email.S,
    team: found.team?.S,
    number: found.number && Number(found.number.N),
    status: found.status.S,
  });

// Neither keys of indexes nor times: those are the database's to set.
function attributes({ version, email, team, number, status }) {
  const given = { version: N(version), email: S(email), status: S(status) };
  if (team !== undefined) Object.assign(given, { team: S(team), number: N(number) });
  return given;
}
const put = (id, member) => ({ TableName, Item: { ...keyOf(id), ...attributes(member) } });
const create = (id, member) => ({ ...put(id, member), ConditionExpression: 'attribute_not_exists(PK)' });

// Only of a member that is there: the time of its creation stays.
function update(id, member) {
  const given = attributes(member);
  const names = ['version', 'email', 'status', 'team', 'number'];
  const removed = names.filter((name) => !given[name]);
  return {
    TableName,
    Key: keyOf(id),
    ConditionExpression: 'attribute_exists(PK)',
    UpdateExpression:
      `SET ${Object.keys(given).map((name) => `#${name} = :${name}`).join(', ')}` +
      (removed.length ? ` REMOVE ${removed.map((name) => `#${name}`).join(', ')}` : ''),
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(Object.keys(given).map((name) => [`:${name}`, given[name]])),
  };
}

const model = new Model();
const counts = { refused: 0, swapped: 0 };

// A refusal is an answer too: nothing has happened.
const REFUSALS = ['ConditionalCheckFailedException', 'TransactionCanceledException', 'TransactionConflictException'];
async function write(after, send) {
  try {
    return await model.write(new Map(after.map(([id, member]) => [id, member && stateOf(member)])), () => answered(send()));
  } catch (error) {
    if (!REFUSALS.includes(error.name)) throw error;
    counts.refused++;
    return true;
  }
}

async function writeMembers(dynamodb, writer, alive) {
  let going = true;
  while (going && alive()) {
    const id = `${writer}-${random(MEMBERS_PER_WRITER)}`;
    const other = `${writer}-${random(MEMBERS_PER_WRITER)}`;
    const member = choice();
    const transact = (...TransactItems) => dynamodb.transactWriteItems({ TransactItems });
    switch (random(other === id ? 5 : 7)) {
      case 0:
        going = await write([[id, undefined]], () => dynamodb.deleteItem({ TableName, Key: keyOf(id) }));
        break;
      case 1:
        going = await write([[id, member]], () => dynamodb.putItem(create(id, member)));
        break;
      case 2:
        going = await write([[id, member]], () => dynamodb.putItem(put(id, member)));
        break;
      case 3:
      case 4:
        going = await write([[id, member]], () => dynamodb.updateItem(update(id, member)));
        break;
      case 5: {  // what one lets go the other takes
        const [mine, theirs] = [model.state(id), model.state(other)];
        if (!mine || !theirs) break;
        const [first, second] = [{ ...chosen(theirs), version: member.version }, { ...chosen(mine), version: member.version }];
        going = await write([[id, first], [other, second]], () => transact({ Update: update(id, first) }, { Update: update(other, second) }));
        if (model.state(id) === stateOf(first)) counts.swapped++;
        break;
      }
      case 6:
        going = await write([[id, undefined], [other, member]], () =>
          transact({ Delete: { TableName, Key: keyOf(id) } }, { Put: put(other, member) }),
        );
        break;
    }
  }
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

// The whole item that must stand for a member.
function expected(found) {
  const id = idOf(found);
  const member = chosen(stateOfItem(found));
  const whole = {
    ...keyOf(id),
    ...attributes(member),
    entityType: S('MEMBER'),
    createdAt: found.createdAt,
    updatedAt: found.updatedAt,
    GSI1PK: S(`EMAIL#${member.email}`),
    GSI1SK: S('METADATA'),
  };
  if (member.team === undefined) return whole;
  const sort = `STATUS#${member.status}#${found.createdAt.S}#${id}`;
  return { ...whole, GSI2PK: S(`TEAM#${member.team}`), GSI2SK: S(sort) };
}

function expectDistinct(values, what) {
  assert.equal(new Set(values).size, values.length, `two members have the same ${what}`);
}

// Tries to take a value: only one that nobody has is free.
async function probe(dynamodb, member, isTaken) {
  const what = JSON.stringify(member);
  const taken = await dynamodb.putItem(create('probe', member)).then(() => true, (error) => {
    assert.match(error.message, /^Not unique: another item has /);
    return false;
  });
  assert.equal(taken, !isTaken, isTaken ? `${what} was given to two` : `${what} belongs to nobody and is refused`);
  if (taken) await dynamodb.deleteItem({ TableName, Key: keyOf('probe') });
}

async function probeAll(dynamodb, members) {
  const addresses = new Set(members.map(({ email }) => email));
  const numbers = new Set(members.filter(({ team }) => team).map(({ team, number }) => `${team}/${number}`));
  const base = { version: 0, status: 'active' };
  for (let i = 0; i < ADDRESSES; i++) {
    const email = `address${i}@example.com`;
    await probe(dynamodb, { ...base, email }, addresses.has(email));
  }
  for (let i = 0; i < TEAMS * NUMBERS; i++) {
    const [team, number] = [`team${i % TEAMS}`, Math.floor(i / TEAMS)];
    await probe(dynamodb, { ...base, email: 'probe@example.com', team, number }, numbers.has(`${team}/${number}`));
  }
}

async function verify(dynamodb) {
  const items = await readAll(dynamodb, { TableName, ConsistentRead: true });
  for (const found of items) {
    assert.match(found.createdAt.S, TIME);
    assert.match(found.updatedAt.S, TIME);
    assert.deepEqual(found, expected(found), 'a member does not keep the design');
  }
  for (const [IndexName, key] of [['GSI1', 'GSI1PK'], ['GSI2', 'GSI2PK']]) {
    const entries = await readAll(dynamodb, { TableName, IndexName });
    const byId = (a, b) => (a.PK.S < b.PK.S ? -1 : 1);
    assert.deepEqual(entries.sort(byId), items.filter((found) => found[key]).sort(byId), `${IndexName} differs from the table`);
  }
  const members = items.map((found) => chosen(stateOfItem(found)));
  expectDistinct(members.map(({ email }) => email), 'address');
  expectDistinct(members.filter(({ team }) => team).map(({ team, number }) => `${team}/${number}`), 'number in a team');
  await probeAll(dynamodb, members);
  model.settle(new Map(items.map((found) => [idOf(found), stateOfItem(found)])));
  return items.length;
}

await runRounds({
  options: ['--design', DESIGN],
  prepare: () => {},
  writers: (dynamodb, alive) => Array.from({ length: WRITERS }, (_, writer) => writeMembers(dynamodb, writer, alive)),
  verify,
});
assert.ok(counts.refused > 0 && counts.swapped > 0, `nobody fought over anything: ${JSON.stringify(counts)}`);
console.log(`${counts.refused} writes refused, ${counts.swapped} swaps of addresses`);
