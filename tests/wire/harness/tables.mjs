// Tables in one line: "pk:S sk:N" is a key schema with its attribute types.

import { setTimeout as sleep } from 'node:timers/promises';

let counter = 0;

export function uniqueName(prefix = 'table') {
  return `${prefix}-${process.pid}-${++counter}`;
}

// "pk:S sk:N" → partition then sort. "a:S b:S | c:N" puts the bar between the
// partition and the sort attributes, for keys of more than one of each.
function parseKey(text) {
  const [partition, sort] = text.includes('|')
    ? text.split('|').map((side) => side.trim().split(/\s+/).filter(Boolean))
    : [text.split(/\s+/).slice(0, 1), text.split(/\s+/).slice(1)];
  const part = (keyType) => (word) => {
    const [AttributeName, AttributeType] = word.split(':');
    return { AttributeName, AttributeType, KeyType: keyType };
  };
  return [...partition.map(part('HASH')), ...sort.map(part('RANGE'))];
}

const schema = (parts) => parts.map(({ AttributeName, KeyType }) => ({ AttributeName, KeyType }));

export function projection(wanted = 'ALL') {
  return Array.isArray(wanted)
    ? { ProjectionType: 'INCLUDE', NonKeyAttributes: wanted }
    : { ProjectionType: wanted };
}

// { key, local: { name: { key, projection } }, global: { … }, ...rest } as the
// input of CreateTable; rest is added as it is.
export function tableInput({ name, key = 'pk:S', local = {}, global = {}, ...rest }) {
  const parts = [...parseKey(key)];
  const indexes = (wanted) =>
    Object.entries(wanted).map(([IndexName, index]) => {
      const settings = typeof index === 'string' ? { key: index } : index;
      const keyParts = parseKey(settings.key);
      parts.push(...keyParts);
      return { IndexName, KeySchema: schema(keyParts), Projection: projection(settings.projection) };
    });
  const input = { TableName: name ?? uniqueName(), KeySchema: schema(parts), BillingMode: 'PAY_PER_REQUEST' };
  const locals = indexes(local);
  const globals = indexes(global);
  if (locals.length) input.LocalSecondaryIndexes = locals;
  if (globals.length) input.GlobalSecondaryIndexes = globals;
  const types = new Map(parts.map(({ AttributeName, AttributeType }) => [AttributeName, AttributeType]));
  input.AttributeDefinitions = [...types].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }));
  return { ...input, ...rest };
}

// Polls DescribeTable until `settled` likes what it sees; a table that is gone
// is seen as undefined.
export async function untilTable(dynamodb, TableName, settled, seconds = 60) {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const table = await dynamodb.describeTable({ TableName }).then(
      ({ Table }) => Table,
      (error) => {
        if (error.name !== 'ResourceNotFoundException') throw error;
      },
    );
    if (settled(table)) return table;
    if (Date.now() > deadline) throw new Error(`${TableName} does not settle: ${JSON.stringify(table)}`);
    await sleep(20);
  }
}

const active = (table) =>
  [table?.TableStatus, ...(table?.GlobalSecondaryIndexes ?? []).map((index) => index.IndexStatus)].every(
    (status) => status === 'ACTIVE',
  );

export const untilActive = (dynamodb, TableName) => untilTable(dynamodb, TableName, active);
export const untilGone = (dynamodb, TableName) => untilTable(dynamodb, TableName, (table) => table === undefined);
export const untilIndexGone = (dynamodb, TableName, name) =>
  untilTable(
    dynamodb,
    TableName,
    (table) => active(table) && !(table.GlobalSecondaryIndexes ?? []).some(({ IndexName }) => IndexName === name),
  );

export async function makeTable(dynamodb, description = {}) {
  const input = tableInput(description);
  await dynamodb.createTable(input);
  await untilActive(dynamodb, input.TableName);
  return input.TableName;
}
