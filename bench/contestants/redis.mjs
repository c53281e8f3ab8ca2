// The limit for reads by a key: Redis, which answers GET with the same item's bytes over its own, simpler protocol,
// asked by its own redis-benchmark without pipelining.

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { event } from '../dataset.mjs';
import { found, missingCommand, output } from './commands.mjs';

const run = promisify(execFile);
const CALIBRATION_REQUESTS = 20_000;

const command = (...words) =>
  `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`;

async function ask(port, texts) {
  const socket = connect({ host: '127.0.0.1', port });
  await once(socket, 'connect');
  let said = '';
  socket.setEncoding('latin1').on('data', (text) => (said += text));
  for (const text of texts) if (!socket.write(text)) await once(socket, 'drain');
  socket.write(command('QUIT'));
  await once(socket, 'close');
  return said;
}

// redis-benchmark writes a random number of twelve digits for __rand_int__.
const key = (n) => `event:${String(n).padStart(12, '0')}`;

export function parseBenchmark(text) {
  const rate = Number(/throughput summary: ([\d.]+)/.exec(text)[1]);
  const [, , p50, , p99, max] = /latency summary \(msec\):\s+avg.*\n\s+([\d. ]+)/
    .exec(text)[1]
    .trim()
    .split(/\s+/)
    .map(Number);
  const percentiles = [...text.matchAll(/([\d.]+)% <= ([\d.]+) milliseconds/g)].map(([, share, ms]) => [
    Number(share),
    Number(ms),
  ]);
  const p999 = percentiles.find(([share]) => share >= 99.9)?.[1] ?? max;
  return { rate, p50: p50 * 1000, p99: p99 * 1000, p999: p999 * 1000, max: max * 1000 };
}

async function benchmark(port, events, connections, requests) {
  const { stdout } = await run('redis-benchmark', [
    ...['-p', String(port), '-c', String(connections), '-n', String(requests), '-r', String(events)],
    ...['GET', 'event:__rand_int__'],
  ]);
  return { ...parseBenchmark(stdout), requests };
}

export const redis = {
  id: 'redis',
  name: 'Redis',
  kind: 'limit',
  note: 'limit: GET of the same bytes, without HTTP',
  supports: (operation) => operation.id === 'get',
  missing: () => missingCommand('redis-server') ?? missingCommand('redis-benchmark'),
  version: () => found(output('redis-server', '--version'), /v=([\d.]+)/),
  command: ({ ports: [port], folder }) => ({
    file: 'redis-server',
    args: ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, '--save', '', '--appendonly', 'no'],
  }),
  answers: async (port) => (await ask(port, [command('PING')])).startsWith('+PONG'),
  async load(port, { events }) {
    await ask(
      port,
      Array.from({ length: events }, (_, n) => command('SET', key(n), JSON.stringify(event(n)))),
    );
  },
  async check(port, { events }) {
    const n = Math.floor(events / 2);
    const said = await ask(port, [command('GET', key(n))]);
    if (!said.includes(JSON.stringify(event(n)))) throw new Error(`GET answered ${said.slice(0, 100)}`);
  },
  // redis-benchmark is told how many requests to send, not how long: a short run says how many fill the time.
  async measure(port, { events }, { connections, seconds, meter }) {
    const { rate } = await benchmark(port, events, connections, CALIBRATION_REQUESTS);
    return meter(() =>
      benchmark(port, events, connections, Math.max(CALIBRATION_REQUESTS, Math.round(rate * seconds))),
    );
  },
};
