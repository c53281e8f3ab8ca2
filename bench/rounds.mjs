// Alternating rounds: for each operation and number of connections, one contestant after the other, again and again,
// so that whatever else the machine does hits all of them alike.

import { Unsupported } from './entrants/database.mjs';
import { progress } from './progress.mjs';
import { quiet } from './quiet.mjs';
import { summarize } from './statistics.mjs';

// A round with fewer answers than connections says little; where requests take that long, it is run again, longer.
const LONGER = 5;

const words = (error) => error.message.split('\n').slice(0, 2).join(' ').slice(0, 300);

async function round(entrant, operation, number, settings, entrants) {
  if (entrant.server.ended) throw new Error(`its server is gone: ${entrant.server.ended}`);
  await entrant.refresh(operation);
  await entrant.check(operation, number);
  await quiet(entrants);
  let result = await entrant.measure(operation, settings);
  if (result.requests < settings.connections) {
    result = await entrant.measure(operation, { ...settings, seconds: settings.seconds * LONGER });
  }
  if (result.requests === 0) throw new Error(`no answer within ${settings.seconds * LONGER} s`);
  if (result.errors) throw new Error(`${result.errors} among ${result.requests} requests`);
  return result;
}

// Runs `work` unless the entrant is out already; where it throws, the entrant is out from then on.
async function attempt(out, entrant, operation, work) {
  if (out.has(entrant)) return undefined;
  try {
    return await work();
  } catch (error) {
    const unsupported = error instanceof Unsupported;
    out.set(entrant, unsupported ? { unsupported } : { failed: words(error) });
    const outcome = unsupported ? 'does not know it' : `failed: ${words(error)}`;
    progress(`${operation.name}: ${entrant.contestant.name} ${outcome}`);
    return undefined;
  }
}

// The rounds of one operation at one number of connections. Who fails here is out, but may do better at another.
async function measureCells(operation, connections, taking, prepared, entrants, { rounds, seconds, warmupSeconds }) {
  const out = new Map(prepared);
  const results = new Map(taking.map((entrant) => [entrant, []]));
  const run = (entrant, number, duration) =>
    attempt(out, entrant, operation, () =>
      round(entrant, operation, number, { connections, seconds: duration }, entrants),
    );
  for (const entrant of taking) await run(entrant, 0, warmupSeconds);
  for (let number = 1; number <= rounds; number++) {
    for (const entrant of number % 2 ? taking : [...taking].reverse()) {
      const result = await run(entrant, number, seconds);
      if (result) results.get(entrant).push(result);
    }
  }
  return taking.map((entrant) => {
    const cell = { operation: operation.id, contestant: entrant.contestant.id, connections };
    const rows = results.get(entrant);
    return out.has(entrant) ? { ...cell, ...out.get(entrant) } : { ...cell, ...summarize(rows), rounds: rows };
  });
}

// Every cell: { operation, contestant, connections } and either { rounds, ...summary }, or { unsupported: true }, or
// { failed: why }.
export async function runRounds(entrants, settings) {
  const cells = [];
  for (const operation of settings.operations) {
    const taking = entrants.filter(({ contestant }) => contestant.supports?.(operation) ?? true);
    const prepared = new Map();
    for (const entrant of taking) await attempt(prepared, entrant, operation, () => entrant.prepare(operation));
    for (const connections of settings.connections) {
      const measured = await measureCells(operation, connections, taking, prepared, entrants, settings);
      cells.push(...measured);
      const rates = measured
        .filter(({ rate }) => rate)
        .map(({ contestant, rate }) => `${contestant} ${Math.round(rate)}`);
      progress(`${operation.name}, ${connections} connections: ${rates.join(', ')}`);
    }
  }
  return cells;
}
