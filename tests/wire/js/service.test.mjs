// DescribeLimits and DescribeEndpoints.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dynamodb } from '../harness/index.mjs';

test('DescribeLimits', async () => {
  const { $metadata, ...limits } = await dynamodb.describeLimits({});
  assert.equal($metadata.httpStatusCode, 200);
  assert.deepEqual(limits, {
    AccountMaxReadCapacityUnits: 80000,
    AccountMaxWriteCapacityUnits: 80000,
    TableMaxReadCapacityUnits: 40000,
    TableMaxWriteCapacityUnits: 40000,
  });
});

test('DescribeEndpoints', async () => {
  const { Endpoints } = await dynamodb.describeEndpoints({});
  assert.equal(Endpoints.length, 1);
  assert.equal(Endpoints[0].CachePeriodInMinutes, 1440);
  assert.match(Endpoints[0].Address, /^[^/]+$/);
});
