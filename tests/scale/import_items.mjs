// The quick way to a table of many items: a file in a bucket, and ImportTable.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

async function writeItems(file, count, item) {
  const out = createWriteStream(file);
  for (let i = 0; i < count; ++i) {
    if (!out.write(`${JSON.stringify({ Item: item(i) })}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
}

// `buckets` is the server's folder of buckets; `item(i)` in DynamoDB's JSON.
export async function importItems(dynamodb, buckets, table, count, item) {
  const { TableName, KeySchema, AttributeDefinitions, BillingMode, GlobalSecondaryIndexes } = table;
  mkdirSync(join(buckets, TableName), { recursive: true });
  await writeItems(join(buckets, TableName, 'items.json'), count, item);
  let { ImportTableDescription: job } = await dynamodb.importTable({
    S3BucketSource: { S3Bucket: TableName },
    InputFormat: 'DYNAMODB_JSON',
    TableCreationParameters: { TableName, KeySchema, AttributeDefinitions, BillingMode, GlobalSecondaryIndexes },
  });
  while (job.ImportStatus === 'IN_PROGRESS') {
    await sleep(200);
    ({ ImportTableDescription: job } = await dynamodb.describeImport({ ImportArn: job.ImportArn }));
  }
  assert.equal(job.ImportStatus, 'COMPLETED', job.FailureMessage);
  assert.equal(job.ImportedItemCount, count);
  return TableName;
}

// Every item of a table, or of an index, in parallel segments.
export async function forEachItem(dynamodb, input, visit, segments = 8) {
  const scan = async (Segment) => {
    let ExclusiveStartKey;
    do {
      const page = await dynamodb.scan({ ...input, Segment, TotalSegments: segments, ExclusiveStartKey });
      page.Items.forEach(visit);
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey);
  };
  await Promise.all(Array.from({ length: segments }, (_, segment) => scan(segment)));
}
