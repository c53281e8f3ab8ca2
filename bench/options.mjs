// The command line of bench/run. It is read before anything is installed, so nothing here may need node_modules.

import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { bytesOf } from './byte_size.mjs';
import { CONTESTANTS } from './contestants/index.mjs';
import { OPERATIONS } from './operations.mjs';
import { OUTPUT } from './paths.mjs';

const ITEMS_MIN = 1000;
const OF_COMPARISON = ['contestants', 'operations', 'items'];
const OF_GROWTH = ['sizes', 'cache-size'];

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
                         items, its rates and memory, at one number of connections;
                         about 15 minutes and 5 GB of disk
  --sizes 10000,200000   with --growth: these numbers of items
  --cache-size SIZE      with --growth: Taula's cache             [256M]
  --out FOLDER           where the report and the servers' data go: a path that begins
                         with /, or one below build/bench         [latest, or growth]
  --help

Leaves report.md and report.json in that folder; a comparison leaves chart.svg too.
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

const numbers = (name, text, least) => text.split(',').map((one) => number(name, one, least));

const ascending = (values) => [...new Set(values)].sort((a, b) => a - b);

function size(name, text) {
  if (bytesOf(text) === undefined)
    throw new UsageError(`--${name} takes a number with K, M or G behind it, not '${text}'`);
  return text;
}

// What would be left unheeded is refused.
function refuseUseless(values) {
  const given = (names) => names.find((name) => values[name] !== undefined);
  const useless = given(values.growth ? OF_COMPARISON : OF_GROWTH);
  if (useless) throw new UsageError(`--${useless} is ${values.growth ? 'not' : 'only'} for --growth`);
  if (values.growth && values.connections?.includes(','))
    throw new UsageError('--growth takes one number of --connections');
}

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
    refuseUseless(values);
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
      sizes: ascending(numbers('sizes', values.sizes ?? (quick ? '10000,200000' : '10000,1000000,5000000'), ITEMS_MIN)),
      cacheSize: size('cache-size', values['cache-size'] ?? '256M'),
      out: resolve(OUTPUT, values.out ?? (growth ? 'growth' : 'latest')),
    };
  } catch (error) {
    if (error instanceof UsageError || error.code?.startsWith('ERR_PARSE_ARGS')) return { error: error.message };
    throw error;
  }
}

// Settings; otherwise says what there is to say and ends the process.
export function settingsOrExit(args) {
  const settings = parseOptions(args);
  if (!settings.help && !settings.error) return settings;
  if (settings.error) process.stderr.write(`error: ${settings.error}\n\n`);
  (settings.error ? process.stderr : process.stdout).write(HELP);
  process.exit(settings.error ? 2 : 0);
}
