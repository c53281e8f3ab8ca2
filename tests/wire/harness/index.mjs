// What a test of the wire API imports: a server, clients for it, short ways to
// make tables and to say what must fail.
//
// The server is the one at TAULA_ENDPOINT, or else one that this test file
// starts for itself.

import assert from 'node:assert/strict';
import { connect, connectDocuments, connectStreams } from './clients.mjs';
import { startServer } from './server.mjs';
import { makeTable } from './tables.mjs';

export { connect, connectCloudWatch, connectDocuments, connectStreams, CREDENTIALS, REGION } from './clients.mjs';
export { projection, tableInput, uniqueName, untilActive, untilGone, untilIndexGone } from './tables.mjs';

export const endpoint = process.env.TAULA_ENDPOINT ?? (await startServer()).endpoint;
export const dynamodb = connect(endpoint);
export const documents = connectDocuments(dynamodb);
export const streams = connectStreams(endpoint);

export const createTable = (description) => makeTable(dynamodb, description);

// The call must be refused with this exception and, where given, these words.
export async function refused(call, exception, words) {
  let answer;
  try {
    answer = await call;
  } catch (error) {
    assert.equal(error.name, exception, `${error.name}: ${error.message}`);
    if (words instanceof RegExp) assert.match(error.message, words);
    else if (words !== undefined) assert.equal(error.message, words);
    return error;
  }
  assert.fail(`expected ${exception}, got ${JSON.stringify(answer).slice(0, 300)}`);
}

// Follows LastEvaluatedKey to the end: { Items, Count, ScannedCount, pages }.
export async function readAll(operation, input) {
  const all = { Items: [], Count: 0, ScannedCount: 0, pages: [] };
  let ExclusiveStartKey;
  do {
    const page = await operation({ ...input, ExclusiveStartKey });
    all.pages.push(page);
    all.Items.push(...(page.Items ?? []));
    all.Count += page.Count;
    all.ScannedCount += page.ScannedCount;
    ExclusiveStartKey = page.LastEvaluatedKey;
    assert.ok(all.pages.length < 10000, 'paging does not end');
  } while (ExclusiveStartKey);
  return all;
}

export const queryAll = (input) => readAll((page) => dynamodb.query(page), input);
export const scanAll = (input) => readAll((page) => dynamodb.scan(page), input);

// Puts many items, 25 at a time.
export async function putAll(TableName, items) {
  for (let start = 0; start < items.length; start += 25) {
    let RequestItems = { [TableName]: items.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } })) };
    while (Object.keys(RequestItems).length > 0) {
      ({ UnprocessedItems: RequestItems = {} } = await dynamodb.batchWriteItem({ RequestItems }));
    }
  }
}

export const S = (text) => ({ S: String(text) });
export const N = (number) => ({ N: String(number) });
export const B = (...bytes) => ({ B: Uint8Array.from(bytes) });

// Binary values come back as Uint8Array or Buffer; compare what they hold.
export function plain(value) {
  if (value instanceof Uint8Array) return `bytes:${Buffer.from(value).toString('hex')}`;
  if (Array.isArray(value)) return value.map(plain);
  if (value && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
  }
  return value;
}

export function sameValue(actual, expected) {
  assert.deepEqual(plain(actual), plain(expected));
}
