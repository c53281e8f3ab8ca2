// A system of designs/ under test: a server that keeps its design, clients for
// it, and its operations by name.
//
// The server is one that this file starts for itself, with the design's seed
// data. With TAULA_TEST_ENDPOINT the tables are made on that server instead,
// which is taken for one that knows nothing of designs, such as DynamoDB Local;
// operations then run there through `taula call --endpoint`. Tests of what only
// the database itself can keep, or of queries that Amazon refuses, are skipped.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { connect, connectDocuments, CREDENTIALS, REGION } from '../wire/harness/clients.mjs';
import { binary, startServer, temporaryFolder } from '../wire/harness/server.mjs';
import { untilGone } from '../wire/harness/tables.mjs';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
export const designFile = (name) => join(ROOT, 'designs', name, 'design.yaml');

const tables = {
  notifications: ['notifications-dev', 'users-dev'],
  goals: ['goals-dev'],
  store: ['catfecito-serverless-dev'],
  blog: ['portfolio-backend-table'],
  kefir: ['kefir-app-dev-table'],
};

const other = process.env.TAULA_TEST_ENDPOINT;

// What an operation answers when it fails: `code` is its typed error.
export class Failure extends Error {
  constructor({ code, message, parameter }) {
    super(`${code}: ${message}`);
    Object.assign(this, { code, parameter });
  }
}

async function post(endpoint, name, operation, parameters) {
  const response = await fetch(`${endpoint}/designs/${name}/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(parameters),
  });
  const body = await response.json();
  if (!response.ok) throw new Failure(body.error);
  return body;
}

// For commands: servers have other tables for each account.
export const account = {
  ...process.env,
  AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
  AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
  AWS_REGION: REGION,
};

function runCall(name, operation, parameters) {
  const words = ['call', name, operation, '--design', designFile(name), '--endpoint', other, '--format', 'json', '--json', '-'];
  return new Promise((resolve, reject) => {
    const child = execFile(binary, words, { env: account }, (error, stdout, stderr) => {
      if (!error) return resolve(JSON.parse(stdout));
      let failure;
      try {
        failure = JSON.parse(stderr).error;
      } catch {
        return reject(new Error(`taula ${words.join(' ')}\n${stderr}`));
      }
      reject(new Failure(failure));
    });
    child.stdin.end(JSON.stringify(parameters));
  });
}

// Makes the tables on the other server anew, with the seed data in them.
async function prepare(name) {
  const dynamodb = connect(other);
  for (const TableName of tables[name]) {
    await dynamodb.deleteTable({ TableName }).catch(() => {});
    await untilGone(dynamodb, TableName);
  }
  for (const command of ['create', 'seed']) {
    await promisify(execFile)(binary, ['design', command, designFile(name), '--endpoint', other], { env: account });
  }
}

export async function openSystem(name) {
  let server;
  if (other) await prepare(name);
  else server = await startServer({ data: temporaryFolder(), options: ['--design', designFile(name), '--seed'] });
  const endpoint = other ?? server.endpoint;
  const dynamodb = connect(endpoint);
  return {
    name,
    endpoint,
    dynamodb,
    docClient: connectDocuments(dynamodb),
    keepsDesigns: !other,
    call: (operation, parameters = {}) =>
      other ? runCall(name, operation, parameters) : post(endpoint, name, operation, parameters),
    // What `taula call` prints.
    run: async (...words) => {
      const where = ['--design', designFile(name), other ? '--endpoint' : '--server', endpoint];
      return (await promisify(execFile)(binary, ['call', name, ...words, ...where], { env: account })).stdout;
    },
  };
}

// A test of what only a database that keeps the design can do.
export const testOfTaula = (title, body) => test(title, { skip: other && 'needs a server that keeps the design' }, body);

// The operation must fail with this typed error.
export async function fails(call, code) {
  let answer;
  try {
    answer = await call;
  } catch (error) {
    assert.ok(error instanceof Failure, error.stack);
    assert.equal(error.code, code, error.message);
    return error;
  }
  assert.fail(`expected ${code}, got ${JSON.stringify(answer).slice(0, 300)}`);
}

// The request must be refused with this exception.
export async function refused(call, exception, words) {
  let answer;
  try {
    answer = await call;
  } catch (error) {
    assert.equal(error.name, exception, `${error.name}: ${error.message}`);
    if (words) assert.match(error.message, words);
    return error;
  }
  assert.fail(`expected ${exception}, got ${JSON.stringify(answer).slice(0, 300)}`);
}

// All pages of an operation: [[item, …], …].
export async function pagesOf(system, operation, parameters) {
  const pages = [];
  let next;
  do {
    const page = await system.call(operation, next ? { ...parameters, next } : parameters);
    pages.push(page.items);
    next = page.next;
    assert.ok(pages.length < 1000, 'paging does not end');
  } while (next);
  return pages;
}

// All pages of a raw Query or Scan.
export async function rawPages(read, input) {
  const pages = [];
  let ExclusiveStartKey;
  do {
    const page = await read({ ...input, ExclusiveStartKey });
    pages.push(page.Items);
    ExclusiveStartKey = page.LastEvaluatedKey;
    assert.ok(pages.length < 1000, 'paging does not end');
  } while (ExclusiveStartKey);
  return pages;
}

// How many of these succeed, and with what the others fail.
export async function race(attempts) {
  const outcomes = await Promise.allSettled(attempts);
  const failed = outcomes.filter(({ status }) => status === 'rejected').map(({ reason }) => reason);
  return { won: outcomes.filter(({ status }) => status === 'fulfilled').map(({ value }) => value), failed };
}

export const ROUNDS = Number(process.env.TAULA_TEST_ROUNDS ?? 1000);

export const pluck = (items, name) => items.map((item) => item[name]);

export const sorted = (values) => [...values].sort();

