import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { missingCommand } from './contestants/commands.mjs';
import { ITEM_JSON_BYTES, counts, digits, event, everyItem, note, product } from './dataset.mjs';
import { OPERATIONS } from './operations.mjs';
import { parseAnswer } from './raw_connection.mjs';
import { linesOfEarlierOrders } from './orders.mjs';
import {
  FIRST_SEQUENCE,
  PREVIOUS,
  PREVIOUS_DISTANCE,
  SEQUENCE,
  requestText,
  withSequence,
} from './request_text.mjs';
import { parseResult, runWrk, writeRequests } from './wrk.mjs';

test('items are as large as they say, and the same every time', () => {
  for (const item of [event(0), event(123_456), product(7), note(3, 4)]) {
    assert.equal(JSON.stringify(item).length, ITEM_JSON_BYTES);
  }
  assert.deepEqual(event(99), event(99));
  assert.notDeepEqual(event(99).notes, event(100).notes);
});

test('the parts of the data are as many as was asked for', () => {
  for (const items of [1000, 10_000, 12_345]) assert.equal([...everyItem(counts(items))].length, items);
});

test('a number put into a request keeps its length', () => {
  const text = requestText('PutItem', `{"a":"${SEQUENCE}","b":"${PREVIOUS}"}`);
  const sent = withSequence(text, 5_000_000);
  assert.equal(sent.length, text.length);
  assert.match(sent, new RegExp(`"a":"${digits(5_000_000)}","b":"${digits(5_000_000 - PREVIOUS_DISTANCE)}"`));
});

test('what the first orders delete is loaded, and then what orders have made', () => {
  const { requests } = OPERATIONS.find(({ id }) => id === 'transact-write');
  const [first] = requests().map((request) => JSON.stringify(request));
  const lines = new Set(linesOfEarlierOrders().map(({ PK, SK }) => `${PK.S} ${SK.S}`));
  assert.equal(lines.size, PREVIOUS_DISTANCE);
  for (let number = FIRST_SEQUENCE + 1; number <= FIRST_SEQUENCE + 2 * PREVIOUS_DISTANCE; number++) {
    const [, , { Put }, { Delete }] = JSON.parse(withSequence(first, number)).TransactItems;
    assert.ok(lines.delete(`${Delete.Key.PK.S} ${Delete.Key.SK.S}`), `order ${number} finds nothing to delete`);
    lines.add(`${Put.Item.PK.S} ${Put.Item.SK.S}`);
  }
});

test('every operation has requests that are JSON and differ', () => {
  for (const operation of OPERATIONS.filter(({ requests }) => requests)) {
    const texts = operation.requests(counts(10_000)).map((request) => JSON.stringify(request));
    assert.ok(new Set(texts).size > 10, operation.id);
  }
});

test('each put of a note has another index key than the one before', () => {
  const last = new Map();
  const { requests } = OPERATIONS.find(({ id }) => id === 'put');
  for (const { Item } of requests(counts(10_000))) {
    assert.notEqual(last.get(Item.PK.S), Item.GSI1PK.S);
    last.set(Item.PK.S, Item.GSI1PK.S);
  }
});

test('an answer is read once it is complete', () => {
  const bytes = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A: b: c\r\n\r\nhello');
  assert.equal(parseAnswer(bytes.subarray(0, 30)), undefined);
  assert.equal(parseAnswer(bytes.subarray(0, bytes.length - 1)), undefined);
  const { status, headers, body } = parseAnswer(bytes);
  assert.equal(status, 200);
  assert.deepEqual(headers[1], ['X-A', 'b: c']);
  assert.equal(body.toString(), 'hello');
});

test('an answer in chunks is read too', () => {
  const bytes = Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n');
  assert.equal(parseAnswer(bytes.subarray(0, bytes.length - 1)), undefined);
  assert.equal(parseAnswer(bytes).body.toString(), 'abcde');
});

test("wrk's errors are named", () => {
  const errors = { connect: 0, read: 2, write: 0, status: 7, timeout: 0 };
  const line = JSON.stringify({ requests: 100, microseconds: 2e6, sequence: 1, p50: 1, errors });
  const result = parseResult(`Running\nRESULT ${line}\n`);
  assert.equal(result.rate, 50);
  assert.equal(result.errors, '2 read errors, 7 status errors');
  assert.throws(() => parseResult('no such thing'));
});

// What wrk really sends, seen by a server.
async function sentByWrk(texts, settings) {
  const seen = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (bytes) => (body += bytes));
    request.on('end', () => {
      seen.push({ target: request.headers['x-amz-target'], body });
      response.end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const folder = mkdtempSync(join(tmpdir(), 'taula-bench-'));
  const file = join(folder, 'requests');
  writeRequests(file, texts);
  const result = await runWrk({
    port: server.address().port,
    file,
    connections: 1,
    seconds: 1,
    sequence: 0,
    ...settings,
  });
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
  return { seen, result };
}

const withoutWrk = missingCommand('wrk');

test('wrk.lua sends the requests of a file, in turn', { skip: withoutWrk }, async () => {
  const { seen, result } = await sentByWrk([requestText('A', '{"n":1}'), requestText('B', '{"n":2}')], {});
  assert.equal(result.errors, undefined);
  assert.ok(result.requests > 10 && result.p50 > 0 && result.max >= result.p999);
  for (let i = 1; i < seen.length; i++) assert.notEqual(seen[i].body, seen[i - 1].body);
  assert.equal(seen.find(({ body }) => body === '{"n":2}').target, 'DynamoDB_20120810.B');
});

test('wrk.lua numbers requests, each with its own', { skip: withoutWrk }, async () => {
  const text = requestText('A', `{"n":"${SEQUENCE}","o":"${PREVIOUS}","again":"${SEQUENCE}"}`);
  const { seen, result } = await sentByWrk([text], { sequence: 1_000_000 });
  const sent = seen.map(({ body }) => JSON.parse(body));
  assert.equal(new Set(sent.map(({ n }) => n)).size, sent.length);
  for (const { n, o, again } of sent) {
    assert.equal(again, n);
    assert.equal(Number(n) - Number(o), PREVIOUS_DISTANCE);
    assert.ok(Number(n) > 1_000_000 && Number(n) <= result.sequence);
  }
});

test('wrk.lua picks events from the whole table', { skip: withoutWrk }, async () => {
  const text = requestText('A', '{"batch":"@batch-no@","event":"@event-no@"}');
  const { seen } = await sentByWrk([text], { events: [5000, 100] });
  const sent = seen.map(({ body }) => JSON.parse(body));
  for (const { batch, event: number } of sent) assert.ok(Number(batch) < 50 && Number(number) < 100);
  assert.ok(new Set(sent.map(({ batch }) => batch)).size > 5);
});
