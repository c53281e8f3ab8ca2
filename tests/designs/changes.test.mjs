// A design that meets data: served again, changed, taken away, brought back. What
// differs is said, what cannot be kept keeps the server from starting, and items
// from before are not locked.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tableInput, untilActive } from '../wire/harness/tables.mjs';
import { design, Shop, TableName, UNIQUE } from './shop.mjs';

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

test('a table that is there is brought in line, and what it has beyond the design is left', async () => {
  const shop = new Shop();
  await shop.serve();
  await shop.dynamodb.createTable(tableInput({ name: TableName, key: 'PK:S SK:S', global: { Own: 'own:S' } }));
  await shop.put('a', { nick: 'an', GSI1PK: 'NICK#an', GSI1SK: 'a' });
  await shop.stop();

  const expiring = ', expiresAt: { type: timestamp, format: epoch }';
  const serve = async (...settings) => {
    await shop.serve(design({ table: settings.map((each) => `    ${each}\n`).join(''), more: expiring }));
    await untilActive(shop.dynamodb, TableName);
    const { Table } = await shop.dynamodb.describeTable({ TableName });
    const { TimeToLiveDescription } = await shop.dynamodb.describeTimeToLive({ TableName });
    return { ...Table, ttl: TimeToLiveDescription.AttributeName };
  };
  const table = await serve(
    'billing: { read: 2, write: 3 }', 'stream: new-image', 'ttl: expiresAt', 'encryption: aws-managed', 'deletion-protection: true',
  );
  assert.deepEqual(table.GlobalSecondaryIndexes.map(({ IndexName }) => IndexName).sort(), ['GSI1', 'Own']);
  const { Items } = await shop.dynamodb.query({
    TableName,
    IndexName: 'GSI1',
    KeyConditionExpression: 'GSI1PK = :nick',
    ExpressionAttributeValues: { ':nick': { S: 'NICK#an' } },
  });
  assert.deepEqual(Items.map(({ PK }) => PK.S), ['USER#a'], 'the new index has what was there');
  const units = ({ ProvisionedThroughput: { ReadCapacityUnits: read, WriteCapacityUnits: write } }) => [read, write];
  assert.deepEqual([table, ...table.GlobalSecondaryIndexes].map(units), [[2, 3], [2, 3], [2, 3]]);
  assert.deepEqual(table.StreamSpecification, { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' });
  assert.equal(table.ttl, 'expiresAt');
  assert.equal(table.DeletionProtectionEnabled, true);
  assert.deepEqual([table.SSEDescription.Status, table.SSEDescription.SSEType], ['ENABLED', 'KMS']);
  assert.match(await shop.stop(), /Design shop: table shop has an index Own that the design does not know/);

  const own = 'arn:aws:kms:us-east-1:123456789012:key/0f6f4b0e-9f8e-4a7e-9d43-2a1f1f6b7a10';
  const again = await serve('stream: keys-only', 'ttl: expiresAt', `encryption: ${own}`);
  assert.equal(again.SSEDescription.KMSMasterKeyArn, own);
  assert.equal(again.DeletionProtectionEnabled, false);
  assert.equal(again.BillingModeSummary.BillingMode, 'PAY_PER_REQUEST');
  assert.equal(again.StreamSpecification.StreamViewType, 'NEW_IMAGE');
  assert.match(await shop.stop(), /table shop has a stream of NEW_IMAGE, and the design says KEYS_ONLY/);

  const plain = await serve('encryption: aws-owned');
  assert.equal(plain.SSEDescription, undefined);
  assert.equal(plain.ttl, 'expiresAt');
  const log = await shop.stop();
  assert.match(log, /table shop has a stream of NEW_IMAGE, and the design says none/);
  assert.match(log, /items of table shop expire by expiresAt, and the design says not at all/);
});

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
