// Starts a contestant's server on loopback, measures the time to its first answer, and sees to it that it ends.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { atExit } from './at_exit.mjs';
import { removeFolder } from './folders.mjs';

const READY_SECONDS_MAX = 60;
const STOP_SECONDS_MAX = 10;

// Taula reads its options from the environment too: a caller's would change what is measured.
export const serverEnvironment = (variables) =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => !name.startsWith('TAULA_')));

export async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

// A server's log stays; its data may be gigabytes.
const removeData = (folder) => removeFolder(join(folder, 'data'));

// `answers(port)` says whether the server does what it is for.
export async function launch({ file, args, cwd, folder, ports, answers }) {
  const log = openSync(join(folder, 'server.log'), 'a');
  const begun = performance.now();
  const child = spawn(file, args, { cwd, env: serverEnvironment(process.env), stdio: ['ignore', log, log] });
  closeSync(log);
  let ended;
  child.once('error', (error) => (ended = error.message));
  child.once('exit', (code, signal) => (ended = `it ended with ${signal ?? `code ${code}`}`));
  const forget = atExit(() => {
    child.kill('SIGTERM'); // a signal that it can answer: killed at once, nginx would leave its workers behind
    removeData(folder);
  });
  while (!(await answers(ports[0]).catch(() => false))) {
    const late = performance.now() - begun > READY_SECONDS_MAX * 1000;
    if (ended || late) {
      child.kill('SIGTERM');
      const said = readFileSync(join(folder, 'server.log'), 'utf8').trim().split('\n').slice(-3).join(' | ');
      throw new Error(`${ended ?? `no answer within ${READY_SECONDS_MAX} s`}; its log says: ${said}`);
    }
    await sleep(1);
  }
  const startupMs = performance.now() - begun;
  const end = async () => {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    const killer = setTimeout(() => child.kill('SIGKILL'), STOP_SECONDS_MAX * 1000);
    await exited;
    clearTimeout(killer);
  };
  return {
    pid: child.pid,
    ports,
    startupMs,
    get ended() {
      return ended;
    },
    async stop() {
      if (!ended) await end();
      removeData(folder);
      forget();
    },
  };
}
