// Tables and items through the AWS SDK for JavaScript, the same for every contestant.

import { Agent } from 'node:http';
import { DynamoDB, waitUntilTableExists, waitUntilTableNotExists } from '@aws-sdk/client-dynamodb';
import { INDEX, ORDERED_PRODUCTS, TABLES, everyItem, product } from './dataset.mjs';
import { linesOfEarlierOrders } from './orders.mjs';
import { CREDENTIALS, REGION } from './request_text.mjs';

const BATCH = 25;
const CONCURRENT_BATCHES = 8;
const TABLE_SECONDS_MAX = 30;

export function connectSdk(port) {
  return new DynamoDB({
    endpoint: `http://127.0.0.1:${port}`,
    region: REGION,
    credentials: CREDENTIALS,
    requestHandler: { httpAgent: new Agent({ keepAlive: true, maxSockets: CONCURRENT_BATCHES }) },
  });
}

const waiting = (client) => ({ client, maxWaitTime: TABLE_SECONDS_MAX, minDelay: 0.05, maxDelay: 0.2 });

export async function createTable(client, TableName) {
  const keys = (partition, sort) => [
    { AttributeName: partition, KeyType: 'HASH' },
    { AttributeName: sort, KeyType: 'RANGE' },
  ];
  await client.createTable({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: ['PK', 'SK', 'GSI1PK', 'GSI1SK'].map((AttributeName) => ({
      AttributeName,
      AttributeType: 'S',
    })),
    KeySchema: keys('PK', 'SK'),
    GlobalSecondaryIndexes: [
      { IndexName: INDEX, KeySchema: keys('GSI1PK', 'GSI1SK'), Projection: { ProjectionType: 'ALL' } },
    ],
  });
  await waitUntilTableExists(waiting(client), { TableName });
}

export async function recreateTable(client, TableName) {
  await client.deleteTable({ TableName });
  await waitUntilTableNotExists(waiting(client), { TableName });
  await createTable(client, TableName);
}

// Several batches at a time, all from one iterator.
async function writeItems(client, TableName, items) {
  const iterator = items[Symbol.iterator]();
  const take = () => {
    const batch = [];
    for (let next; batch.length < BATCH && !(next = iterator.next()).done;)
      batch.push({ PutRequest: { Item: next.value } });
    return batch;
  };
  const worker = async () => {
    for (let batch = take(); batch.length; batch = take()) {
      let RequestItems = { [TableName]: batch };
      while (Object.keys(RequestItems).length > 0) {
        ({ UnprocessedItems: RequestItems = {} } = await client.batchWriteItem({ RequestItems }));
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_BATCHES }, worker));
}

// Makes and fills all tables; returns how many items of the main table went in a second.
export async function loadDatabase(client, counts) {
  for (const TableName of Object.values(TABLES)) await createTable(client, TableName);
  const products = Array.from({ length: ORDERED_PRODUCTS }, (_, n) => product(n));
  await writeItems(client, TABLES.orders, [...products, ...linesOfEarlierOrders()]);
  const begun = performance.now();
  await writeItems(client, TABLES.main, everyItem(counts));
  const total = counts.events + counts.products + counts.notes;
  return total / ((performance.now() - begun) / 1000);
}
