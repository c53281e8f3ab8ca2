// The HTTP and JSON layer, byte by byte: what is not a proper request gets the
// right 4xx, leaves the database as it was and the server on its feet.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import zlib, { gunzipSync, gzipSync } from 'node:zlib';
import { exchange, head, open, request } from '../harness/http.mjs';
import { createTable, dynamodb, endpoint, S } from '../harness/index.mjs';

const TableName = await createTable({ key: 'pk:S' });
const list = '{"Limit":1}';
const call = (...args) => exchange(endpoint, request(...args));
const json = ({ body }) => JSON.parse(body.toString() || '{}');
const type = (response) => json(response).__type?.split('#')[1];

function checksum(bytes) {
  if (zlib.crc32) return zlib.crc32(bytes);
  let value = 0xffffffff;  // Node 18 has no zlib.crc32
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  }
  return (value ^ 0xffffffff) >>> 0;
}

before(() => dynamodb.putItem({ TableName, Item: { pk: S('untouched'), v: S('1') } }));
after(async () => {
  const { Items } = await dynamodb.scan({ TableName });
  assert.deepEqual(Items.map(({ pk }) => pk.S).filter((pk) => !pk.startsWith('fine')), ['untouched']);
});

test('an answer has its type, length, request id and checksum', async () => {
  const response = await call('ListTables', list);
  assert.equal(response.status, 200);
  assert.equal(response.headers['content-type'], 'application/x-amz-json-1.0');
  assert.match(response.headers['x-amzn-requestid'], /^[0-9A-Za-z-]{20,}$/);
  assert.equal(Number(response.headers['x-amz-crc32']), checksum(response.body));
});

test('an error has them too', async () => {
  const response = await call('DescribeTable', '{"TableName":"no-such-table"}');
  assert.equal(response.status, 400);
  assert.equal(json(response).__type, 'com.amazonaws.dynamodb.v20120810#ResourceNotFoundException');
  assert.equal(Number(response.headers['x-amz-crc32']), checksum(response.body));
  assert.ok(response.headers['x-amzn-requestid']);
});

test('GET / says that all is well', async () => {
  const response = await exchange(endpoint, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  assert.equal(response.status, 200);
  assert.match(response.body.toString(), /^healthy: /);
});

const notJson = ['', '{', '{"TableName":}', 'null', '[]', '"text"', '1', '{"a":1}}', "{'a':1}", '{"a":01}', '\u0000', '{"a":"\\ud800"', '{"a":"b" "c":"d"}'];
for (const body of notJson) {
  test(`not JSON of ours: ${JSON.stringify(body)}`, async () => {
    const response = await call('ListTables', body);
    assert.equal(response.status, 400);
    assert.equal(type(response), 'SerializationException');
  });
}

test('not UTF-8', async () => {
  const response = await call('ListTables', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]));
  assert.equal(response.status, 400);
});

const wrongTypes = [
  ['PutItem', { TableName: 1 }, 'NUMBER_VALUE cannot be converted to String'],
  ['PutItem', { TableName: true }, 'TRUE_VALUE cannot be converted to String'],
  ['PutItem', { TableName: ['a'] }, 'Unrecognized collection type class java.lang.String'],
  ['PutItem', { TableName: { a: 1 } }, 'Start of structure or map found where not expected'],
  ['PutItem', { TableName, Item: 'text' }, 'Unexpected field type'],
  ['PutItem', { TableName, Item: { pk: 'text' } }, 'Unexpected value type in payload'],
  ['PutItem', { TableName, Item: { pk: { S: 1 } } }, 'NUMBER_VALUE cannot be converted to String'],
  ['PutItem', { TableName, Item: { pk: { S: 'x' }, b: { B: 'not base64!' } } }, undefined],
  ['Query', { TableName, Limit: 'many' }, 'STRING_VALUE cannot be converted to Integer'],
  ['GetItem', { TableName, Key: { pk: { S: 'a' } }, ConsistentRead: 5 }, 'NUMBER_VALUE cannot be converted to Boolean'],
  ['BatchGetItem', { RequestItems: [] }, undefined],
];
for (const [operation, body, message] of wrongTypes) {
  test(`a wrong type: ${operation} ${JSON.stringify(body)}`, async () => {
    const response = await call(operation, body);
    assert.equal(response.status, 400);
    assert.equal(type(response), 'SerializationException');
    if (message) assert.equal(json(response).Message, message);
  });
}

const targets = [undefined, '', 'ListTables', 'DynamoDB_20120810', 'DynamoDB_20120810.', 'DynamoDB_20120810.NoSuchThing', 'DynamoDB_20120810.listTables', 'Other_20120810.ListTables'];
for (const target of targets) {
  test(`an unknown operation: ${target}`, async () => {
    const response = await call('x', list, { 'X-Amz-Target': target });
    assert.equal(response.status, 400);
    assert.equal(type(response), 'UnknownOperationException');
  });
}

const authorizations = [
  [undefined, 'MissingAuthenticationTokenException', 'Request is missing Authentication Token'],
  ['Bearer abc', 'MissingAuthenticationTokenException', 'Request is missing Authentication Token'],
  ['AWS4', 'MissingAuthenticationTokenException', 'Request is missing Authentication Token'],
  ['AWS4-HMAC-SHA256 Signature=b, SignedHeaders=c', 'IncompleteSignatureException',
    "Authorization header requires 'Credential' parameter. Authorization=AWS4-HMAC-SHA256 Signature=b, SignedHeaders=c"],
  ['AWS4-HMAC-SHA256 Credential=a', 'IncompleteSignatureException',
    "Authorization header requires 'Signature' parameter. Authorization header requires 'SignedHeaders' parameter. Authorization=AWS4-HMAC-SHA256 Credential=a"],
];
for (const [Authorization, exception, message] of authorizations) {
  test(`Authorization: ${Authorization}`, async () => {
    const response = await call('ListTables', list, { Authorization });
    assert.equal(response.status, 400);
    assert.deepEqual([type(response), json(response).message], [exception, message]);
  });
}

test('a signed request without a date', async () => {
  const response = await call('ListTables', list, { 'X-Amz-Date': undefined });
  assert.equal(type(response), 'IncompleteSignatureException');
});

for (const [what, headers, line] of [
  ['another content type', { 'Content-Type': 'text/plain' }],
  ['no content type', { 'Content-Type': undefined }],
  ['PUT', {}, 'PUT / HTTP/1.1'],
]) {
  test(`404 for ${what}`, async () => {
    const response = await call('ListTables', list, headers, line);
    assert.equal(response.status, 404);
    assert.equal(response.body.toString(), '<UnknownOperationException/>\n');
  });
}

test('application/json and parameters of the content type are fine', async () => {
  for (const contentType of ['application/json', 'application/x-amz-json-1.0; charset=utf-8']) {
    assert.equal((await call('ListTables', list, { 'Content-Type': contentType })).status, 200);
  }
});

test('a body over 16 MB is refused', async () => {
  const connection = open(endpoint);
  connection.send(head('PutItem', { 'Content-Length': 17 * 1024 * 1024 }));
  connection.send(Buffer.alloc(1024 * 1024, 0x20));
  const response = await connection.receive();
  connection.close();
  assert.equal(response.status, 413);
});

test('a head without end is refused', async () => {
  const connection = open(endpoint);
  const line = `X-Long: ${'x'.repeat(8000)}\r\n`;
  connection.send('POST / HTTP/1.1\r\n');
  for (let i = 0; i < 40; i++) connection.send(line);
  await connection.receive().then(
    ({ status }) => assert.ok(status >= 400 && status < 500),
    () => connection.closed(),
  );
  connection.close();
});

for (const bytes of ['GARBAGE\r\n\r\n', 'POST / HTTP/9.9\r\n\r\n', '\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n', 'POST / HTTP/1.1\r\nContent-Length: -5\r\n\r\n', 'POST / HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!', 'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n']) {
  test(`no HTTP: ${JSON.stringify(bytes)}`, async () => {
    const connection = open(endpoint);
    connection.send(bytes);
    await connection.receive().then(
      ({ status }) => assert.ok(status >= 400 && status !== 500, `${status}`),
      () => connection.closed(),
    );
    connection.close();
    assert.equal((await call('ListTables', list)).status, 200);
  });
}

const deep = (levels, open_, close) => open_.repeat(levels) + close.repeat(levels);
for (const [what, value] of [
  ['lists', deep(5000, '{"L":[', ']}')],
  ['maps', deep(5000, '{"M":{"a":', '}}').replace(':}', ':{"S":"x"}}')],
  ['brackets of no meaning', `{"S":${deep(100_000, '[', ']')}}`],
]) {
  test(`deep nesting of ${what}`, async () => {
    const response = await call('PutItem', `{"TableName":"${TableName}","Item":{"pk":{"S":"deep"},"v":${value}}}`);
    assert.equal(response.status, 400);
    assert.ok(['ValidationException', 'SerializationException'].includes(type(response)));
  });
}

test('33 levels are too many in Amazon\'s words', async () => {
  const value = `${'{"L":['.repeat(33)}{"S":"x"}${']}'.repeat(33)}`;
  const response = await call('PutItem', `{"TableName":"${TableName}","Item":{"pk":{"S":"deep"},"v":${value}}}`);
  assert.equal(type(response), 'ValidationException');
  assert.match(json(response).message, /Nesting Levels have exceeded supported limits/);
});

test('unknown members and nulls are ignored', async () => {
  const response = await call('ListTables', '{"Limit":1,"Unknown":{"deep":[1,{"x":null}]},"ExclusiveStartTableName":null}');
  assert.equal(response.status, 200);
});

test('a chunked body', async () => {
  const body = JSON.stringify({ TableName, Item: { pk: { S: 'fine chunked' } } });
  const connection = open(endpoint);
  connection.send(head('PutItem', { 'Transfer-Encoding': 'chunked' }));
  for (const piece of [body.slice(0, 5), body.slice(5, 20), body.slice(20)]) {
    connection.send(`${piece.length.toString(16)};note=x\r\n${piece}\r\n`);
    await sleep(5);
  }
  connection.send('0\r\n\r\n');
  assert.equal((await connection.receive()).status, 200);
  connection.close();
});

test('Expect: 100-continue', async () => {
  const connection = open(endpoint);
  connection.send(head('ListTables', { 'Content-Length': list.length, Expect: '100-continue' }));
  assert.equal((await connection.receive()).status, 100);
  connection.send(list);
  assert.equal((await connection.receive()).status, 200);
  connection.close();
});

test('a gzip body', async () => {
  const response = await call('ListTables', gzipSync(list), { 'Content-Encoding': 'gzip' });
  assert.equal(response.status, 200);
});

for (const [what, body] of [
  ['that is none', Buffer.from('not gzip')],
  ['cut short', gzipSync(list).subarray(0, 12)],
  ['that unpacks to far too much', gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20))],
]) {
  test(`a gzip body ${what}`, async () => {
    const response = await call('ListTables', body, { 'Content-Encoding': 'gzip' });
    assert.ok(response.status >= 400 && response.status < 500, `${response.status}`);
  });
}

test('a gzip answer on request, with the checksum of what was sent', async () => {
  await dynamodb.putItem({ TableName, Item: { pk: S('fine large'), body: S('x'.repeat(100_000)) } });
  const response = await call('GetItem', { TableName, Key: { pk: { S: 'fine large' } } }, { 'Accept-Encoding': 'gzip' });
  assert.equal(response.status, 200);
  assert.equal(response.headers['content-encoding'], 'gzip');
  assert.equal(Number(response.headers['x-amz-crc32']), checksum(response.body));
  assert.equal(JSON.parse(gunzipSync(response.body)).Item.body.S.length, 100_000);
});

test('one connection for many requests, byte by byte or all at once', async () => {
  const connection = open(endpoint);
  for (const byte of request('ListTables', list)) {
    connection.send(Buffer.of(byte));
    if (byte === 0x0a) await sleep(1);
  }
  assert.equal((await connection.receive()).status, 200);

  const reads = Array.from({ length: 20 }, (_, i) => ['GetItem', { TableName, Key: { pk: { S: i % 2 ? 'untouched' : `none${i}` } } }]);
  connection.send(Buffer.concat(reads.map(([operation, body]) => request(operation, body))));
  for (const [, { Key }] of reads) {
    const response = await connection.receive();
    assert.equal(response.status, 200);
    assert.equal(Boolean(json(response).Item), Key.pk.S === 'untouched', 'answers come in the order of the requests');
  }
  connection.close();
});

test('an error does not end the connection', async () => {
  const connection = open(endpoint);
  connection.send(Buffer.concat([request('NoSuchThing', '{}'), request('ListTables', '{'), request('ListTables', list)]));
  assert.deepEqual([(await connection.receive()).status, (await connection.receive()).status, (await connection.receive()).status], [400, 400, 200]);
  connection.close();
});

test('Connection: close', async () => {
  const connection = open(endpoint);
  connection.send(request('ListTables', list, { Connection: 'close' }));
  assert.equal((await connection.receive()).status, 200);
  await connection.closed();
});

test('CORS: preflight and answer', async () => {
  const preflight = await exchange(
    endpoint,
    'OPTIONS / HTTP/1.1\r\nHost: x\r\nOrigin: http://example.com\r\nAccess-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: x-amz-target\r\n\r\n',
  );
  assert.equal(preflight.status, 200);
  assert.equal(preflight.headers['access-control-allow-origin'], '*');
  assert.equal(preflight.headers['access-control-allow-methods'], 'POST');
  assert.equal(preflight.headers['access-control-allow-headers'], 'x-amz-target');
  const answer = await call('ListTables', list, { Origin: 'http://example.com' });
  assert.equal(answer.headers['access-control-allow-origin'], '*');
});

test('clients that go away in the middle do no harm', async () => {
  for (let i = 0; i < 50; i++) {
    const connection = open(endpoint);
    const bytes = request('PutItem', { TableName, Item: { pk: { S: 'half' }, body: { S: 'x'.repeat(5000) } } });
    connection.send(bytes.subarray(0, Math.floor((bytes.length * i) / 51)));
    await sleep(1);
    connection.close();
  }
  assert.equal((await call('ListTables', list)).status, 200);
});
