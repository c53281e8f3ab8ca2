// Rounds of kill -9: clients write, the server is killed at a random moment and
// started again on the same data, and what it holds is verified.

import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { connect } from '../wire/harness/clients.mjs';
import { startServer, temporaryFolder } from '../wire/harness/server.mjs';

const { values: settings } = parseArgs({
  options: { rounds: { type: 'string', default: '200' }, seed: { type: 'string' }, data: { type: 'string' } },
});
const seed = Number(settings.seed ?? randomInt(2 ** 31));

// A small generator, so that --seed repeats the writers' choices.
let generator = seed >>> 0;
export function random(limit) {
  generator = (Math.imul(generator, 1664525) + 1013904223) >>> 0;
  return Math.floor((generator / 2 ** 32) * limit);
}

let acknowledged = 0;

// True when acknowledged, false when the server died before it answered.
export async function answered(call) {
  try {
    await call;
    acknowledged++;
    return true;
  } catch (error) {
    if (error.$fault) throw error;  // an answer, and not the one wanted
    return false;
  }
}

export async function readAll(dynamodb, input) {
  const items = [];
  let ExclusiveStartKey;
  do {
    const page = await dynamodb.scan({ ...input, ExclusiveStartKey });
    items.push(...page.Items);
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return items;
}

// `prepare(dynamodb)` fills the first server; `writers(dynamodb, alive)` gives
// promises of clients that write while alive(); `verify(dynamodb)` looks at
// everything after a restart and says how many items there are.
export async function runRounds({ options = [], prepare, writers, verify }) {
  const rounds = Number(settings.rounds);
  const data = settings.data ?? join(temporaryFolder(), 'data');
  let server = await startServer({ data, options });
  let dynamodb = connect(server.endpoint);
  await prepare(dynamodb);
  console.log(`seed ${seed}, ${rounds} rounds`);
  for (let round = 1; round <= rounds; round++) {
    let living = true;
    const before = acknowledged;
    const working = Promise.all(writers(dynamodb, () => living));
    await Promise.race([sleep(50 + random(600)), working]);
    await server.kill('SIGKILL');
    living = false;
    await working;
    dynamodb.destroy();

    const begun = Date.now();
    server = await startServer({ data, options });
    const restart = Date.now() - begun;
    dynamodb = connect(server.endpoint);
    const written = acknowledged - before;
    const items = await verify(dynamodb);
    console.log(`round ${round}: ${written} writes acknowledged, ${items} items, up again in ${restart} ms`);
  }
  assert.ok(acknowledged > rounds * 10, `only ${acknowledged} writes were acknowledged: nothing was tested`);
  await server.kill('SIGTERM');
  console.log(`${acknowledged} acknowledged writes over ${rounds} kills, none lost`);
}
