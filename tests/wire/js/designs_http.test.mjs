// Designs over HTTP: operations by name, the OpenAPI document and clients made
// from it, and explanations of raw requests.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { Validator } from '@seriousme/openapi-schema-validator';
import addFormats from 'ajv-formats';
import Ajv2020 from 'ajv/dist/2020.js';
import openapi from 'openapi-client-axios';
import { binary, startServer } from '../harness/server.mjs';

const OpenAPIClientAxios = openapi.default ?? openapi;
const designs = ['notifications', 'goals', 'store', 'blog', 'kefir'];
const options = { skip: process.env.TAULA_ENDPOINT ? 'needs a server of its own' : false };
const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../../..');

const { endpoint } = options.skip
  ? {}
  : await startServer({ options: designs.flatMap((name) => ['--design', join(root, 'designs', name, 'design.yaml')]) });

async function get(path) {
  const response = await fetch(endpoint + path);
  assert.equal(response.status, 200);
  return response.json();
}

async function call(design, operation, parameters = {}, headers = {}) {
  const response = await fetch(`${endpoint}/designs/${design}/${operation}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof parameters === 'string' ? parameters : JSON.stringify(parameters),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

async function dynamodb(operation, request, headers = {}) {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-amz-json-1.0',
      'X-Amz-Target': `DynamoDB_20120810.${operation}`,
      'X-Amz-Date': '20260101T000000Z',
      Authorization: 'AWS4-HMAC-SHA256 Credential=a/b/c/d/e, SignedHeaders=host, Signature=f',
      ...headers,
    },
    body: JSON.stringify(request),
  });
  const explanation = response.headers.get('x-taula-explain');
  return { body: await response.json(), explanation: explanation && JSON.parse(explanation) };
}

const explained = (operation, request) => dynamodb(operation, request, { 'X-Taula-Explain': 'true' });

test('all designs are listed, and each tells what it has', options, async () => {
  const list = await get('/designs');
  assert.deepEqual(list.designs.map(({ name }) => name).sort(), [...designs].sort());
  for (const { name, description, operations } of list.designs) {
    assert.ok(description);
    const summary = await get(`/designs/${name}`);
    assert.equal(summary.operations.length, operations);
    assert.ok(summary.tables.length > 0 && summary.entities.length > 0);
  }
});

test('operations run by name', options, async () => {
  const made = await call('store', 'createProduct', { name: 'Café Tostado', price: 9.5, category_id: 'beans', stock: 3 });
  assert.equal(made.status, 200);
  const { id } = made.body.item;
  assert.equal(made.body.item.is_active, true);
  assert.equal(made.body.item.PK, undefined);
  const { body } = await call('store', 'product', { id });
  assert.deepEqual(body.item, made.body.item);
  const page = await call('store', 'productsOfCategory', { category_id: 'beans' });
  assert.deepEqual(page.body.items.map((item) => item.id), [id]);
});

test('pages are read with next', options, async () => {
  for (let i = 0; i < 5; i++) {
    await call('store', 'addToCart', { user_id: '6f1c2a6e-8a0b-4b5e-9d3a-111111111111', product_id: `6f1c2a6e-8a0b-4b5e-9d3a-00000000000${i}`, quantity: 1 + i });
  }
  const seen = [];
  let next;
  do {
    const { body } = await call('store', 'cart', { user_id: '6f1c2a6e-8a0b-4b5e-9d3a-111111111111', limit: 2, next });
    assert.ok(body.items.length <= 2);
    seen.push(...body.items.map((item) => item.quantity));
    next = body.next;
  } while (next);
  assert.deepEqual(seen, [1, 2, 3, 4, 5]);
});

test('errors have a code, a sentence and a fitting status', options, async () => {
  const user = { name: 'Ada', email: 'ada@example.com', password: 'correct horse' };
  assert.equal((await call('store', 'signup', user)).status, 200);
  const cases = [
    ['store', 'signup', user, 409, 'NotUnique'],
    ['store', 'signup', { ...user, email: 'not one' }, 400, 'InvalidParameter', 'email'],
    ['store', 'login', { email: user.email, password: 'wrong' }, 401, 'WrongCredentials'],
    ['store', 'product', { id: '6f1c2a6e-8a0b-4b5e-9d3a-999999999999' }, 404, 'NotFound'],
    ['store', 'nothing', {}, 404, 'UnknownOperation'],
    ['none', 'nothing', {}, 404, 'UnknownDesign'],
    ['store', 'product', '[]', 400, 'InvalidParameter'],
    ['store', 'product', '{', 400, 'InvalidParameter'],
  ];
  for (const [design, operation, parameters, status, code, parameter] of cases) {
    const answer = await call(design, operation, parameters);
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    assert.equal(answer.body.error.code, code);
    assert.match(answer.body.error.message, /\.$/);
    if (parameter) assert.equal(answer.body.error.parameter, parameter);
  }
  const login = await call('store', 'login', { email: user.email, password: user.password });
  assert.equal(login.status, 200);
  assert.equal(login.body.item.password, undefined);
});

test('pages of other sites cannot call operations', options, async () => {
  const elsewhere = await call('store', 'categories', {}, { Origin: 'https://example.com' });
  assert.equal(elsewhere.status, 403);
  assert.equal(elsewhere.headers.get('access-control-allow-origin'), null);
  const here = await call('store', 'categories', {}, { Origin: 'http://localhost:5173' });
  assert.equal(here.status, 200);
  assert.equal(here.headers.get('access-control-allow-origin'), 'http://localhost:5173');
  const form = await fetch(`${endpoint}/designs/store/categories`, { method: 'POST', body: 'a=b' });
  assert.equal(form.status, 415);
});

for (const name of designs) {
  test(`the OpenAPI document of ${name} is valid`, options, async () => {
    const document = await get(`/designs/${name}/openapi.json`);
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    assert.ok(valid, JSON.stringify(errors, null, 1));
    const ids = Object.values(document.paths).map(({ post }) => post.operationId);
    assert.equal(new Set(ids).size, ids.length);
  });
}

test('answers are what the OpenAPI document says, and a client can be made from it', options, async () => {
  const document = await get('/designs/store/openapi.json');
  const ajv = addFormats(new Ajv2020({ strict: false }));
  ajv.addSchema(document, 'document');
  const check = (operation, status, body) => {
    const place = `document#/paths/${`/designs/store/${operation}`.replaceAll('/', '~1')}/post/responses`;
    const response = document.paths[`/designs/store/${operation}`].post.responses[status];
    assert.ok(response, `${operation} has no answer ${status}`);
    const at = response.$ref ? `document${response.$ref}` : `${place}/${status}`;
    const validate = ajv.compile({ $ref: `${at}/content/application~1json/schema` });
    assert.ok(validate(body), JSON.stringify([operation, body, validate.errors]));
  };

  const api = new OpenAPIClientAxios({ definition: document, axiosConfigDefaults: { baseURL: endpoint, validateStatus: () => true } });
  const client = await api.init();
  const run = async (operation, parameters) => {
    const { status, data } = await client[operation](null, parameters);
    check(operation, status, data);
    return data;
  };
  const user_id = '6f1c2a6e-8a0b-4b5e-9d3a-222222222222';
  const { item } = await run('createProduct', { name: 'Espresso', price: 4, stock: 10, category_id: 'cups' });
  await run('createProduct', { name: 'Espresso' });
  await run('product', { id: item.id });
  await run('productCard', { id: item.id });
  await run('product', { id: user_id });
  await run('restock', { id: item.id, quantity: 5 });
  await run('productsOfCategory', { category_id: 'cups', limit: 1 });
  await run('activeProducts', {});
  await run('addToCart', { user_id, product_id: item.id, quantity: 2 });
  const { items } = await run('createOrder', {
    user_id,
    total: 8,
    items: [{ product_id: item.id, product_name: 'Espresso', quantity: 2, price: 4, subtotal: 8 }],
  });
  const { order_id } = items.find((each) => each.$entity === 'Order');
  const whole = await run('wholeOrder', { order_id });
  assert.deepEqual(whole.items.map((each) => each.$entity).sort(), ['Order', 'OrderItem']);
  await run('addToCart', { user_id, product_id: item.id, quantity: 1 });
  await run('removeFromCart', { user_id, product_id: item.id });
  await run('signup', { name: 'Bob', email: 'bob@example.com', password: 'battery staple' });
  await run('signup', { name: 'Bob', email: 'bob@example.com', password: 'battery staple' });
  await run('login', { email: 'bob@example.com', password: 'battery staple' });
  await run('login', { email: 'bob@example.com', password: 'wrong' });
});

const TableName = 'catfecito-serverless-dev';

test('a raw request is explained in a header of its answer', options, async () => {
  const request = {
    TableName,
    IndexName: 'GSI1',
    KeyConditionExpression: 'GSI1PK = :c',
    FilterExpression: 'is_active = :t',
    ExpressionAttributeValues: { ':c': { S: 'CATEGORY#beans' }, ':t': { BOOL: true } },
  };
  const { body, explanation } = await explained('Query', request);
  assert.deepEqual(explanation.operations, [{ design: 'store', operation: 'productsOfCategory' }]);
  assert.deepEqual(explanation.entities, ['Product']);
  assert.equal(explanation.index, 'GSI1');
  assert.equal(explanation.readUnits, 0.5);
  assert.equal(explanation.itemsReturned, body.Count);
  assert.equal(body.ConsumedCapacity, undefined);
  const plain = await dynamodb('Query', request);
  assert.equal(plain.explanation, null);
  assert.deepEqual(plain.body, body);
});

test('an explanation leaves the capacity that was asked for', options, async () => {
  for (const ReturnConsumedCapacity of ['TOTAL', 'INDEXES', 'NONE']) {
    const request = { TableName, Key: { PK: { S: 'USER#none' }, SK: { S: 'METADATA' } }, ReturnConsumedCapacity };
    const { body, explanation } = await explained('GetItem', request);
    assert.deepEqual(body, (await dynamodb('GetItem', request)).body);
    assert.deepEqual(explanation.operations, [{ design: 'store', operation: 'user' }]);
  }
});

test('a wasteful scan gets advice, a failed request its error', options, async () => {
  for (let i = 0; i < 30; i++) await call('store', 'createCategory', { slug: `shelf-${i}`, name: `Shelf ${i}` });
  const scan = await explained('Scan', {
    TableName,
    FilterExpression: 'category_id = :c',
    ExpressionAttributeValues: { ':c': { S: 'cups' } },
  });
  const codes = scan.explanation.advice.map(({ code }) => code);
  assert.deepEqual(codes, ['query-would-do', 'filter-drops-most']);
  assert.match(scan.explanation.advice[0].text, /GSI1PK = 'CATEGORY#\{category_id\}'/);
  const failed = await explained('GetItem', { TableName: 'none-such', Key: { a: { S: 'b' } } });
  assert.equal(failed.explanation.error, 'ResourceNotFoundException');
  assert.match(failed.body.__type, /ResourceNotFoundException/);
  const tables = await explained('ListTables', {});
  assert.equal(tables.explanation.operation, 'ListTables');
  assert.ok(tables.body.TableNames.includes(TableName));
});

test('taula explain prints it for people', options, async () => {
  const run = promisify(execFile);
  const request = JSON.stringify({ TableName, Key: { PK: { S: 'CATEGORY#shelf-1' }, SK: { S: 'METADATA' } } });
  const { stdout } = await run(binary, ['explain', 'GetItem', request, '--server', endpoint]);
  assert.match(stdout, /^Request +GetItem catfecito-serverless-dev\nOperation +category of store\nEntities +Category\n/);
  assert.match(stdout, /^Cost +0.5 read units$/m);
  const down = await run(binary, ['explain', 'GetItem', request, '--server', 'http://127.0.0.1:1']).catch((error) => error);
  assert.equal(down.code, 1);
  assert.match(down.stderr, /^taula: Cannot reach http:\/\/127\.0\.0\.1:1: the connection was refused/);
  const unknown = await run(binary, ['explain', 'Quary', request, '--server', endpoint]).catch((error) => error);
  assert.match(unknown.stderr, /^taula: DynamoDB has no operation 'Quary'$/m);
  const cut = await run(binary, ['explain', 'GetItem', '{"TableName":', '--server', endpoint]).catch((error) => error);
  assert.match(cut.stderr, /^taula: SerializationException: the request is not a JSON object$/m);
});
