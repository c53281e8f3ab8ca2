// The command line of bench/run.

import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CONTESTANTS } from './contestants/index.mjs';
import { OPERATIONS } from './operations.mjs';
import { OUTPUT } from './paths.mjs';

const ITEMS_MIN = 1000;

export const HELP = `usage: bench/run [options]

Starts Taula and its peers on loopback, gives them the same data, asks them the same
operations in alternating rounds, and prints how they compare. About 35 minutes.

  --quick                about three minutes: 32 connections, two rounds of a second
  --contestants a,b      ${list(CONTESTANTS, 25)}
  --operations a,b       ${list(OPERATIONS, 25)}
  --connections 1,32     connections of the load generator        [1,32,256]
  --rounds COUNT         measured rounds of each contestant       [5]
  --seconds COUNT        length of a round                        [2]
  --items COUNT          items in the table                       [10000]
  --growth               instead: Taula alone with 10 thousand, 1 million and 5 million
                         items (or those of --sizes 10000,200000), its rates and
                         memory; about 15 minutes and 5 GB of disk
  --cache-size SIZE      Taula's cache with --growth              [256M]
  --out FOLDER           where the report goes, below build/bench [latest, or growth]
  --help

Leaves report.md, report.json and chart.svg in build/bench/<out>.
`;

function list(named, indent) {
  const lines = [''];
  for (const { id } of named) {
    if (lines.at(-1).length + id.length > 58) lines.push('');
    lines[lines.length - 1] += `${id} `;
  }
  return lines.map((line) => line.trim()).join(`\n${' '.repeat(indent)}`);
}

class UsageError extends Error {}

function number(name, text, least = 1) {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least)
    throw new UsageError(`--${name} takes a whole number from ${least}, not '${text}'`);
  return value;
}

const numbers = (name, text) => text.split(',').map((one) => number(name, one));

function chosen(name, text, all) {
  if (text === undefined) return all;
  const ids = text.split(',');
  const unknown = ids.find((id) => !all.some((one) => one.id === id));
  if (unknown !== undefined)
    throw new UsageError(`--${name}: there is no '${unknown}'; there are ${all.map(({ id }) => id).join(', ')}`);
  return all.filter(({ id }) => ids.includes(id));
}

function seconds(text) {
  const value = Number(text);
  if (!(value >= 1)) throw new UsageError(`--seconds takes a number from 1, not '${text}'`);
  return Math.round(value);
}

// Settings, or { help: true }, or { error }.
export function parseOptions(args) {
  const text = { type: 'string' };
  const options = {
    quick: { type: 'boolean' },
    growth: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
    contestants: text,
    operations: text,
    connections: text,
    rounds: text,
    seconds: text,
    items: text,
    sizes: text,
    'cache-size': text,
    out: text,
  };
  try {
    const { values } = parseArgs({ args, options });
    if (values.help) return { help: true };
    const quick = values.quick ?? false;
    const growth = values.growth ?? false;
    return {
      quick,
      growth,
      everything: values.contestants === undefined && values.operations === undefined,
      contestants: chosen('contestants', values.contestants, CONTESTANTS),
      operations: chosen('operations', values.operations, OPERATIONS),
      connections: numbers('connections', values.connections ?? (quick || growth ? '32' : '1,32,256')),
      rounds: number('rounds', values.rounds ?? (quick ? '2' : '5')),
      seconds: seconds(values.seconds ?? (quick ? '1' : '2')),
      warmupSeconds: quick ? 1 : 2,
      items: number('items', values.items ?? '10000', ITEMS_MIN),
      sizes: numbers('sizes', values.sizes ?? (quick ? '10000,200000' : '10000,1000000,5000000')),
      cacheSize: values['cache-size'] ?? '256M',
      out: resolve(OUTPUT, values.out ?? (growth ? 'growth' : 'latest')),
    };
  } catch (error) {
    if (error instanceof UsageError || error.code?.startsWith('ERR_PARSE_ARGS')) return { error: error.message };
    throw error;
  }
}
