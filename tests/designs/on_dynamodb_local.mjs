// Runs the tests of the five systems on DynamoDB Local: the operations of a design are plain DynamoDB calls.
//
//   node tests/designs/on_dynamodb_local.mjs
//
// Tests of what only a server that keeps designs can do are skipped there.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { dynamodbLocal } from '../../bench/contestants/dynamodb_local.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const PATIENCE_MS = 30_000;

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

// What the commands and the server themselves do.
const OF_TAULA = ['readmes.test.mjs', 'schema.test.mjs', 'changes.test.mjs', 'examples.test.mjs'];

async function untilReady(endpoint) {
  for (const begun = Date.now(); Date.now() - begun < PATIENCE_MS; await sleep(100)) {
    if (await fetch(endpoint).then(() => true, () => false)) return;
  }
  throw new Error('DynamoDB Local does not answer');
}

const missing = dynamodbLocal.missing();
if (missing) throw new Error(missing);
const port = await freePort();
const endpoint = `http://127.0.0.1:${port}`;
const { file, args, cwd } = dynamodbLocal.command({ ports: [port] });
const peer = spawn(file, args, { cwd, stdio: 'ignore' });
try {
  await untilReady(endpoint);
  const files = readdirSync(HERE).filter((name) => name.endsWith('.test.mjs') && !OF_TAULA.includes(name));
  const tests = spawn('node', ['--test', '--test-reporter=spec', ...files.map((name) => join(HERE, name))], {
    env: { ...process.env, TAULA_TEST_ENDPOINT: endpoint },
    stdio: 'inherit',
  });
  [process.exitCode] = await once(tests, 'exit');
} finally {
  peer.kill();
}
