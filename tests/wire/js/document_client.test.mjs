// The SDK's document client, with plain JavaScript values.

import assert from 'node:assert/strict';
import { paginateQuery, paginateScan } from '@aws-sdk/lib-dynamodb';
import { waitUntilTableExists, waitUntilTableNotExists } from '@aws-sdk/client-dynamodb';
import { before, test } from 'node:test';
import { createTable, documents, dynamodb, tableInput } from '../harness/index.mjs';

const TableName = await createTable({ key: 'pk:S sk:N', global: { byTeam: 'team:S sk:N' } });
before(() =>
  documents.batchWrite({
    RequestItems: {
      [TableName]: Array.from({ length: 25 }, (_, sk) => ({ PutRequest: { Item: { pk: 'many', sk, team: 'reds' } } })),
    },
  }),
);

test('plain values go in and come out', async () => {
  const Item = {
    pk: 'plain',
    sk: 1,
    text: 'x',
    number: -1.5,
    yes: true,
    nothing: null,
    list: [1, 'two', [3], { four: 4 }],
    map: { nested: { deep: [] } },
    strings: new Set(['a', 'b']),
    numbers: new Set([1, 2]),
    bytes: Uint8Array.of(1, 2, 3),
  };
  await documents.put({ TableName, Item });
  const found = (await documents.get({ TableName, Key: { pk: 'plain', sk: 1 } })).Item;
  found.bytes = Uint8Array.from(found.bytes);
  assert.deepEqual(found, Item);
});

test('update, condition and delete', async () => {
  const Key = { pk: 'counter', sk: 0 };
  for (const expected of [1, 2, 3]) {
    const { Attributes } = await documents.update({
      TableName,
      Key,
      UpdateExpression: 'SET hits = if_not_exists(hits, :zero) + :one',
      ExpressionAttributeValues: { ':zero': 0, ':one': 1 },
      ReturnValues: 'ALL_NEW',
    });
    assert.equal(Attributes.hits, expected);
  }
  const { Attributes } = await documents.delete({ TableName, Key, ReturnValues: 'ALL_OLD' });
  assert.deepEqual(Attributes, { ...Key, hits: 3 });
});

test('paginators walk a query and a scan', async () => {
  const collect = async (pages) => {
    const items = [];
    for await (const { Items } of pages) items.push(...Items);
    return items;
  };
  const client = { client: documents, pageSize: 4 };
  const queried = await collect(
    paginateQuery(client, {
      TableName,
      IndexName: 'byTeam',
      KeyConditionExpression: 'team = :t',
      ExpressionAttributeValues: { ':t': 'reds' },
    }),
  );
  assert.deepEqual(queried.map(({ sk }) => sk), Array.from({ length: 25 }, (_, i) => i));
  const scanned = await collect(paginateScan(client, { TableName, FilterExpression: 'pk = :p', ExpressionAttributeValues: { ':p': 'many' } }));
  assert.equal(scanned.length, 25);
});

test('batch get and transactions', async () => {
  await documents.transactWrite({
    TransactItems: [
      { Put: { TableName, Item: { pk: 't', sk: 1, v: 'a' } } },
      { Update: { TableName, Key: { pk: 't', sk: 2 }, UpdateExpression: 'SET v = :v', ExpressionAttributeValues: { ':v': 'b' } } },
    ],
  });
  const keys = [1, 2].map((sk) => ({ pk: 't', sk }));
  const { Responses } = await documents.batchGet({ RequestItems: { [TableName]: { Keys: keys } } });
  assert.deepEqual(Responses[TableName].map(({ v }) => v).sort(), ['a', 'b']);
  const together = await documents.transactGet({ TransactItems: keys.map((Key) => ({ Get: { TableName, Key } })) });
  assert.deepEqual(together.Responses.map(({ Item }) => Item.v), ['a', 'b']);
});

test('waiters see a table come and go', async () => {
  const input = tableInput({ key: 'pk:S' });
  const options = { client: dynamodb, maxWaitTime: 30, minDelay: 1, maxDelay: 1 };
  await dynamodb.createTable(input);
  assert.equal((await waitUntilTableExists(options, { TableName: input.TableName })).state, 'SUCCESS');
  await dynamodb.deleteTable({ TableName: input.TableName });
  assert.equal((await waitUntilTableNotExists(options, { TableName: input.TableName })).state, 'SUCCESS');
});
