// Runs wrk, one thread, with wrk.lua, and reads what it found.

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BENCH } from './paths.mjs';

const run = promisify(execFile);
const SCRIPT = join(BENCH, 'wrk.lua');

export function writeRequests(file, texts) {
  writeFileSync(file, texts.map((text) => `${Buffer.byteLength(text)}\n${text}`).join(''));
}

export function parseResult(stdout) {
  const line = stdout.split('\n').find((one) => one.startsWith('RESULT '));
  if (!line) throw new Error(`wrk gave no result: ${stdout.slice(-300)}`);
  const { requests, microseconds, bytes, errors, ...rest } = JSON.parse(line.slice('RESULT '.length));
  const failed = Object.entries(errors).filter(([, count]) => count > 0);
  return {
    ...rest,
    requests,
    rate: requests / (microseconds / 1e6),
    answerBytes: bytes / requests,
    errors: failed.map(([kind, count]) => `${count} ${kind} errors`).join(', ') || undefined,
  };
}

// `sequence` is the number the first numbered request follows; the result says how far it went.
export async function runWrk({ port, file, sequence, connections, seconds, events = [] }) {
  const { stdout } = await run('wrk', [
    ...['-t', '1', '-c', String(connections), '-d', `${seconds}s`, '--timeout', '30s', '-s', SCRIPT],
    ...[`http://127.0.0.1:${port}/`, '--', file, String(sequence), ...events.map(String)],
  ]);
  return parseResult(stdout);
}
