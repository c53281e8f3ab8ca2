// Kills the server with SIGKILL at a random moment, again and again, while
// clients write; after each restart everything must be as promised:
//
// - no acknowledged write is lost, and one without an answer is whole or absent;
// - every index holds exactly the entries of the items that are there;
// - transactions that move an amount between accounts have left the sum alone.
//
// usage: kill_nine.mjs [--rounds 200] [--seed n] [--data folder]

import assert from 'node:assert/strict';
import { makeTable } from '../wire/harness/tables.mjs';
import { Model } from './model.mjs';
import { answered, random, readAll, runRounds } from './rounds.mjs';

const WRITERS = 12;
const KEYS_PER_WRITER = 40;
const ACCOUNTS = 8;
const OPENING_BALANCE = 1000;

const S = (text) => ({ S: String(text) });
const N = (number) => ({ N: String(number) });

// An item is known by its version: everything else in it follows from that.
function item(key, version) {
  const [pk, sk] = key.split('/');
  const attributes = { pk: S(pk), sk: S(sk), version: N(version), body: S(`${key}@${version} `.repeat(1 + (version % 20))) };
  if (version % 3) attributes.team = S(`team-${version % 5}`);
  if (version % 4) attributes.score = N(version % 100);
  if (version % 2) attributes.rank = N(-version);
  return attributes;
}
const versionOf = (found) => Number(found.version.N);
const keyOf = (found) => `${found.pk.S}/${found.sk.S}`;

// Which attributes must be there for an item to be in an index.
const INDEXES = { byTeam: ['team'], byTeamAndScore: ['team', 'score'], byRank: ['rank'] };

const model = new Model();
let lastVersion = 0;

async function writeItems(dynamodb, TableName, writer, alive) {
  const actions = [
    [2, 'delete'],
    [3, 'put'],
    [3, 'update'],
    [2, 'transact'],
  ].flatMap(([weight, action]) => Array(weight).fill(action));
  let going = true;
  while (going && alive()) {
    const version = ++lastVersion;
    const key = `w${writer}/k${random(KEYS_PER_WRITER)}`;
    const other = `w${writer}/t${random(KEYS_PER_WRITER)}`;
    const { pk, sk } = item(key, version);
    const put = (name) => ({ TableName, Item: item(name, version) });
    const one = new Map([[key, version]]);
    switch (actions[random(actions.length)]) {
      case 'delete':
        going = await model.write(new Map([[key, undefined]]), () => answered(dynamodb.deleteItem({ TableName, Key: { pk, sk } })));
        break;
      case 'put':
        going = await model.write(one, () => answered(dynamodb.putItem(put(key))));
        break;
      case 'update':
        going = await model.write(one, () => answered(dynamodb.updateItem(updateTo(TableName, key, version))));
        break;
      case 'transact':
        going = await model.write(new Map([[key, version], [other, version]]), () =>
          answered(dynamodb.transactWriteItems({ TransactItems: [{ Put: put(key) }, { Put: put(other) }] })),
        );
        break;
    }
  }
}

// The update that turns whatever is there into item(key, version).
function updateTo(TableName, key, version) {
  const { pk, sk, ...wanted } = item(key, version);
  const names = ['version', 'body', 'team', 'score', 'rank'];
  const set = names.filter((name) => wanted[name]);
  const removed = names.filter((name) => !wanted[name]);
  return {
    TableName,
    Key: { pk, sk },
    UpdateExpression:
      `SET ${set.map((name) => `#${name} = :${name}`).join(', ')}` +
      (removed.length ? ` REMOVE ${removed.map((name) => `#${name}`).join(', ')}` : ''),
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(set.map((name) => [`:${name}`, wanted[name]])),
  };
}

async function moveAmounts(dynamodb, TableName, alive) {
  const change = (account, by) => ({
    Update: {
      TableName,
      Key: { pk: S('bank'), sk: S(`account${account}`) },
      UpdateExpression: 'SET balance = balance + :by',
      ExpressionAttributeValues: { ':by': N(by) },
    },
  });
  while (alive()) {
    const from = random(ACCOUNTS);
    const to = (from + 1 + random(ACCOUNTS - 1)) % ACCOUNTS;
    const amount = 1 + random(50);
    const call = dynamodb.transactWriteItems({ TransactItems: [change(from, -amount), change(to, amount)] });
    const going = await answered(call).catch((error) => {
      assert.equal(error.name, 'TransactionCanceledException', error.message);
      return true;
    });
    if (!going) return;
  }
}

async function verify(dynamodb, TableName) {
  const all = await readAll(dynamodb, { TableName, ConsistentRead: true });
  const bank = all.filter(({ pk }) => pk.S === 'bank');
  const items = all.filter(({ pk }) => pk.S !== 'bank');
  const sum = bank.reduce((total, { balance }) => total + Number(balance.N), 0);
  assert.equal(sum, ACCOUNTS * OPENING_BALANCE, 'an amount appeared or vanished');

  for (const found of items) assert.deepEqual(found, item(keyOf(found), versionOf(found)), 'an item is not whole');
  for (const [IndexName, needed] of Object.entries(INDEXES)) {
    const entries = await readAll(dynamodb, { TableName, IndexName });
    const expected = items.filter((found) => needed.every((name) => found[name]));
    const byKey = (a, b) => (keyOf(a) < keyOf(b) ? -1 : 1);
    assert.deepEqual(entries.sort(byKey), expected.sort(byKey), `${IndexName} differs from the table`);
  }
  model.settle(new Map(items.map((found) => [keyOf(found), versionOf(found)])));
  return items.length;
}

let TableName;

async function prepare(dynamodb) {
  TableName = await makeTable(dynamodb, {
    key: 'pk:S sk:S',
    local: { byRank: 'pk:S rank:N' },
    global: { byTeam: 'team:S', byTeamAndScore: 'team:S score:N' },
  });
  for (let i = 0; i < ACCOUNTS; i++) {
    await dynamodb.putItem({
      TableName,
      Item: { pk: S('bank'), sk: S(`account${i}`), balance: N(OPENING_BALANCE) },
    });
  }
}

await runRounds({
  prepare,
  writers: (dynamodb, alive) => [
    ...Array.from({ length: WRITERS }, (_, writer) => writeItems(dynamodb, TableName, writer, alive)),
    ...Array.from({ length: 3 }, () => moveAmounts(dynamodb, TableName, alive)),
  ],
  verify: (dynamodb) => verify(dynamodb, TableName),
});
