// A design that meets data: served again, changed, taken away, brought back. What
// differs is said, what cannot be kept keeps the server from starting, and items
// from before are not locked.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect } from '../wire/harness/clients.mjs';
import { binary, startServer, temporaryFolder } from '../wire/harness/server.mjs';

const TableName = 'shop';

// A design with one entity; `parts` are lines of its own.
const design = ({ name = 'shop', indexKey = 'GSI1PK', unique = '', nick = 'string', more = '' } = {}) => `design: ${name}
tables:
  main:
    name: ${TableName}
    key: { partition: PK, sort: SK }
    indexes: { GSI1: { partition: ${indexKey}, sort: GSI1SK } }
entities:
  User:
    key: { PK: "USER#{id}", SK: METADATA }
    indexes: { GSI1: { ${indexKey}: "NICK#{nick}", GSI1SK: "{id}" } }
    ${unique}
    attributes: { id: string, email: email, age: integer, nick: ${nick}${more} }
`;
const UNIQUE = { unique: 'unique: [email]' };

class Shop {
  folder = temporaryFolder();

  file(text, name = 'design.yaml') {
    const path = join(this.folder, name);
    writeFileSync(path, text);
    return path;
  }

  async serve(text) {
    const options = text ? ['--design', this.file(text)] : [];
    this.server = await startServer({ data: join(this.folder, 'data'), options });
    this.dynamodb = connect(this.server.endpoint);
  }

  async stop() {
    this.dynamodb.destroy();
    await this.server.kill('SIGTERM');
    return this.server.log();
  }

  // What it says when it does not start.
  refused(...texts) {
    const files = texts.flatMap((text, i) => ['--design', this.file(text, `${i}.yaml`)]);
    const run = spawnSync(binary, ['serve', '--port', '0', '--data', join(this.folder, 'data'), ...files], { encoding: 'utf8', timeout: 20_000 });
    assert.equal(run.status, 5, run.stderr);
    return run.stderr;
  }

  put(id, attributes) {
    const item = { PK: `USER#${id}`, SK: 'METADATA', ...attributes };
    return this.dynamodb.putItem({ TableName, Item: Object.fromEntries(Object.entries(item).map(([name, text]) => [name, { S: text }])) });
  }

  update(id, expression, values = {}) {
    const ExpressionAttributeValues = Object.keys(values).length ? values : undefined;
    return this.dynamodb.updateItem({ TableName, Key: { PK: { S: `USER#${id}` }, SK: { S: 'METADATA' } }, UpdateExpression: expression, ExpressionAttributeValues });
  }

  async item(id) {
    return (await this.dynamodb.getItem({ TableName, Key: { PK: { S: `USER#${id}` }, SK: { S: 'METADATA' } } })).Item;
  }
}

test('the same design again is nothing to speak of', async () => {
  const shop = new Shop();
  await shop.serve(design(UNIQUE));
  await shop.put('a', { email: 'a@example.com' });
  await shop.stop();
  await shop.serve(design(UNIQUE));
  assert.deepEqual(await shop.item('a'), { PK: { S: 'USER#a' }, SK: { S: 'METADATA' }, email: { S: 'a@example.com' } });
  assert.doesNotMatch(await shop.stop(), /warning/);
});

test('what items can feel of a change is said', async () => {
  const shop = new Shop();
  await shop.serve(design());
  await shop.stop();
  await shop.serve(design({ ...UNIQUE, nick: '{ type: string, required: true }' }));
  const log = await shop.stop();
  assert.match(log, /Design shop has changed since it was last served/);
  assert.match(log, /entity User requires nick now; items without it are refused when they are next put, and can still be updated/);
  assert.match(log, /entity User has unique email now; all items were looked through for it/);
});

test('a design that is new to items is said to be', async () => {
  const shop = new Shop();
  await shop.serve(design({ name: 'first' }));
  await shop.put('a', { nick: 'an' });
  await shop.stop();
  await shop.serve(design({ name: 'second' }));
  assert.match(await shop.stop(), /Design second is new to items that are there: they are kept to it when they are next written/);
});

test('a unique rule does not start over items that break it', async () => {
  const shop = new Shop();
  await shop.serve(design());
  await shop.put('a', { email: 'same@example.com' });
  await shop.put('b', { email: 'same@example.com' });
  await shop.stop();
  assert.match(shop.refused(design(UNIQUE)), /design shop: Table shop has 1 item whose values are not unique: email 'same@example.com' of entity User/);
  await shop.serve(design());
  await shop.update('b', 'REMOVE email');
  await shop.stop();
  await shop.serve(design(UNIQUE));
  await assert.rejects(shop.put('c', { email: 'same@example.com' }), { name: 'ConditionalCheckFailedException' });
  await shop.stop();
});

for (const [meanwhile, text] of [['without a design', undefined], ['under a design without the rule', design()]]) {
  test(`a unique rule looks again after a time ${meanwhile}`, async () => {
    const shop = new Shop();
    await shop.serve(design(UNIQUE));
    await shop.put('a', { email: 'a@example.com' });
    await shop.stop();
    await shop.serve(text);
    await shop.put('b', { email: 'a@example.com' });
    await shop.update('a', 'REMOVE email');
    assert.match(await shop.stop(), /Table shop had rules for unique values and has not now/);
    await shop.serve(design(UNIQUE));
    await assert.rejects(shop.put('c', { email: 'a@example.com' }), /Not unique: another item has email 'a@example.com'/);
    await shop.update('b', 'REMOVE email');
    await shop.put('c', { email: 'a@example.com' });
    await shop.stop();
  });
}

test('an index with another key stops the start', async () => {
  const shop = new Shop();
  await shop.serve(design());
  await shop.stop();
  assert.match(shop.refused(design({ indexKey: 'OtherPK' })), /table shop has its index GSI1 on GSI1PK \(S\), GSI1SK \(S\), and the design says OtherPK/);
});

test('two designs share neither a table nor a name', () => {
  const shop = new Shop();
  assert.match(shop.refused(design(), design({ name: 'shop2' })), /0\.yaml and .*1\.yaml both have table shop/);
  assert.match(shop.refused(design(), design()), /0\.yaml and .*1\.yaml are both named shop/);
});

test('an item from before can be updated where it is right', async () => {
  const shop = new Shop();
  await shop.serve(design());
  await shop.put('a', { email: 'a@example.com' });
  await shop.stop();
  await shop.serve(design({ nick: '{ type: string, required: true }', more: ', age2: { type: integer, required: true }' }));
  await shop.update('a', 'SET age = :age', { ':age': { N: '30' } });
  await assert.rejects(shop.update('a', 'SET age = :age', { ':age': { S: 'thirty' } }), /age must be a whole number, not 'thirty'$/);
  await shop.update('a', 'SET nick = :nick', { ':nick': { S: 'an' } });
  assert.equal((await shop.item('a')).GSI1PK.S, 'NICK#an', 'the index key comes with the attribute');
  await assert.rejects(shop.update('a', 'REMOVE nick'), /nick is required$/);
  await assert.rejects(shop.put('a', { email: 'a@example.com' }), /nick is required; age2 is required$/);
  await shop.stop();
});

test('batches and transactions keep the design, each in its way', async () => {
  const shop = new Shop();
  await shop.serve(design(UNIQUE));
  const { dynamodb } = shop;
  const item = (id, attributes) => ({ PK: { S: `USER#${id}` }, SK: { S: 'METADATA' }, ...attributes });
  const put = (...all) => dynamodb.batchWriteItem({ RequestItems: { [TableName]: all.map((Item) => ({ PutRequest: { Item } })) } });
  await put(item('a', { nick: { S: 'an' }, email: { S: 'a@example.com' } }), item('b', { nick: { S: 'bo' } }));
  assert.equal((await shop.item('b')).GSI1PK.S, 'NICK#bo');
  // As with Amazon's service, each item of a batch stands for itself.
  await assert.rejects(put(item('c', { age: { S: 'old' } }), item('d', { nick: { S: 'di' } })), { name: 'ValidationException' });
  assert.equal((await shop.item('d')).GSI1PK.S, 'NICK#di');
  assert.equal(await shop.item('c'), undefined);
  await assert.rejects(put(item('c', { email: { S: 'a@example.com' } })), { name: 'ConditionalCheckFailedException' });

  const transact = (...all) => dynamodb.transactWriteItems({ TransactItems: all.map((Item) => ({ Put: { TableName, Item } })) });
  await assert.rejects(transact(item('e', { nick: { S: 'em' } }), item('f', { age: { S: 'old' } })), (error) => {
    assert.equal(error.name, 'TransactionCanceledException');
    assert.deepEqual(error.CancellationReasons.map(({ Code }) => Code), ['None', 'ValidationError']);
    assert.match(error.CancellationReasons[1].Message, /age must be a whole number/);
    return true;
  });
  assert.equal(await shop.item('e'), undefined);
  await assert.rejects(transact(item('e', { email: { S: 'e@example.com' } }), item('f', { email: { S: 'e@example.com' } })), (error) => {
    assert.deepEqual(error.CancellationReasons.map(({ Code }) => Code), ['None', 'ConditionalCheckFailed']);
    return true;
  });
  await transact(item('e', { email: { S: 'e@example.com' } }), item('f', { email: { S: 'f@example.com' } }));
  await shop.stop();
});
