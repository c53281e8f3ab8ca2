// The run that compares: starts everyone who can be started, loads the data, has the rounds run, and stops everyone.

import { join } from 'node:path';
import { counts } from './dataset.mjs';
import { measureEmbedded } from './embedded.mjs';
import { Database } from './entrants/database.mjs';
import { OwnProtocol } from './entrants/own_protocol.mjs';
import { SameBytes } from './entrants/same_bytes.mjs';
import { machineFacts } from './machine.mjs';
import { progress } from './progress.mjs';
import { runRounds } from './rounds.mjs';

function startEntrant(contestant, folder, entrants, operations) {
  if (contestant.kind === 'database') return Database.start(contestant, { folder });
  if (contestant.measure) return OwnProtocol.start(contestant, { folder });
  const database = entrants.find((entrant) => entrant.contestant.id === 'taula');
  const repeated = operations.filter((operation) => contestant.supports(operation));
  if (!database) throw new Error("it repeats Taula's answers, and Taula does not take part");
  return SameBytes.start(contestant, { folder, database, operations: repeated });
}

// Who takes part, and who does not and why.
async function assemble({ contestants, operations, items, out }) {
  const entrants = [];
  const leftOut = [];
  for (const contestant of contestants) {
    const supported = operations.some((operation) => contestant.supports?.(operation) ?? true);
    if (!supported) continue;
    let entrant;
    try {
      const missing = contestant.missing();
      if (missing) throw new Error(missing);
      progress(`starting ${contestant.name}`);
      entrant = await startEntrant(contestant, join(out, 'servers', contestant.id), entrants, operations);
      progress(`loading ${contestant.name}`);
      await entrant.load(counts(items));
      entrants.push(entrant);
    } catch (error) {
      progress(`${contestant.name} is left out: ${error.message}`);
      const { id, name, kind } = contestant;
      leftOut.push({ id, name, kind, reason: error.message });
      await entrant?.stop();
    }
  }
  return { entrants, leftOut };
}

const facts = (entrant) => ({
  id: entrant.contestant.id,
  name: entrant.contestant.name,
  kind: entrant.contestant.kind,
  note: entrant.contestant.note,
  version: entrant.contestant.version(),
  startupMs: entrant.server.startupMs,
  idleBytes: entrant.idleBytes,
  loadedBytes: entrant.loadedBytes,
  endBytes: entrant.server.ended ? undefined : entrant.residentBytes(),
  loadRate: entrant.loadRate,
});

async function compareServers(settings) {
  const { entrants, leftOut } = await assemble(settings);
  try {
    const cells = await runRounds(entrants, settings);
    return { contestants: entrants.map(facts), leftOut, cells };
  } finally {
    for (const entrant of entrants) await entrant.stop();
  }
}

export async function compare(settings) {
  const { quick, connections, rounds, seconds, items, operations, out } = settings;
  return {
    machine: machineFacts(out),
    settings: { quick, connections, rounds, seconds, items },
    operations: operations.map(({ id, name }) => ({ id, name })),
    ...(await compareServers(settings)),
    embedded: await measureEmbedded(settings),
  };
}
