// Amazon's own words for what it refuses, in their newest measured form.
// PutItem, UpdateItem and DeleteItem put an envelope around request errors;
// other operations do not, and nothing found after the table was looked up has
// one.

import { test } from 'node:test';
import { createTable, dynamodb, N, refused, S } from '../harness/index.mjs';

const TableName = await createTable({ key: 'pk:S sk:N', global: { byTeam: { key: 'team:S', projection: 'KEYS_ONLY' } } });
const Key = { pk: S('a'), sk: N(1) };
const ENVELOPE = '1 validation error detected: ';
const invalid = 'One or more parameter values were invalid: ';
const put = (more, item = {}) => dynamodb.putItem({ TableName, Item: { ...Key, ...item }, ...more });
const update = (UpdateExpression, values, more) =>
  dynamodb.updateItem({ TableName, Key, UpdateExpression, ExpressionAttributeValues: values, ...more });
const query = (KeyConditionExpression, values, more) =>
  dynamodb.query({ TableName, KeyConditionExpression, ExpressionAttributeValues: values, ...more });

const words = [
  // Tables and keys.
  ['GetItem of no table', () => dynamodb.getItem({ TableName: 'nowhere', Key }), 'ResourceNotFoundException', 'Requested resource not found'],
  ['a key too short', () => dynamodb.getItem({ TableName, Key: { pk: S('a') } }), 'ValidationException', 'The provided key element does not match the schema'],
  ['PutItem without its sort key', () => dynamodb.putItem({ TableName, Item: { pk: S('a') } }), 'ValidationException', `${invalid}Missing the key sk in the item`],
  ['PutItem with a key of the wrong type', () => dynamodb.putItem({ TableName, Item: { pk: S('a'), sk: S('1') } }), 'ValidationException', `${invalid}Type mismatch for key sk expected: N actual: S`],
  ['an empty key', () => dynamodb.getItem({ TableName, Key: { pk: S(''), sk: N(1) } }), 'ValidationException',
    'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk'],
  ['a long partition key', () => dynamodb.getItem({ TableName, Key: { pk: S('x'.repeat(2049)), sk: N(1) } }), 'ValidationException',
    `${invalid}Size of hashkey has exceeded the maximum size limit of2048 bytes`],
  ['an index key of the wrong type', () => put({}, { team: N(1) }), 'ValidationException',
    `${invalid}Type mismatch for Index Key team Expected: S Actual: N IndexName: byTeam`],
  ['an empty index key', () => put({}, { team: S('') }), 'ValidationException',
    'One or more parameter values are not valid. A value specified for a secondary index key is not supported. ' +
      'The AttributeValue for a key attribute cannot contain an empty string value. IndexName: byTeam, IndexKey: team'],
  ['an update of a key', () => update('SET sk = :v', { ':v': N(2) }), 'ValidationException', `${invalid}Cannot update attribute sk. This attribute is part of the key`],

  // Values.
  ['an item too large', () => put({}, { body: S('x'.repeat(410_000)) }), 'ValidationException', 'Item size has exceeded the maximum allowed size'],
  ['a value without a type', () => put({}, { v: {} }), 'ValidationException', 'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes'],
  ['a value with two types', () => put({}, { v: { S: 'a', N: '1' } }), 'ValidationException',
    'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes'],
  ['an empty string set', () => put({}, { v: { SS: [] } }), 'ValidationException', `${ENVELOPE}${invalid}An string set  may not be empty`],
  ['a repeated string', () => put({}, { v: { SS: ['b', 'a', 'b'] } }), 'ValidationException', `${ENVELOPE}${invalid}Input collection ["a", "b", "b"] contains duplicates.`],
  ['NULL false', () => put({}, { v: { NULL: false } }), 'ValidationException', `${ENVELOPE}${invalid}Null attribute value types must have the value of true`],
  ['no number', () => put({}, { v: N('abc') }), 'ValidationException', `${ENVELOPE}The parameter cannot be converted to a numeric value: abc`],
  ['no number in a key to get', () => dynamodb.getItem({ TableName, Key: { pk: S('a'), sk: N('abc') } }), 'ValidationException', 'The parameter cannot be converted to a numeric value: abc'],
  ['39 digits', () => put({}, { v: N('1'.repeat(39)) }), 'ValidationException', `${ENVELOPE}Attempting to store more than 38 significant digits in a Number`],
  ['a number too large', () => put({}, { v: N('1E126') }), 'ValidationException', `${ENVELOPE}Number overflow. Attempting to store a number with magnitude larger than supported range`],
  ['a number too small', () => put({}, { v: N('1E-131') }), 'ValidationException', `${ENVELOPE}Number underflow. Attempting to store a number with magnitude smaller than supported range`],

  // Parameters.
  ['unknown ReturnConsumedCapacity', () => put({ ReturnConsumedCapacity: 'X' }), 'ValidationException',
    `${ENVELOPE}Value 'X' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]`],
  ['ReturnValues that PutItem has not', () => put({ ReturnValues: 'ALL_NEW' }), 'ValidationException', `${ENVELOPE}ReturnValues can only be ALL_OLD or NONE`],
  ['a limit of zero', () => query('pk = :p', { ':p': S('a') }, { Limit: 0 }), 'ValidationException',
    `${ENVELOPE}Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1`],
  ['both languages', () => put({ ConditionExpression: 'attribute_exists(a)', Expected: { a: { Exists: false } } }), 'ValidationException',
    `${ENVELOPE}Can not use both expression and non-expression parameters in the same request: ` +
      'Non-expression parameters: {Expected} Expression parameters: {ConditionExpression}'],
  ['values without an expression', () => put({ ExpressionAttributeValues: { ':v': N(1) } }), 'ValidationException', `${ENVELOPE}ExpressionAttributeValues can only be specified when using expressions`],
  ['an empty map of values', () => put({ ConditionExpression: 'attribute_exists(a)', ExpressionAttributeValues: {} }), 'ValidationException', `${ENVELOPE}ExpressionAttributeValues must not be empty`],

  // Expressions.
  ['an empty expression', () => put({ ConditionExpression: '' }), 'ValidationException', `${ENVELOPE}Invalid ConditionExpression: The expression can not be empty;`],
  ['a syntax error', () => put({ ConditionExpression: 'a = = b' }), 'ValidationException', `${ENVELOPE}Invalid ConditionExpression: Syntax error; token: "=", near: "= = b"`],
  ['the end too early', () => put({ ConditionExpression: 'attribute_not_exists(' }), 'ValidationException', `${ENVELOPE}Invalid ConditionExpression: Syntax error; token: "<EOF>", near: "("`],
  ['a reserved word', () => update('SET name = :v', { ':v': N(1) }), 'ValidationException', `${ENVELOPE}Invalid UpdateExpression: Attribute name is a reserved keyword; reserved keyword: name`],
  ['an undefined name', () => update('SET #n = :v', { ':v': N(1) }), 'ValidationException',
    `${ENVELOPE}Invalid UpdateExpression: An expression attribute name used in the document path is not defined; attribute name: #n`],
  ['an undefined value', () => put({ ConditionExpression: 'a = :v' }), 'ValidationException',
    `${ENVELOPE}Invalid ConditionExpression: An expression attribute value used in expression is not defined; attribute value: :v`],
  ['an unused value', () => put({ ConditionExpression: 'attribute_exists(a)', ExpressionAttributeValues: { ':v': N(1) } }), 'ValidationException',
    `${ENVELOPE}Value provided in ExpressionAttributeValues unused in expressions: keys: {:v}`],
  ['an unknown function', () => put({ ConditionExpression: 'foo(a)' }), 'ValidationException', `${ENVELOPE}Invalid ConditionExpression: Invalid function name; function: foo`],
  ['paths that overlap', () => update('SET a.b = :v, a = :v', { ':v': N(1) }), 'ValidationException',
    `${ENVELOPE}Invalid UpdateExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a, b], path two: [a]`],
  ['a section twice', () => update('SET a = :v SET b = :v', { ':v': N(1) }), 'ValidationException',
    `${ENVELOPE}Invalid UpdateExpression: The "SET" section can only be used once in an update expression;`],
  ['redundant parentheses in a filter', () => dynamodb.scan({ TableName, FilterExpression: '((a = :v))', ExpressionAttributeValues: { ':v': N(1) } }), 'ValidationException',
    'Invalid FilterExpression: The expression has redundant parentheses;'],
  ['overlap in a projection', () => dynamodb.getItem({ TableName, Key, ProjectionExpression: 'a, a.b' }), 'ValidationException',
    'Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a, b]'],
  ['an operand that is not there', () => update('SET a = b', undefined), 'ValidationException', 'The provided expression refers to an attribute that does not exist in the item'],
  ['a path that cannot be', () => update('SET a.b = :v', { ':v': N(1) }), 'ValidationException', 'The document path provided in the update expression is invalid for update'],

  // Queries.
  ['no condition', () => dynamodb.query({ TableName }), 'ValidationException', 'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.'],
  ['no partition key', () => query('sk = :v', { ':v': N(1) }), 'ValidationException', 'Query condition missed key schema element: pk'],
  ['a range of partitions', () => query('pk > :v', { ':v': S('a') }), 'ValidationException', 'Query key condition not supported'],
  ['the wrong type', () => query('pk = :v', { ':v': N(1) }), 'ValidationException', `${invalid}Condition parameter type does not match schema type`],
  ['a filter on the key', () => query('pk = :v', { ':v': S('a'), ':n': N(1) }, { FilterExpression: 'sk = :n' }), 'ValidationException',
    'Filter Expression can only contain non-primary key attributes: Primary key attribute: sk'],
  ['an unknown index', () => query('pk = :v', { ':v': S('a') }, { IndexName: 'nowhere' }), 'ValidationException', 'The table does not have the specified index: nowhere'],
  ['a consistent read of a global index', () => query('team = :v', { ':v': S('a') }, { IndexName: 'byTeam', ConsistentRead: true }), 'ValidationException',
    'Consistent reads are not supported on global secondary indexes'],
  ['a segment without a total', () => dynamodb.scan({ TableName, Segment: 0 }), 'ValidationException',
    'The TotalSegments parameter is required but was not present in the request when Segment parameter is present'],
  ['a segment too high', () => dynamodb.scan({ TableName, Segment: 2, TotalSegments: 2 }), 'ValidationException',
    'The Segment parameter is zero-based and must be less than parameter TotalSegments'],

  // Batches and transactions.
  ['a key twice in a batch', () => dynamodb.batchGetItem({ RequestItems: { [TableName]: { Keys: [Key, Key] } } }), 'ValidationException', 'Provided list of item keys contains duplicates'],
  ['an item twice in a transaction', () => dynamodb.transactGetItems({ TransactItems: [{ Get: { TableName, Key } }, { Get: { TableName, Key } }] }), 'ValidationException',
    'Transaction request cannot include multiple operations on one item'],
];
for (const [what, call, exception, message] of words) {
  test(what, () => refused(call(), exception, message));
}
