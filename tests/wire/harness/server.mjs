// Starts the built server on a free port and waits until it answers.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const READY_SECONDS_MAX = 20;

export const binary = process.env.TAULA_BINARY ?? join(ROOT, 'build/release/bin/taula');

// What must not outlive this process.
const folders = new Set();
const servers = new Set();
process.on('exit', () => {
  for (const child of servers) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'taula-test-'));
  folders.add(folder);
  return folder;
}

export async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

function answers(endpoint) {
  return new Promise((resolve) => {
    get(endpoint, { agent: false }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode === 200));
    }).on('error', () => resolve(false));
  });
}

// A server of this test's own: { endpoint, pid, exited, kill(signal) }. Without
// a data folder it keeps everything in memory. It may have so many descriptors where
// that is said. It never outlives this process.
export async function startServer({ data, port, options = [], descriptors } = {}) {
  if (!existsSync(binary)) throw new Error(`${binary} is not built: run ./test, or ninja -C build/release`);
  port ??= await freePort();
  const logs = join(temporaryFolder(), 'server.log');
  const log = openSync(logs, 'a');
  const where = data ? ['--data', data] : ['--memory'];
  const command = [binary, 'serve', '--port', String(port), ...where, '--log-level', 'warning', ...options];
  if (descriptors) command.unshift('sh', '-c', `ulimit -n ${descriptors} && exec "$@"`, 'sh');
  const child = spawn(command[0], command.slice(1), { stdio: ['ignore', log, log] });
  closeSync(log);
  child.unref();
  const exited = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  let gone = false;
  servers.add(child);
  exited.then(() => {
    gone = true;
    servers.delete(child);
  });

  const endpoint = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + READY_SECONDS_MAX * 1000;
  while (!(await answers(endpoint))) {
    if (gone || Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`the server ${gone ? 'ended' : 'gave no answer'} at start:\n${readFileSync(logs, 'utf8')}`);
    }
    await sleep(10);
  }
  return {
    endpoint,
    pid: child.pid,
    exited,
    log: () => readFileSync(logs, 'utf8'),
    kill(signal) {
      child.ref();
      child.kill(signal);
      return exited;
    },
  };
}
