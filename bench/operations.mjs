// The operations that are measured: the requests of each, and a check that a contestant really does what it is asked.

import assert from 'node:assert/strict';
import {
  EVENTS_PER_BATCH,
  INDEX,
  TABLES,
  event,
  eventKey,
  note,
  noteKey,
  ORDERED_PRODUCTS,
  productKey,
  randomSequence,
} from './dataset.mjs';
import { orderKey, orderLine, orderLineKey } from './orders.mjs';
import { PREVIOUS, SEQUENCE } from './request_text.mjs';

const REQUESTS = 4000;
export const QUERY_LIMIT = 20;
const BATCH_GET = 10;
const BATCH_WRITE = 25;
export const SCAN_SEGMENTS = 4;
const SCAN_LIMIT = 100;

const many = (make) => {
  const random = randomSequence(7);
  return Array.from({ length: REQUESTS }, (_, i) => make(random, i));
};

const getItem = async (send, TableName, Key) => (await send('GetItem', { TableName, Key, ConsistentRead: true })).Item;
const stockOf = async (send, TableName, Key) => BigInt((await getItem(send, TableName, Key)).stock.N);

// The number in a key's text, "EVENT#0000000042" or "BATCH#...".
const numberIn = ({ S }) => Number(S.slice(S.indexOf('#') + 1));

const getOperation = {
  id: 'get',
  name: 'GetItem',
  operation: 'GetItem',
  limit: true,
  requests: ({ events }) => many((random) => ({ TableName: TABLES.main, Key: eventKey(random(events)) })),
  async check(send, request) {
    const { Item } = await send('GetItem', request);
    const n = numberIn(request.Key.PK) * EVENTS_PER_BATCH + numberIn(request.Key.SK);
    assert.deepEqual(Item, event(n));
  },
};

const indexQuery = {
  id: 'index-query',
  name: 'Query of a GSI, 1 item',
  operation: 'Query',
  requests: ({ events }) =>
    many((random) => ({
      TableName: TABLES.main,
      IndexName: INDEX,
      KeyConditionExpression: 'GSI1PK = :pk',
      ExpressionAttributeValues: { ':pk': event(random(events)).GSI1PK },
    })),
  async check(send, request) {
    const { Items } = await send('Query', request);
    assert.deepEqual(Items, [event(numberIn(request.ExpressionAttributeValues[':pk']))]);
  },
};

export const newestEvents = (pk) => ({
  TableName: TABLES.main,
  KeyConditionExpression: 'PK = :pk AND begins_with(SK, :events)',
  ExpressionAttributeValues: { ':pk': pk, ':events': { S: 'EVENT#' } },
  ScanIndexForward: false,
  Limit: QUERY_LIMIT,
});

const query = {
  id: 'query',
  name: 'Query, 20 items newest first',
  operation: 'Query',
  limit: true,
  requests: ({ events }) => many((random) => newestEvents(eventKey(random(events)).PK)),
  async check(send, request) {
    const { Items } = await send('Query', request);
    const end = (numberIn(request.ExpressionAttributeValues[':pk']) + 1) * EVENTS_PER_BATCH;
    assert.deepEqual(
      Items,
      Array.from({ length: QUERY_LIMIT }, (_, i) => event(end - 1 - i)),
    );
  },
};

const batchGet = {
  id: 'batch-get',
  name: 'BatchGetItem of 10',
  operation: 'BatchGetItem',
  requests: ({ events }) =>
    many((random) => {
      const first = random(events);
      const stride = Math.floor(events / BATCH_GET);
      const Keys = Array.from({ length: BATCH_GET }, (_, i) => eventKey((first + i * stride) % events));
      return { RequestItems: { [TABLES.main]: { Keys } } };
    }),
  async check(send, request) {
    const { Responses } = await send('BatchGetItem', request);
    const names = ({ PK, SK }) => `${PK.S} ${SK.S}`;
    assert.deepEqual(
      Responses[TABLES.main].map(names).sort(),
      request.RequestItems[TABLES.main].Keys.map(names).sort(),
    );
    for (const item of Responses[TABLES.main]) assert.ok(item.notes.S.length > 0);
  },
};

const takeFromStock = (TableName, Key) => ({
  TableName,
  Key,
  UpdateExpression: 'SET stock = stock - :q',
  ConditionExpression: 'stock >= :q',
  ExpressionAttributeValues: { ':q': { N: '1' } },
});

const update = {
  id: 'update',
  name: 'UpdateItem, conditional',
  operation: 'UpdateItem',
  requests: ({ products }) => many((random) => takeFromStock(TABLES.main, productKey(random(products)))),
  async check(send, request) {
    const before = await stockOf(send, TABLES.main, request.Key);
    await send('UpdateItem', request);
    assert.equal(await stockOf(send, TABLES.main, request.Key), before - 1n);
  },
};

// Each note is put again and again, every time with another index key, so that each put also takes one index entry
// away and makes another.
const put = {
  id: 'put',
  name: 'PutItem with a GSI',
  operation: 'PutItem',
  requests: ({ notes }) =>
    many((_, i) => ({
      TableName: TABLES.main,
      Item: note(i % notes, 1 + Math.floor(i / notes) * notes + (i % notes)),
    })),
  async check(send, request) {
    await send('PutItem', request);
    assert.deepEqual(await getItem(send, TABLES.main, noteKey(numberIn(request.Item.PK))), request.Item);
    const { Items } = await send('Query', {
      TableName: TABLES.main,
      IndexName: INDEX,
      KeyConditionExpression: 'GSI1PK = :pk AND GSI1SK = :sk',
      ExpressionAttributeValues: { ':pk': request.Item.GSI1PK, ':sk': request.Item.GSI1SK },
    });
    assert.deepEqual(Items, [request.Item]);
  },
};

// An online store's order: the order, its entry in the user's list (which has an index key), a line of the order, the
// removal of what was in the cart, and the product's stock, which must suffice. Every order has a number of its own,
// and products take turns, more of them than orders are ever under way, so that no two orders conflict. A cart would
// have to be filled for each order; instead, the delete takes away the line of an order that was made 4096 orders
// before (orders.mjs), so that it has as much to do as in a store.
const transactWrite = {
  id: 'transact-write',
  name: 'TransactWriteItems of 5',
  operation: 'TransactWriteItems',
  tables: ['orders'],
  requests: () =>
    many((_, i) => {
      const TableName = TABLES.orders;
      const order = orderKey(SEQUENCE);
      const money = { total: { N: '35.5' }, status: { S: 'pending' } };
      return {
        TransactItems: [
          {
            Put: {
              TableName,
              Item: {
                PK: order,
                SK: { S: 'METADATA' },
                user: { S: `USER#${i}` },
                createdAt: { S: '2026-01-01T00:00:00Z' },
                ...money,
              },
            },
          },
          {
            Put: {
              TableName,
              Item: { PK: { S: `USER#${i}` }, SK: order, GSI1PK: order, GSI1SK: { S: 'METADATA' }, ...money },
            },
          },
          { Put: { TableName, Item: orderLine(SEQUENCE) } },
          { Delete: { TableName, Key: orderLineKey(PREVIOUS) } },
          { Update: takeFromStock(TableName, productKey(i % ORDERED_PRODUCTS)) },
        ],
      };
    }),
  async check(send, request) {
    const [order, listed, line, , { Update }] = request.TransactItems;
    const before = await stockOf(send, TABLES.orders, Update.Key);
    await send('TransactWriteItems', request);
    for (const { Put } of [order, listed, line]) {
      const { PK, SK } = Put.Item;
      assert.deepEqual(await getItem(send, TABLES.orders, { PK, SK }), Put.Item);
    }
    assert.equal(await stockOf(send, TABLES.orders, Update.Key), before - 1n);
  },
};

// Four readers, each of its own segment, page after page. Where a page starts is for each contestant to say, so its
// requests are collected by scanning it once. The check is that the segments held every item once.
const scan = {
  id: 'scan',
  name: 'Scan, 4 segments, pages of 100',
  operation: 'Scan',
  async collectRequests(send, { events, products, notes }) {
    const readers = [];
    const seen = new Set();
    for (let Segment = 0; Segment < SCAN_SEGMENTS; Segment++) {
      const pages = [];
      let ExclusiveStartKey;
      do {
        const page = {
          TableName: TABLES.main,
          Segment,
          TotalSegments: SCAN_SEGMENTS,
          Limit: SCAN_LIMIT,
          ExclusiveStartKey,
        };
        const { Items, LastEvaluatedKey } = await send('Scan', page);
        for (const { PK, SK } of Items) seen.add(`${PK.S} ${SK.S}`);
        pages.push(page);
        ExclusiveStartKey = LastEvaluatedKey;
      } while (ExclusiveStartKey && pages.length < REQUESTS);
      if (pages.length > 1) pages.pop(); // the last page of a segment is short, often empty
      readers.push(pages);
    }
    assert.equal(seen.size, events + products + notes, 'items seen by the scan of all segments');
    const longest = Math.max(...readers.map((pages) => pages.length));
    const rounds = Array.from({ length: longest }, (_, i) => readers.map((pages) => pages[i % pages.length]));
    return rounds.flat();
  },
  async check(send, request) {
    const { Items, Count } = await send('Scan', request);
    assert.equal(Items.length, Count);
    assert.ok(Count > 0 && Count <= SCAN_LIMIT, `a page of ${Count}`);
  },
};

// New items all the time, into a table that is made anew before each round.
const bulk = {
  id: 'bulk',
  name: 'BatchWriteItem of 25, new items',
  operation: 'BatchWriteItem',
  tables: ['bulk'],
  fresh: true,
  requests: () =>
    Array.from({ length: 40 }, (_, i) => ({
      RequestItems: {
        [TABLES.bulk]: Array.from({ length: BATCH_WRITE }, (_, j) => {
          const key = { PK: { S: `BATCH#${SEQUENCE}` }, SK: { S: `EVENT#${j}` } };
          return { PutRequest: { Item: event(i * BATCH_WRITE + j, key) } };
        }),
      },
    })),
  async check(send, request) {
    const { UnprocessedItems = {} } = await send('BatchWriteItem', request);
    assert.deepEqual(UnprocessedItems, {});
    for (const { PutRequest } of request.RequestItems[TABLES.bulk]) {
      const { PK, SK } = PutRequest.Item;
      assert.deepEqual(await getItem(send, TABLES.bulk, { PK, SK }), PutRequest.Item);
    }
  },
};

// What leaves a contestant busy for a while, or with more to hold, comes last.
export const OPERATIONS = [getOperation, indexQuery, query, batchGet, scan, update, put, transactWrite, bulk];
