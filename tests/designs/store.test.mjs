// The rows of the system "store", each by the document's own code and by the
// design's operations.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, connectDocuments, connectStreams } from '../wire/harness/clients.mjs';
import { binary, startServer, temporaryFolder } from '../wire/harness/server.mjs';
import * as written from './documents/store.mjs';
import { HASH, MILLISECONDS, store as ids, UUID } from './ids.mjs';
import { account, fails, openSystem, pluck, race, rawPages, refused, sorted, testOfTaula } from './systems.mjs';

const system = await openSystem('store');
const { call, docClient, dynamodb, keepsDesigns } = system;
const TABLE_NAME = 'catfecito-serverless-dev';
const context = { docClient, TABLE_NAME };

const newProduct = async (details = {}) =>
  (await call('createProduct', { name: 'Café de prueba', price: 1500, stock: 10, category_id: 'pruebas', ...details })).item;

const orderOf = (product, quantity = 1) => ({
  total: product.price * quantity,
  items: [{ product_id: product.id, product_name: product.name, quantity, price: product.price, subtotal: product.price * quantity }],
});

const stockOf = async (id) => (await call('product', { id })).item.stock;

test('S1 a user by id', async () => {
  const { Item } = await written.userById({ ...context, userId: ids.juan });
  assert.deepEqual([Item.name, Item.email, Item.role], ['Juan Pérez', 'juan@mail.com', 'customer']);
  const { item } = await call('user', { id: ids.juan });
  assert.deepEqual(item, {
    id: ids.juan,
    name: 'Juan Pérez',
    email: 'juan@mail.com',
    role: 'customer',
    created_at: '2026-01-12T14:03:11.204Z',
    updated_at: '2026-01-12T14:03:11.204Z',
  });
  await fails(call('user', { id: randomUUID() }), 'NotFound');
  await fails(call('user', { id: 'juan' }), 'InvalidParameter');
});

test('S2 a user by e-mail address; signup and login', async () => {
  const { Items } = await written.userByEmail({ ...context, email: 'juan@mail.com' });
  assert.deepEqual(Items.map(({ PK, SK, GSI2PK, GSI2SK }) => [PK, SK, GSI2PK, GSI2SK]), [
    [`USER#${ids.juan}`, 'METADATA', 'EMAIL#juan@mail.com', `USER#${ids.juan}`],
  ]);
  const { item } = await call('userByEmail', { email: 'juan@mail.com' });
  assert.equal(item.id, ids.juan);
  assert.equal(item.password, undefined);
  assert.equal((await call('login', { email: 'marta@catfecito.com', password: ids.password })).item.role, 'admin');
  await fails(call('login', { email: 'marta@catfecito.com', password: 'cortado' }), 'WrongCredentials');
  await fails(call('login', { email: 'nadie@mail.com', password: ids.password }), 'WrongCredentials');

  const made = (await call('signup', { name: 'Lola Vera', email: 'lola@mail.com', password: 'un-cortado-mas' })).item;
  assert.match(made.id, UUID);
  assert.equal(made.role, 'customer');
  assert.equal(made.password, undefined);
  await fails(call('signup', { name: 'Otra Lola', email: 'lola@mail.com', password: 'un-cortado-mas' }), 'NotUnique');
  // Nobody signs up as an admin.
  await fails(call('signup', { name: 'Eva', email: 'eva@mail.com', password: 'un-cortado-mas', role: 'admin' }), 'InvalidParameter');
  if (!keepsDesigns) return;

  const { won } = await race(
    Array.from({ length: 64 }, () => {
      const id = randomUUID();
      const Item = { PK: `USER#${id}`, SK: 'METADATA', name: 'Igual', email: 'igual@mail.com', password: HASH };
      return docClient.put({ TableName: TABLE_NAME, Item });
    }),
  );
  assert.equal(won.length, 1);
  assert.equal((await written.userByEmail({ ...context, email: 'igual@mail.com' })).Items.length, 1);
});

const FOR_SALE = ['Alfajor de maicena', 'Café Premium', 'Café de Colombia', 'Café de Etiopía', 'Descafeinado suave', 'Prensa francesa', 'Taza del gato'];

test('S3 all active products', async () => {
  const raw = await written.activeProducts(context);
  const { items } = await call('activeProducts');
  for (const names of [pluck(raw.Items, 'name'), pluck(items, 'name')]) {
    assert.deepEqual(sorted(names.filter((name) => !name.includes('prueba'))), FOR_SALE);
  }
  assert.ok(items.every((item) => item.is_active && item.PK === undefined));
});

test('S4 the active products of a category', async () => {
  const cafes = ['Café Premium', 'Café de Colombia', 'Café de Etiopía', 'Descafeinado suave'];
  assert.deepEqual(sorted(pluck((await written.productsOfCategory({ ...context, categoryId: 'cafes' })).Items, 'name')), cafes);
  assert.deepEqual(sorted(pluck((await call('productsOfCategory', { category_id: 'cafes' })).items, 'name')), cafes);
  assert.deepEqual((await call('productsOfCategory', { category_id: 'caf' })).items, []);

  const product = await newProduct({ category_id: 'de-paso' });
  await call('updateProduct', { id: product.id, category_id: 'destino' });
  assert.deepEqual((await call('productsOfCategory', { category_id: 'de-paso' })).items, []);
  assert.deepEqual(pluck((await call('productsOfCategory', { category_id: 'destino' })).items, 'id'), [product.id]);
  await call('updateProduct', { id: product.id, is_active: false });
  assert.deepEqual((await call('productsOfCategory', { category_id: 'destino' })).items, []);
  if (!keepsDesigns) return;

  // A plain UpdateItem moves the index's key too.
  await docClient.update({
    TableName: TABLE_NAME,
    Key: { PK: `PRODUCT#${product.id}`, SK: 'METADATA' },
    UpdateExpression: 'SET category_id = :c, is_active = :a',
    ExpressionAttributeValues: { ':c': 'otra', ':a': true },
  });
  assert.deepEqual(pluck((await written.productsOfCategory({ ...context, categoryId: 'otra' })).Items, 'id'), [product.id]);
});

testOfTaula('S5 products whose name begins so', async () => {
  const cafes = ['Café de Colombia', 'Café de Etiopía', 'Café de Navidad', 'Café Premium'];
  const known = (items) => pluck(items, 'name').filter((name) => !name.includes('prueba'));
  assert.deepEqual(known((await written.productsByName({ ...context, searchTerm: 'CAFE' })).Items), cafes);
  assert.deepEqual(known((await call('productsByName', { prefix: 'café' })).items), cafes);
  assert.deepEqual(known((await call('productsByName', { prefix: 'Café de' })).items), cafes.slice(0, 3));
  assert.deepEqual(known((await call('productsByName', { prefix: 'café p' })).items), ['Café Premium']);
  assert.deepEqual((await call('productsByName', { prefix: 'zumo' })).items, []);
  await fails(call('productsByName', { prefix: '' }), 'InvalidParameter');

  // In pages, in the order of names; users, who are in the index too, never appear.
  const names = [];
  let next;
  do {
    const page = await call('productsByName', { prefix: 'c', limit: 2, ...(next && { next }) });
    assert.ok(page.items.length <= 2);
    names.push(...known(page.items));
    next = page.next;
  } while (next);
  assert.deepEqual(names, cafes);
  // A new name moves the product.
  const product = await newProduct({ name: 'Ñandú de prueba' });
  assert.deepEqual(pluck((await call('productsByName', { prefix: 'nandu' })).items, 'id'), [product.id]);
  await call('updateProduct', { id: product.id, name: 'Gato de prueba' });
  assert.deepEqual((await call('productsByName', { prefix: 'nandu' })).items, []);
});

test('S5 the portable way reads the whole index', async () => {
  const { items } = await call('productsByNameAnywhere', { prefix: 'Café de ' });
  const names = sorted(pluck(items, 'name').filter((name) => !name.includes('prueba')));
  assert.deepEqual(names, ['Café de Colombia', 'Café de Etiopía', 'Café de Navidad']);
});

test('S6 all categories', async () => {
  const slugs = ['accesorios', 'cafes', 'dulces'];
  assert.deepEqual(sorted(pluck((await written.categories(context)).Items, 'slug')), slugs);
  assert.deepEqual(sorted(pluck((await call('categories')).items, 'slug')), slugs);
});

test('S7 a category by its slug', async () => {
  assert.equal((await written.categoryById({ ...context, categoryId: 'cafes' })).Item.name, 'Cafés');
  assert.equal((await call('category', { slug: 'cafes' })).item.description, 'Granos de origen, tostados cada semana.');
  await fails(call('category', { slug: 'tes' }), 'NotFound');
});

test('S8 the cart of a user', async () => {
  const { Items } = await written.cart({ ...context, userId: ids.juan });
  const expected = [[ids.cafePremium, 2], [ids.taza, 1]];
  assert.deepEqual(Items.map(({ SK, quantity }) => [SK.slice('CART#'.length), quantity]), expected);
  const { items } = await call('cart', { user_id: ids.juan });
  assert.deepEqual(items.map(({ product_id, quantity }) => [product_id, quantity]), expected);
  assert.deepEqual((await call('cart', { user_id: ids.sofia })).items, []);
  assert.deepEqual((await written.cart({ ...context, userId: ids.sofia })).Items, []);
});

test('S9 add to the cart', async () => {
  const userId = randomUUID();
  await written.addToCart({ ...context, userId, productId: ids.prensa });
  const [item] = (await call('cart', { user_id: userId })).items;
  assert.deepEqual([item.user_id, item.product_id, item.quantity], [userId, ids.prensa, 2]);
  await call('addToCart', { user_id: userId, product_id: ids.prensa, quantity: 5 });
  assert.deepEqual(pluck((await call('cart', { user_id: userId })).items, 'quantity'), [5]);
  for (const quantity of [0, -1, 1.5, 'dos']) {
    await fails(call('addToCart', { user_id: userId, product_id: ids.taza, quantity }), 'InvalidParameter');
  }
  assert.equal((await call('cart', { user_id: userId })).items.length, 1);
});

test('S10 remove from the cart', async () => {
  const userId = randomUUID();
  await call('addToCart', { user_id: userId, product_id: ids.taza, quantity: 1 });
  await call('addToCart', { user_id: userId, product_id: ids.prensa, quantity: 1 });
  await written.removeFromCart({ ...context, userId, productId: ids.taza });
  assert.deepEqual(pluck((await call('cart', { user_id: userId })).items, 'product_id'), [ids.prensa]);
  await call('removeFromCart', { user_id: userId, product_id: ids.prensa });
  assert.deepEqual((await written.cart({ ...context, userId })).Items, []);
});

test('S11 who has a product in the cart', async () => {
  const whose = async (productId) =>
    (
      await docClient.query({
        TableName: TABLE_NAME,
        IndexName: 'GSI1',
        KeyConditionExpression: 'GSI1PK = :product',
        ExpressionAttributeValues: { ':product': `PRODUCT#${productId}` },
      })
    ).Items.map(({ GSI1SK }) => GSI1SK);
  assert.deepEqual(await whose(ids.cafePremium), sorted([`USER#${ids.juan}`, `USER#${ids.marta}`]));
  assert.deepEqual(
    pluck((await call('cartsWithProduct', { product_id: ids.cafePremium })).items, 'user_id'),
    sorted([ids.juan, ids.marta]),
  );
  assert.deepEqual((await call('cartsWithProduct', { product_id: ids.alfajor })).items, []);
  if (!keepsDesigns) return;

  // A cart item put without the index's key is found all the same.
  const userId = randomUUID();
  await docClient.put({ TableName: TABLE_NAME, Item: { PK: `USER#${userId}`, SK: `CART#${ids.descafeinado}`, quantity: 1 } });
  assert.deepEqual(await whose(ids.descafeinado), [`USER#${userId}`]);
});

test('S12 an order is made whole or not at all', async () => {
  // The document's transaction, as written.
  const product = await newProduct({ name: 'Café Premium', stock: 3 });
  const [orderId, userId] = [randomUUID(), randomUUID()];
  const asWritten = { ...context, orderId, userId, productId: product.id, timestamp: new Date().toISOString() };
  await written.addToCart(asWritten);
  await written.createOrder(asWritten);
  assert.equal(await stockOf(product.id), 1);
  assert.deepEqual((await call('cart', { user_id: userId })).items, []);
  assert.equal((await call('wholeOrder', { order_id: orderId })).items.length, 2);
  const second = { ...asWritten, orderId: randomUUID() };
  await refused(written.createOrder(second), 'TransactionCanceledException', /ConditionalCheckFailed/);
  assert.deepEqual((await written.wholeOrder(second)).Items, []);
  assert.equal(await stockOf(product.id), 1);

  // The operation, with several products.
  const [cafe, taza] = [await newProduct({ stock: 5 }), await newProduct({ name: 'Taza de prueba', price: 450.5, stock: 2 })];
  const buyer = randomUUID();
  await call('addToCart', { user_id: buyer, product_id: cafe.id, quantity: 3 });
  await call('addToCart', { user_id: buyer, product_id: taza.id, quantity: 2 });
  const lines = [orderOf(cafe, 3), orderOf(taza, 2)];
  const order = { user_id: buyer, total: lines[0].total + lines[1].total, items: lines.flatMap(({ items }) => items) };
  await call('createOrder', order);
  assert.deepEqual([await stockOf(cafe.id), await stockOf(taza.id)], [2, 0]);
  assert.deepEqual((await call('cart', { user_id: buyer })).items, []);
  const [made] = (await call('ordersOfUser', { user_id: buyer })).items;
  assert.match(made.order_id, UUID);
  assert.deepEqual([made.total, made.status], [5401, 'pending']);
  const whole = (await call('wholeOrder', { order_id: made.order_id })).items;
  assert.deepEqual(sorted(pluck(whole, '$entity')), ['Order', 'OrderItem', 'OrderItem']);

  // One product of two is short: nothing is written.
  await call('addToCart', { user_id: buyer, product_id: cafe.id, quantity: 1 });
  await fails(call('createOrder', order), 'ConditionFailed');
  assert.deepEqual([await stockOf(cafe.id), await stockOf(taza.id)], [2, 0]);
  assert.equal((await call('ordersOfUser', { user_id: buyer })).items.length, 1);
  assert.equal((await call('cart', { user_id: buyer })).items.length, 1);
  // Nor can the price be made up, nor a product be bought that is not for sale.
  const cheap = { ...orderOf({ ...cafe, price: 1 }), user_id: buyer };
  await fails(call('createOrder', cheap), 'ConditionFailed');
  await call('updateProduct', { id: cafe.id, is_active: false });
  await fails(call('createOrder', { ...orderOf(cafe), user_id: buyer }), 'ConditionFailed');
  await fails(call('createOrder', { ...orderOf({ ...cafe, id: randomUUID() }), user_id: buyer }), 'ConditionFailed');
  assert.equal(await stockOf(cafe.id), 2);
  await fails(call('createOrder', { ...orderOf(cafe, -1), user_id: buyer }), 'InvalidParameter');
});

test('S12 up to 100 writes in one order', async () => {
  const products = [];
  for (let number = 0; number < 33; ++number) products.push(await newProduct({ name: `Prueba ${number}`, stock: 1, price: 10 }));
  const buyer = randomUUID();
  const orderFor = (some) => ({ user_id: buyer, total: 10 * some.length, items: some.flatMap((product) => orderOf(product).items) });
  await call('createOrder', orderFor(products.slice(0, 32)));
  const [made] = (await call('ordersOfUser', { user_id: buyer })).items;
  assert.equal((await call('wholeOrder', { order_id: made.order_id })).items.length, 33);
  for (const product of products.slice(0, 32)) assert.equal(await stockOf(product.id), 0);
  // 2 + 3 × 33 are 101.
  for (const product of products) await call('restock', { id: product.id, quantity: 5 });
  await assert.rejects(call('createOrder', orderFor(products)));
  assert.equal(await stockOf(products[0].id), 5);
});

test('S12 64 buyers for 10 units: exactly 10 orders, stock 0, no partial order', { skip: !keepsDesigns }, async () => {
  const product = await newProduct({ stock: 10 });
  const buyers = Array.from({ length: 64 }, () => randomUUID());
  for (const user_id of buyers) await call('addToCart', { user_id, product_id: product.id, quantity: 1 });
  // A conflict with another buyer is no answer; one tries again.
  const buy = async (user_id) => {
    for (;;) {
      try {
        return await call('createOrder', { user_id, ...orderOf(product) });
      } catch (error) {
        if (error.code !== 'Conflict') throw error;
      }
    }
  };
  const { won, failed } = await race(buyers.map(buy));
  assert.equal(won.length, 10);
  assert.ok(failed.every(({ code }) => code === 'ConditionFailed'), String(failed[0]));
  assert.equal(await stockOf(product.id), 0);
  let orders = 0;
  for (const user_id of buyers) {
    const { items } = await call('ordersOfUser', { user_id });
    const inCart = (await call('cart', { user_id })).items.length;
    assert.equal(items.length + inCart, 1, 'the cart is emptied by the order, and only by it');
    for (const { order_id } of items) {
      const whole = (await call('wholeOrder', { order_id })).items;
      assert.deepEqual(sorted(pluck(whole, '$entity')), ['Order', 'OrderItem']);
      orders += 1;
    }
  }
  assert.equal(orders, 10);
});

test('S12 two buyers race for the last unit, by the document\'s own code: exactly one wins', async () => {
  for (let round = 0; round < 20; ++round) {
    const product = await newProduct({ stock: 3 }); // each takes two
    const attempt = async () => {
      const given = { ...context, orderId: randomUUID(), userId: randomUUID(), productId: product.id, timestamp: new Date().toISOString() };
      for (;;) {
        try {
          return await written.createOrder(given);
        } catch (error) {
          if (error.CancellationReasons?.every(({ Code }) => Code !== 'TransactionConflict') ?? true) throw error;
        }
      }
    };
    const { won } = await race([attempt(), attempt()]);
    assert.equal(won.length, 1);
    assert.equal(await stockOf(product.id), 1);
  }
});

test('S13 the orders of a user', async () => {
  const expected = [[ids.pendingOrder, 1200, 'pending'], [ids.paidOrder, 3500, 'paid']];
  const { Items } = await written.ordersOfUser({ ...context, userId: ids.juan });
  assert.deepEqual(Items.map(({ SK, total, status }) => [SK.slice('ORDER#'.length), total, status]), expected);
  const { items } = await call('ordersOfUser', { user_id: ids.juan });
  assert.deepEqual(items.map(({ order_id, total, status }) => [order_id, total, status]), expected);

  // A status that changes does so in both places.
  const product = await newProduct();
  const user_id = randomUUID();
  await call('createOrder', { user_id, ...orderOf(product) });
  const [{ order_id }] = (await call('ordersOfUser', { user_id })).items;
  await call('changeOrderStatus', { order_id, status: 'paid' });
  assert.equal((await call('ordersOfUser', { user_id })).items[0].status, 'paid');
  const whole = (await call('wholeOrder', { order_id })).items;
  assert.equal(whole.find(({ $entity }) => $entity === 'Order').status, 'paid');
  await fails(call('changeOrderStatus', { order_id, status: 'lost' }), 'InvalidParameter');
  await fails(call('changeOrderStatus', { order_id: randomUUID(), status: 'paid' }), 'NotFound');
});

test('S14 a whole order with its items in one query', async () => {
  const { Items } = await written.wholeOrder({ ...context, orderId: ids.paidOrder });
  assert.deepEqual(sorted(pluck(Items, 'SK')), sorted([`ITEM#${ids.cafePremium}`, `ITEM#${ids.alfajor}`, 'METADATA']));
  const { items } = await call('wholeOrder', { order_id: ids.paidOrder });
  const [order] = items.filter(({ $entity }) => $entity === 'Order');
  assert.deepEqual([order.user_id, order.total, order.status], [ids.juan, 3500, 'paid']);
  const lines = items.filter(({ $entity }) => $entity === 'OrderItem');
  assert.equal(lines.reduce((sum, { subtotal }) => sum + subtotal, 0), order.total);
  assert.ok(lines.every(({ order_id }) => order_id === ids.paidOrder));
});

test('S15 an order from the index', async () => {
  const { Items } = await docClient.query({
    TableName: TABLE_NAME,
    IndexName: 'GSI1',
    KeyConditionExpression: 'GSI1PK = :order AND GSI1SK = :sk',
    ExpressionAttributeValues: { ':order': `ORDER#${ids.sofiasOrder}`, ':sk': 'METADATA' },
  });
  assert.deepEqual(pluck(Items, 'PK'), [`USER#${ids.sofia}`]);
  const { item } = await call('orderFromIndex', { order_id: ids.sofiasOrder });
  assert.deepEqual([item.user_id, item.total, item.status], [ids.sofia, 980.5, 'delivered']);
  await fails(call('orderFromIndex', { order_id: randomUUID() }), 'NotFound');
});

test('S16 write only if absent', async () => {
  const newItem = { PK: 'CATEGORY#tazas', SK: 'METADATA', slug: 'tazas', name: 'Tazas' };
  await written.putIfAbsent({ ...context, newItem });
  await refused(written.putIfAbsent({ ...context, newItem: { ...newItem, name: 'Vasos' } }), 'ConditionalCheckFailedException');
  assert.equal((await call('category', { slug: 'tazas' })).item.name, 'Tazas');
  await fails(call('createCategory', { slug: 'tazas', name: 'Vasos' }), 'AlreadyExists');
  const { won, failed } = await race(Array.from({ length: 16 }, (_, number) => call('createCategory', { slug: 'una', name: `Una ${number}` })));
  assert.equal(won.length, 1);
  assert.ok(failed.every(({ code }) => code === 'AlreadyExists'), String(failed[0]));
  await docClient.delete({ TableName: TABLE_NAME, Key: { PK: 'CATEGORY#tazas', SK: 'METADATA' } });
  await docClient.delete({ TableName: TABLE_NAME, Key: { PK: 'CATEGORY#una', SK: 'METADATA' } });
});

test('S17 read only some attributes', async () => {
  const Key = { PK: `PRODUCT#${ids.prensa}`, SK: 'METADATA' };
  const expected = { id: ids.prensa, name: 'Prensa francesa', price: 3200 };
  assert.deepEqual((await written.projected({ docClient, TableName: TABLE_NAME, Key })).Item, expected);
  assert.deepEqual((await call('productCard', { id: ids.prensa })).item, expected);
});

testOfTaula('S18 consumed capacity over time, by the call that the document shows', async () => {
  const run = (command) => JSON.parse(execFileSync('bash', ['-c', `${command} --endpoint-url ${system.endpoint}`], {
    env: {
      // Debian's; another may stand before it on PATH.
      PATH: `/usr/bin:${process.env.PATH}`,
      AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_DEFAULT_REGION: 'us-east-1',
      AWS_CONFIG_FILE: '/nonexistent',
      AWS_PAGER: '',
    },
    encoding: 'utf8',
  }));
  // The document's day is longer ago than anything is kept, at Amazon's as well.
  assert.deepEqual(run(written.metricsCommand), { Label: 'ConsumedReadCapacityUnits', Datapoints: [] });

  const today = written.metricsCommand.replaceAll('2026-02-11', new Date().toISOString().slice(0, 10));
  const units = () => run(today).Datapoints.reduce((sum, { Sum }) => sum + Sum, 0);
  const read = async (ConsistentRead) =>
    (await docClient.get({
      TableName: TABLE_NAME, Key: { PK: `PRODUCT#${ids.prensa}`, SK: 'METADATA' }, ConsistentRead, ReturnConsumedCapacity: 'TOTAL',
    })).ConsumedCapacity.CapacityUnits;
  await read(false);
  const before = units();
  assert.ok(before > 0);
  const consumed = (await read(true)) + (await read(false));
  assert.equal(consumed, 1.5);
  assert.equal(units() - before, consumed);
});

// Reads all shards from their beginnings until nothing more comes: the changes by their sequence numbers.
async function readStream(streams, StreamArn) {
  const { StreamDescription } = await streams.describeStream({ StreamArn });
  const records = [];
  for (const { ShardId } of StreamDescription.Shards) {
    let { ShardIterator } = await streams.getShardIterator({ StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' });
    for (let page; ShardIterator && page?.Records.length !== 0; ShardIterator = page.NextShardIterator) {
      page = await streams.getRecords({ ShardIterator });
      records.push(...page.Records);
    }
  }
  return records.sort((a, b) => (BigInt(a.dynamodb.SequenceNumber) < BigInt(b.dynamodb.SequenceNumber) ? -1 : 1));
}

test('S19 the stream tells who changed what, from what to what: an audit', async () => {
  const streams = connectStreams(system.endpoint);
  const { Table } = await dynamodb.describeTable({ TableName: TABLE_NAME });
  assert.equal(Table.StreamSpecification.StreamViewType, 'NEW_AND_OLD_IMAGES');
  const product = await newProduct({ name: 'Auditado de prueba', stock: 3 });
  await call('updateProduct', { id: product.id, price: 1750 });
  await call('createOrder', { user_id: ids.juan, ...orderOf({ ...product, price: 1750 }, 2) });
  await docClient.delete({ TableName: TABLE_NAME, Key: { PK: `PRODUCT#${product.id}`, SK: 'METADATA' } });
  const audit = (await readStream(streams, Table.LatestStreamArn))
    .filter(({ dynamodb: { Keys } }) => Keys.PK.S === `PRODUCT#${product.id}`)
    .map(({ eventName, dynamodb: { OldImage, NewImage } }) =>
      [eventName, ...[OldImage, NewImage].map((image) => image && [Number(image.price.N), Number(image.stock.N)])]);
  assert.deepEqual(audit, [
    ['INSERT', undefined, [1500, 3]],
    ['MODIFY', [1500, 3], [1750, 3]],
    ['MODIFY', [1750, 3], [1750, 1]],
    ['REMOVE', [1750, 1], undefined],
  ]);
});

test('S19 a trigger is handed the changes', async () => {
  const folder = temporaryFolder();
  const seen = join(folder, 'seen');
  const product = await newProduct({ name: 'Disparado de prueba' });
  await call('createOrder', { user_id: ids.juan, ...orderOf(product, product.stock) });
  const args = ['trigger', TABLE_NAME, '--endpoint', system.endpoint, '--from', 'oldest', '--until-end', '--', 'sh', '-c', `cat >> ${seen}; echo >> ${seen}`];
  execFileSync(binary, args, { cwd: folder, env: account });
  const soldOut = readFileSync(seen, 'utf8').trim().split('\n').flatMap((line) => JSON.parse(line).Records)
    .filter(({ dynamodb: { Keys, NewImage } }) => Keys.PK.S === `PRODUCT#${product.id}` && NewImage.stock.N === '0');
  assert.deepEqual(soldOut.map(({ eventName, dynamodb: { OldImage } }) => [eventName, OldImage.stock.N]), [['MODIFY', '10']]);
});

test('S19 the table is replicated to a second endpoint while orders come in', { timeout: 60_000 }, async () => {
  const second = await startServer();
  const copying = spawn(
    binary, ['copy', '--from', system.endpoint, '--to', second.endpoint, TABLE_NAME, '--state', temporaryFolder(), '--settle', '0.5', '--verify'],
    { stdio: ['ignore', 'pipe', 'pipe'], env: account },
  );
  let printed = '';
  for (const output of [copying.stdout, copying.stderr]) output.on('data', (data) => (printed += data));
  const ended = once(copying, 'close');
  let stopped = false;
  const shop = async () => {
    while (!stopped) {
      const product = await newProduct({ name: 'Copiado de prueba', stock: 5 });
      await call('addToCart', { user_id: ids.juan, product_id: product.id, quantity: 1 });
      await call('createOrder', { user_id: ids.juan, ...orderOf(product) });
      await call('updateProduct', { id: product.id, is_active: false });
      if (Math.random() < 0.5) await docClient.delete({ TableName: TABLE_NAME, Key: { PK: `PRODUCT#${product.id}`, SK: 'METADATA' } });
    }
  };
  const shops = Promise.all([shop(), shop(), shop()]);
  for (let tries = 0; !printed.includes('Following the changes') && tries < 300; ++tries) await sleep(100);
  await sleep(1000);
  stopped = true;
  await shops;
  copying.kill('SIGINT');
  const [code] = await ended;
  assert.equal(code, 0, printed);
  assert.match(printed, /both have the same [\d,]+ items/);

  const replica = connectDocuments(connect(second.endpoint));
  const itemsOf = async (documents) =>
    new Map((await rawPages((input) => documents.scan(input), { TableName: TABLE_NAME, ConsistentRead: true })).flat()
      .map((item) => [`${item.PK} ${item.SK}`, item]));
  const [source, copied] = [await itemsOf(docClient), await itemsOf(replica)];
  assert.ok(source.size > 60);
  assert.deepEqual(copied, source);
  // The document's own code finds there what it finds here.
  const { Items } = await written.userByEmail({ docClient: replica, TABLE_NAME, email: 'juan@mail.com' });
  assert.equal(Items[0].PK, `USER#${ids.juan}`);
  await second.kill('SIGTERM');
});

test('the document\'s denormalised order item is welcome, and timestamps are as it says', { skip: !keepsDesigns }, async () => {
  const order_id = randomUUID();
  const Item = {
    PK: `ORDER#${order_id}`,
    SK: `ITEM#${ids.cafePremium}`,
    product_id: ids.cafePremium,
    product_name: 'Café Premium',
    product_price: 1500,
    quantity: 2,
    subtotal: 3000,
  };
  await docClient.put({ TableName: TABLE_NAME, Item });
  assert.equal((await call('wholeOrder', { order_id })).items[0].product_price, 1500);
  assert.match((await newProduct()).created_at, MILLISECONDS);
});

test('the stock never falls below zero, whoever writes', { skip: !keepsDesigns }, async () => {
  const product = await newProduct({ stock: 1 });
  const unconditional = docClient.update({
    TableName: TABLE_NAME,
    Key: { PK: `PRODUCT#${product.id}`, SK: 'METADATA' },
    UpdateExpression: 'SET stock = stock - :two',
    ExpressionAttributeValues: { ':two': 2 },
  });
  await refused(unconditional, 'ValidationException', /stock/);
  assert.equal(await stockOf(product.id), 1);
});

test('the table is provisioned and has a stream, as the document says', { skip: !keepsDesigns }, async () => {
  const { Table } = await dynamodb.describeTable({ TableName: TABLE_NAME });
  assert.equal(Table.ProvisionedThroughput.ReadCapacityUnits, 5);
  assert.equal(Table.ProvisionedThroughput.WriteCapacityUnits, 5);
  assert.deepEqual(Table.StreamSpecification, { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' });
  assert.deepEqual(sorted(pluck(Table.GlobalSecondaryIndexes, 'IndexName')), ['GSI1', 'GSI2']);
});

testOfTaula('PartiQL writes keep the design as well', async () => {
  const product = await newProduct({ name: 'Tetera de prueba' });
  const key = `PK = 'PRODUCT#${product.id}' AND SK = 'METADATA'`;
  const run = (Statement) => dynamodb.executeStatement({ Statement });
  // The name moves the product in the index that is derived from it.
  await run(`UPDATE "${TABLE_NAME}" SET name = 'Molino de prueba' WHERE ${key}`);
  const { Items } = await run(`SELECT id FROM "${TABLE_NAME}"."GSI2" WHERE GSI2PK = 'PRODUCT#molino-de-prueba'`);
  assert.deepEqual(Items, [{ id: { S: product.id } }]);
  assert.deepEqual(pluck((await call('productsByName', { prefix: 'molino' })).items, 'id'), [product.id]);

  await refused(run(`UPDATE "${TABLE_NAME}" SET price = 'dear' WHERE ${key}`), 'ValidationException', /price/);
  await refused(run(`UPDATE "${TABLE_NAME}" REMOVE price WHERE ${key}`), 'ValidationException', /price/);
  const other = (await call('signup', { name: 'Pía', email: 'pia@mail.com', password: 'un-cortado-mas' })).item;
  const steal = `UPDATE "${TABLE_NAME}" SET email = 'juan@mail.com' WHERE PK = 'USER#${other.id}' AND SK = 'METADATA'`;
  const taken = /Not unique: another item has email 'juan@mail\.com'/;
  await refused(run(steal), 'ConditionalCheckFailedException', taken);
  await refused(
    run(`INSERT INTO "${TABLE_NAME}" VALUE {'PK': 'USER#${randomUUID()}', 'SK': 'METADATA', 'name': 'Eva',
      'email': 'juan@mail.com', 'password': '${HASH}'}`),
    'ConditionalCheckFailedException', taken,
  );
  const { Responses } = await dynamodb.batchExecuteStatement({ Statements: [{ Statement: steal }] });
  assert.equal(Responses[0].Error.Code, 'ConditionalCheckFailed');
  await refused(
    dynamodb.executeTransaction({ TransactStatements: [{ Statement: steal }] }), 'TransactionCanceledException', /ConditionalCheckFailed/,
  );
  assert.equal((await call('userByEmail', { email: 'juan@mail.com' })).item.id, ids.juan);
});
