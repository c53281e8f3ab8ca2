// Forks of a database of many items: how long one takes from the call to the
// answer, what memory it takes, and that each is for itself.
//
// usage: forks.mjs [--items 1000000] [--forks 50] [--memory]

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { connect } from '../wire/harness/clients.mjs';
import { startServer, temporaryFolder } from '../wire/harness/server.mjs';
import { tableInput } from '../wire/harness/tables.mjs';
import { importItems } from './import_items.mjs';

const { values: settings } = parseArgs({
  options: {
    items: { type: 'string', default: '1000000' },
    forks: { type: 'string', default: '50' },
    memory: { type: 'boolean', default: false },
  },
});
const ITEMS = Number(settings.items);
const FORKS = Number(settings.forks);
// Those of a fork without traffic; the bounds allow for a machine that does other things.
const MEDIAN_MS_MAX = 100;
const MEMORY_MB_MAX = 4;

const key = (i) => ({ pk: { S: `customer-${Math.floor(i / 10)}` }, sk: { N: String(i % 10) } });

const item = (i) => ({ ...key(i), body: { S: `${i}:`.padEnd(150, 'x') } });

const field = (pid, name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);
const residentMb = (pid) => field(pid, 'RssAnon') / 1024;

async function makeFork(endpoint) {
  const begun = performance.now();
  const answer = await fetch(`${endpoint}/forks`, { method: 'POST' });
  const ms = performance.now() - begun;
  assert.equal(answer.status, 201);
  return { ...(await answer.json()), ms };
}

const remove = (endpoint, name) => fetch(`${endpoint}/forks/${name}`, { method: 'DELETE' });
const text = (times) => {
  const sorted = [...times].sort((a, b) => a - b);
  return { median: sorted[Math.floor(sorted.length / 2)], least: sorted[0], most: sorted.at(-1) };
};
const say = (what, { median, least, most }) =>
  console.log(`${what}: median ${median.toFixed(1)} ms, from ${least.toFixed(1)} to ${most.toFixed(1)} ms`);

const buckets = temporaryFolder();
const data = settings.memory ? undefined : join(temporaryFolder(), 'data');
const server = await startServer({ data, options: ['--buckets', buckets] });
const dynamodb = connect(server.endpoint);
const TableName = await importItems(dynamodb, buckets, tableInput({ name: 'items', key: 'pk:S sk:N' }), ITEMS, item);
console.log(`${ITEMS} items, ${settings.memory ? 'in memory' : 'durable'}`);

const first = await makeFork(server.endpoint);
console.log(`first fork after loading: ${first.ms.toFixed(1)} ms`);
await remove(server.endpoint, first.name);

const made = [];
const removed = [];
for (let i = 0; i < 30; ++i) {
  const fork = await makeFork(server.endpoint);
  made.push(fork.ms);
  const begun = performance.now();
  await remove(server.endpoint, fork.name);
  removed.push(performance.now() - begun);
}
say('fork', text(made));
say('its end', text(removed));

const before = residentMb(server.pid);
const threads = field(server.pid, 'Threads');
const begun = performance.now();
const forks = await Promise.all(Array.from({ length: FORKS }, () => makeFork(server.endpoint)));
console.log(`${FORKS} at once: ${(performance.now() - begun).toFixed(0)} ms`);
const each = (residentMb(server.pid) - before) / FORKS;
console.log(`a fork: ${each.toFixed(2)} MB and ${((field(server.pid, 'Threads') - threads) / FORKS).toFixed(1)} threads`);

await Promise.all(forks.map(async ({ name, endpoint }) => {
  const there = connect(endpoint);
  const at = Math.floor(Math.random() * ITEMS);
  const Key = key(at);
  assert.ok((await there.getItem({ TableName, Key })).Item.body.S.startsWith(`${at}:`));
  await there.updateItem({ TableName, Key, UpdateExpression: 'SET body = :b', ExpressionAttributeValues: { ':b': { S: name } } });
  assert.equal((await there.getItem({ TableName, Key, ConsistentRead: true })).Item.body.S, name);
  assert.ok((await dynamodb.getItem({ TableName, Key })).Item.body.S.startsWith(`${at}:`));
  there.destroy();
}));
console.log(`after a read and a write in each: ${((residentMb(server.pid) - before) / FORKS).toFixed(2)} MB a fork`);
await Promise.all(forks.map(({ name }) => remove(server.endpoint, name)));
if (data) assert.deepEqual(readdirSync(join(data, 'forks')), []);

assert.ok(text(made).median < MEDIAN_MS_MAX, 'a fork takes too long');
assert.ok(each < MEMORY_MB_MAX, 'a fork takes too much memory');
assert.deepEqual(await server.kill('SIGTERM'), { code: 0, signal: null });
