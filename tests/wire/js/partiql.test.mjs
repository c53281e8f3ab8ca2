// ExecuteStatement: PartiQL on one table and its indexes. What is expected here
// was measured on Amazon's service.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { join } from 'node:path';
import { connect, createTable, dynamodb, N, putAll, refused, S, sameValue } from '../harness/index.mjs';
import { startServer, temporaryFolder } from '../harness/server.mjs';
import { makeTable } from '../harness/tables.mjs';

const hash = await createTable({ key: 'pk:S' });
const comp = await createTable({
  key: 'pk:S sk:S',
  local: { 'lsi-keys': { key: 'pk:S l:S', projection: 'KEYS_ONLY' } },
  global: {
    'gsi-all': 'g:S',
    'gsi-inc': { key: 'h:S', projection: ['proj'] },
    multi: 'm1:S m2:S | r1:S',
  },
});
const numbers = await createTable({ key: 'pk:N' });

const run = (Statement, Parameters, more) => dynamodb.executeStatement({ Statement, Parameters, ...more });
const get = async (pk) => (await dynamodb.getItem({ TableName: hash, Key: { pk: S(pk) }, ConsistentRead: true })).Item;
const put = (pk, item = {}) => dynamodb.putItem({ TableName: hash, Item: { pk: S(pk), ...item } });
const invalid = (Statement, message, Parameters, more) =>
  refused(run(Statement, Parameters, more), 'ValidationException', message);
const NOT_WELL_FORMED = "Statement wasn't well formed, can't be processed: ";

describe('INSERT', () => {
  test('puts an item of every kind of value, once', async () => {
    const statement = `INSERT INTO "${hash}" VALUE {'pk': 'ins', 'n': 1.5e3, 's': 'it''s', 'b': true, 'z': NULL,
      'l': [1, 'x'], 'm': {'k': {'j': 2}}, 'ss': <<'a', 'b'>>, 'ns': <<1, 2>>, 'p': ?}`;
    sameValue((await run(statement, [S('given')])).Items, []);
    sameValue(await get('ins'), {
      pk: S('ins'), n: N(1500), s: S("it's"), b: { BOOL: true }, z: { NULL: true }, l: { L: [N(1), S('x')] },
      m: { M: { k: { M: { j: N(2) } } } }, ss: { SS: ['a', 'b'] }, ns: { NS: ['1', '2'] }, p: S('given'),
    });
    await refused(run(statement, [S('again')]), 'DuplicateItemException', 'Duplicate primary key exists in table');
    sameValue((await get('ins')).p, S('given'));
  });

  test('wants the key in its item', async () => {
    await invalid(`INSERT INTO "${comp}" VALUE {'pk': 'x'}`, 'Key attribute should be present in the item: Key sk');
    await invalid(
      `INSERT INTO "${hash}" VALUE {'pk': 1}`,
      "Key attribute's data type should match its data type in table's schema: Key pk",
    );
  });
});

describe('SELECT', () => {
  before(async () => {
    const item = (pk, sk, more) => ({ pk: S(pk), sk: S(sk), ...more });
    await putAll(comp, [
      item('a', '1', { n: N(1), l: S('x'), g: S('g1'), h: S('h1'), proj: S('p1'), other: S('o1') }),
      item('a', '2', { n: N(2), l: S('w'), g: S('g1'), m: { M: { k: { L: [S('deep')] } } } }),
      item('a', '3', { n: N(3), h: S('h2'), proj: S('p3'), other: S('o3') }),
      item('b', '1', { n: N(4), g: S('g2') }),
      item('c', '1', { n: N(5) }),
    ]);
  });
  const rows = ({ Items }) => Items.map(({ pk, sk }) => `${pk.S}${sk.S}`);
  const select = async (where, more) => rows(await run(`SELECT pk, sk FROM "${comp}" WHERE ${where}`, undefined, more));

  test('by partition, by key, by ranges of it, and by everything else', async () => {
    assert.deepEqual(await select(`pk = 'a'`), ['a1', 'a2', 'a3']);
    assert.deepEqual(await select(`pk = 'a' AND sk = '2'`), ['a2']);
    assert.deepEqual(await select(`'2' < sk AND pk = 'a'`), ['a3']);
    assert.deepEqual(await select(`pk = 'a' AND sk BETWEEN '1' AND '2' AND n > 1`), ['a2']);
    assert.deepEqual(await select(`pk = 'a' AND begins_with("sk", '3')`), ['a3']);
    assert.deepEqual(await select(`pk = 'a' AND (sk = '1' OR sk = '3')`), ['a1', 'a3']);
    assert.deepEqual(await select(`pk = 'a' AND sk IN ['3', '1']`), ['a1', 'a3']);
    assert.deepEqual(await select(`pk IN ['b', 'a'] AND sk = '1'`), ['a1', 'b1']);
    assert.deepEqual((await select(`n >= 4`)).sort(), ['b1', 'c1']);
    assert.deepEqual(await select(`m.k[0] = 'deep'`), ['a2']);
    assert.deepEqual(await select(`pk = 'nowhere'`), []);
  });

  test('sort keys that are negated are filtered by', async () => {
    assert.deepEqual(await select(`pk = 'a' AND NOT sk = '1'`), ['a2', 'a3']);
    assert.deepEqual(await select(`pk = 'a' AND sk <> '1' OR pk = 'a' AND sk = '2'`), ['a2', 'a3']);
    assert.deepEqual(await select(`pk = 'a' OR pk = 'a' AND NOT sk = '1'`), ['a1', 'a2', 'a3']);
  });

  test('branches that overlap are refused', async () => {
    for (const where of [
      `pk IN ['a', 'a']`, `pk = 'a' OR pk = 'a'`, `pk = 'a' AND (sk > '0' OR sk < '5')`,
      `pk = 'a' AND (sk = '1' OR n = 2)`, `pk = 'a' AND n = 1 OR pk = 'a' AND sk = '2'`,
    ]) {
      await invalid(
        `SELECT * FROM "${comp}" WHERE ${where}`,
        'Overlapping conditions with range keys are not supported in where clause',
      );
    }
    const many = Array.from({ length: 51 }, (_, i) => `'v${i}'`).join();
    await invalid(`SELECT * FROM "${comp}" WHERE pk IN [${many}]`, 'Too many decomposed read operations for a given query.');
    sameValue((await run(`SELECT * FROM "${comp}" WHERE pk IN [${many}] OR n = 100`)).Items, []);
  });

  test('keys have the types of the table', async () => {
    const mismatch = "Key attribute's data type should match its data type in table's schema: Key ";
    await invalid(`SELECT * FROM "${comp}" WHERE pk = 1`, `${mismatch}pk`);
    await invalid(`SELECT * FROM "${comp}" WHERE pk = 'a' AND sk IN ['1', 2]`, `${mismatch}sk`);
    sameValue((await run(`SELECT * FROM "${comp}" WHERE pk > 1`)).Items, []);
  });

  test('columns are named by their last step', async () => {
    const { Items } = await run(`SELECT n, m.k, m.k[0] FROM "${comp}" WHERE pk = 'a' AND sk = '2'`);
    sameValue(Items, [{ n: N(2), k: { L: [S('deep')] }, 'k[0]': S('deep') }]);
    sameValue((await run(`SELECT nope FROM "${comp}" WHERE pk = 'a' AND sk = '2'`)).Items, [{}]);
  });

  test('orders by the key', async () => {
    assert.deepEqual(await select(`pk = 'a' ORDER BY sk DESC`), ['a3', 'a2', 'a1']);
    assert.deepEqual(await select(`pk = 'a' ORDER BY sk`), ['a1', 'a2', 'a3']);
    assert.deepEqual(await select(`pk = 'a' ORDER BY pk ASC`), ['a3', 'a2', 'a1']);
    assert.deepEqual(await select(`pk IN ['a', 'b'] ORDER BY pk DESC, sk ASC`), ['b1', 'a1', 'a2', 'a3']);
    const refusals = {
      "pk = 'a' ORDER BY n": 'Attribute n in ORDER BY clause must be part of the primary key',
      "pk > 'a' ORDER BY sk":
        'Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.',
      "pk IN ['a', 'b'] ORDER BY sk":
        'Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE clause.',
    };
    for (const [where, message] of Object.entries(refusals)) {
      await invalid(`SELECT * FROM "${comp}" WHERE ${where}`, message);
    }
  });

  test('pages with NextToken, which belongs to its statement', async () => {
    const pages = async (where, Limit) => {
      const seen = [];
      let NextToken;
      do {
        const page = await run(`SELECT pk, sk FROM "${comp}" WHERE ${where}`, undefined, { Limit, NextToken });
        assert.ok(page.Items.length <= Limit);
        seen.push(...rows(page));
        ({ NextToken } = page);
      } while (NextToken);
      return seen;
    };
    assert.deepEqual(await pages(`pk = 'a'`, 2), ['a1', 'a2', 'a3']);
    assert.deepEqual(await pages(`pk IN ['a', 'b', 'c'] ORDER BY pk DESC`, 2), ['c1', 'b1', 'a3', 'a2', 'a1']);
    assert.deepEqual((await pages(`n > 1`, 1)).sort(), ['a2', 'a3', 'b1', 'c1']);

    const { NextToken, LastEvaluatedKey } = await run(`SELECT * FROM "${comp}" WHERE pk = ?`, [S('a')], { Limit: 1 });
    sameValue(LastEvaluatedKey, { pk: S('a'), sk: S('1') });
    const next = (statement, parameters, token = NextToken) => run(statement, parameters, { NextToken: token });
    assert.deepEqual(rows(await next(`SELECT * FROM "${comp}" WHERE pk = ?`, [S('a')])), ['a2', 'a3']);
    const mismatch = ['ValidationException', 'NextToken does not match request'];
    await refused(next(`SELECT * FROM "${comp}" WHERE pk = ?`, [S('b')]), ...mismatch);
    await refused(next(`SELECT sk FROM "${comp}" WHERE pk = ?`, [S('a')]), ...mismatch);
    await refused(next(`SELECT * FROM "${comp}" WHERE pk = ?`, [S('a')], 'nonsense'), 'ValidationException', 'Invalid NextToken');
  });

  test('several partitions come in pages of ten', async () => {
    await putAll(comp, Array.from({ length: 15 }, (_, i) => ({ pk: S('many'), sk: S(String(i).padStart(2, '0')) })));
    const statement = `SELECT * FROM "${comp}" WHERE pk IN ['many', 'none']`;
    const first = await run(statement);
    assert.equal(first.Items.length, 10);
    const second = await run(statement, undefined, { NextToken: first.NextToken });
    assert.equal(second.Items.length, 5);
    assert.equal(second.NextToken, undefined);

    const filtered = `SELECT sk FROM "${comp}" WHERE pk IN ['many', 'none'] AND sk <> '00' AND sk <> '12'`;
    const seen = [];
    let NextToken;
    do {
      const page = await run(filtered, undefined, { NextToken });
      assert.ok(page.Items.length <= 10);
      seen.push(...page.Items.map(({ sk }) => Number(sk.S)));
      ({ NextToken } = page);
    } while (NextToken);
    assert.deepEqual(seen, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14]);
  });

  test('reads from indexes what they have', async () => {
    assert.deepEqual(rows(await run(`SELECT * FROM "${comp}"."gsi-all" WHERE g = 'g1'`)).sort(), ['a1', 'a2']);
    sameValue((await run(`SELECT * FROM "${comp}"."gsi-inc" WHERE h = 'h1'`)).Items, [
      { pk: S('a'), sk: S('1'), h: S('h1'), proj: S('p1') },
    ]);
    assert.deepEqual(rows(await run(`SELECT * FROM "${comp}"."lsi-keys" WHERE pk = 'a' ORDER BY l`)), ['a2', 'a1']);
    sameValue((await run(`SELECT n FROM "${comp}"."lsi-keys" WHERE pk = 'a'`)).Items, [{ n: N(2) }, { n: N(1) }]);
    assert.deepEqual(rows(await run(`SELECT * FROM "${comp}"."gsi-inc" WHERE other = 'o1'`)), []);
    assert.deepEqual(rows(await run(`SELECT * FROM "${comp}"."gsi-inc" WHERE NOT other = 'o1'`)).sort(), ['a1', 'a3']);
    assert.deepEqual(
      rows(await run(`SELECT * FROM "${comp}"."gsi-inc" WHERE (h = 'h1' AND other = 'x') OR h = 'h2'`)), ['a3'],
    );
  });

  test('refuses what indexes do not have', async () => {
    const filter = 'One or more parameter values were invalid: Secondary index gsi-inc does not project one or more filter attributes: [other]';
    const refusals = [
      [`."none" WHERE pk = 'a'`, 'The table does not have the specified index'],
      [`."gsi-inc" WHERE h = 'h1' AND other = 'o1'`, filter],
      [`."gsi-inc" WHERE h = 'h1' AND NOT other = 'o1'`, filter],
      [`."gsi-inc" WHERE h = 'h1' AND other IS MISSING`, filter],
      [`."gsi-inc" WHERE h IN ['h1', 'h2'] AND other = 'o1'`, filter],
      [`."gsi-inc" WHERE h = 'h1' AND (zz = '1' OR aa = '2' OR mm = '3')`, filter.replace('other', 'zz, aa, mm')],
      [`."gsi-inc" WHERE h = 'h1' AND b = '1' AND (a = '2' OR proj = '3')`, filter.replace('other', 'a, b')],
      [`."multi" WHERE m1 = 'a'`,
        'PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute RANGE keys.'],
    ];
    for (const [rest, message] of refusals) await invalid(`SELECT * FROM "${comp}"${rest}`, message);
    await invalid(
      `SELECT other FROM "${comp}"."gsi-inc" WHERE h = 'h1'`,
      'One or more parameter values were invalid: Global secondary index gsi-inc does not project [other]',
    );
    await invalid(
      `SELECT * FROM "${comp}"."gsi-all" WHERE g = 'g1'`,
      'Strongly consistent read is not supported on Global Secondary Indexes', undefined, { ConsistentRead: true },
    );
  });

  test('costs what Query, Scan and GetItem cost', async () => {
    const cost = async (statement, more) =>
      (await run(statement, undefined, { ReturnConsumedCapacity: 'INDEXES', ...more })).ConsumedCapacity;
    sameValue(await cost(`SELECT * FROM "${comp}" WHERE pk = 'a' AND sk = '1'`), {
      TableName: comp, CapacityUnits: 0.5, Table: { CapacityUnits: 0.5 },
    });
    assert.equal((await cost(`SELECT * FROM "${comp}" WHERE pk = 'none'`, { ConsistentRead: true })).CapacityUnits, 1);
    sameValue(await cost(`SELECT pk FROM "${comp}"."gsi-all" WHERE g = 'g1'`), {
      TableName: comp, CapacityUnits: 0.5, Table: { CapacityUnits: 0 },
      GlobalSecondaryIndexes: { 'gsi-all': { CapacityUnits: 0.5 } },
    });
    sameValue(await cost(`SELECT n FROM "${comp}"."lsi-keys" WHERE pk = 'a'`), {
      TableName: comp, CapacityUnits: 1.5, Table: { CapacityUnits: 1 },
      LocalSecondaryIndexes: { 'lsi-keys': { CapacityUnits: 0.5 } },
    });
  });
});

describe('UPDATE and DELETE', () => {
  test('change an item that is there', async () => {
    await put('u', { n: N(1), l: { L: [N(1)] }, ss: { SS: ['a'] }, m: { M: { x: N(1) } } });
    const changes = `SET n = n + 1 SET l = list_append(l, [2]), ss = set_add(ss, <<'b'>>) SET m.y = 'new' REMOVE m.x`;
    const { Items } = await run(`UPDATE "${hash}" ${changes} WHERE pk = 'u' RETURNING ALL NEW *`);
    const updated = { pk: S('u'), n: N(2), l: { L: [N(1), N(2)] }, ss: { SS: ['a', 'b'] }, m: { M: { y: S('new') } } };
    sameValue(Items, [updated]);
    sameValue(await get('u'), updated);
    sameValue((await run(`FROM "${hash}" WHERE pk = ? SET n = ? RETURNING MODIFIED OLD *`, [S('u'), N(9)])).Items, [{ n: N(2) }]);
    sameValue((await run(`UPDATE "${hash}" REMOVE n WHERE pk = 'u' RETURNING MODIFIED NEW *`)).Items, []);
    sameValue((await run(`DELETE FROM "${hash}" WHERE pk = 'u' RETURNING ALL OLD *`)).Items.length, 1);
    assert.equal(await get('u'), undefined);
  });

  test('hold the rest of WHERE as a condition', async () => {
    await put('c', { a: N(1) });
    const failed = ['ConditionalCheckFailedException', 'The conditional request failed'];
    await refused(run(`UPDATE "${hash}" SET b = 1 WHERE pk = 'c' AND a = 2`), ...failed);
    await refused(run(`DELETE FROM "${hash}" WHERE pk = 'c' AND NOT attribute_exists(a)`), ...failed);
    const error = await refused(
      run(`UPDATE "${hash}" SET b = 1 WHERE pk = 'c' AND a = 2`, undefined, { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
      ...failed,
    );
    sameValue(error.Item, { pk: S('c'), a: N(1) });
    await run(`UPDATE "${hash}" SET b = 1 WHERE (pk = 'c' AND a = 1) AND b IS MISSING`);
    sameValue(await get('c'), { pk: S('c'), a: N(1), b: N(1) });
    await run(`DELETE FROM "${hash}" WHERE pk = 'c' AND b = 1`);
    assert.equal(await get('c'), undefined);
  });

  test('without an item UPDATE fails and DELETE has nothing to do', async () => {
    await refused(run(`UPDATE "${hash}" SET a = 1 WHERE pk = 'gone'`), 'ConditionalCheckFailedException');
    await refused(run(`UPDATE "${hash}" SET a = 1 WHERE pk = 'gone' AND attribute_not_exists(pk)`), 'ConditionalCheckFailedException');
    sameValue((await run(`DELETE FROM "${hash}" WHERE pk = 'gone' AND a = 1`)).Items, []);
    assert.equal(await get('gone'), undefined);
  });

  test('name one item', async () => {
    const mandatory = 'Where clause does not contain a mandatory equality on all key attributes';
    for (const statement of [
      `DELETE FROM "${hash}" WHERE a = 'x'`, `DELETE FROM "${hash}"`, `UPDATE "${comp}" SET a = 1 WHERE pk = 'x'`,
      `UPDATE "${hash}" SET a = 1 WHERE pk IN ['x']`, `UPDATE "${hash}" SET a = 1 WHERE pk = 'x' OR a = 1`,
      `FROM "${hash}" SET c = 1`,
    ]) {
      await invalid(statement, mandatory);
    }
    await invalid(
      `DELETE FROM "${hash}" WHERE pk = 'x' AND pk = 'y'`,
      'Multiple conditions on same key pk. Only single item Update/Insert/Delete are supported',
    );
    await invalid(
      `UPDATE "${hash}" SET pk = 'y' WHERE pk = 'x'`,
      'One or more parameter values were invalid: Cannot update attribute pk. This attribute is part of the key',
    );
  });

  test('cost what single writes cost', async () => {
    const cost = async (statement) => (await run(statement, undefined, { ReturnConsumedCapacity: 'TOTAL' })).ConsumedCapacity;
    sameValue(await cost(`INSERT INTO "${comp}" VALUE {'pk': 'cost', 'sk': '1', 'g': 'x'}`), { TableName: comp, CapacityUnits: 2 });
    sameValue(await cost(`DELETE FROM "${hash}" WHERE pk = 'gone'`), { TableName: hash, CapacityUnits: 1 });
  });

  test('an item of 400 KB fits, and not a byte more', async () => {
    const text = (bytes) => 'x'.repeat(bytes - 'pk'.length - 'big'.length - 'p'.length);
    await run(`INSERT INTO "${hash}" VALUE {'pk': 'big', 'p': ?}`, [S(text(409600))]);
    await run(`UPDATE "${hash}" SET p = ? WHERE pk = 'big'`, [S(text(409600))]);
    await invalid(`UPDATE "${hash}" SET p = ? WHERE pk = 'big'`, /Item size to update has exceeded/, [S(text(409601))]);
    await invalid(`INSERT INTO "${hash}" VALUE {'pk': 'gib', 'p': ?}`, /Item size has exceeded/, [S(text(409601))]);
  });
});

describe('numbers', () => {
  test('are read with exponents and without leading digits', async () => {
    await run(`INSERT INTO "${numbers}" VALUE {'pk': 7.31e6}`);
    for (const number of ['7310000', '7.31E6', '7.31e+6', '731e4', '.731e7', '73100000e-1', '- -7310000']) {
      assert.equal((await run(`SELECT * FROM "${numbers}" WHERE pk = ${number}`)).Items.length, 1, number);
    }
  });

  test('parameters that are none are told before the statement is looked at', async () => {
    const none = 'The parameter cannot be converted to a numeric value';
    for (const number of ['1e99999999999', '-1e99999999999', '1e-99999999999', '1e2147483648', '1e-2147483648', 'abc']) {
      await invalid(`SELECT WHERE`, `${none}: ${number}`, [N(number)]);
    }
    await invalid(`SELECT WHERE`, none, [N('')]);
    await invalid(
      `SELECT WHERE`,
      'Number underflow. Attempting to store a number with magnitude smaller than supported range', [N('1e2147483647')],
    );
    await invalid(
      'SELECT WHERE',
      'One or more parameter values were invalid: Input collection [a, a] contains duplicates.', [{ SS: ['a', 'a'] }],
    );
    let deep = S('x');
    for (let i = 0; i < 40; i++) deep = { M: { n: deep } };
    await invalid('SELECT WHERE', /^Nesting Levels have exceeded/, [deep, N('abc')]);
    await invalid('SELECT WHERE', `${none}: abc`, [N('abc'), deep]);
  });
});

test('a statement that cannot be read says so', async () => {
  await invalid(`SLECT * FROM "${hash}" WHERE pk = 'x'`, `${NOT_WELL_FORMED}Expected data manipulation`);
  await invalid(`SELECT * FROM "${hash}" WHERE`, `${NOT_WELL_FORMED}Unexpected term`);
  await invalid(`SELECT * FROM "${hash}" WHERE pk = 1 # note`, NOT_WELL_FORMED);
  await invalid(`SELECT * FROM "${hash}" WHERE pk = ?`, "Number of parameters in request and statement don't match.");
  await invalid('', /Member must have length greater than or equal to 1$/);
});

test('operands are looked at before the table', async () => {
  await invalid(
    'SELECT * FROM "nowhere-at-all" WHERE pk = ? AND a < ?',
    'Incorrect operand type for operator or function; operator or function: <, operand type: BOOL',
    [S('x'), { BOOL: true }],
  );
  await refused(run(`SELECT * FROM "nowhere-at-all" WHERE pk = 'x'`), 'ResourceNotFoundException', 'Requested resource not found');
});

test('EXISTS is for transactions', () =>
  invalid(
    `EXISTS(SELECT * FROM "${hash}" WHERE pk = 'x' AND a = 1)`,
    'EXISTS can only be used in ExecuteTransaction write requests.',
  ));

test('NextToken is good after a restart', { skip: process.env.TAULA_ENDPOINT !== undefined }, async () => {
  const data = join(temporaryFolder(), 'data');
  const first = await startServer({ data });
  const before = connect(first.endpoint);
  const TableName = await makeTable(before, { key: 'pk:S sk:S' });
  for (const sk of ['1', '2', '3']) await before.putItem({ TableName, Item: { pk: S('a'), sk: S(sk) } });
  const Statement = `SELECT sk FROM "${TableName}" WHERE pk = 'a'`;
  const { NextToken } = await before.executeStatement({ Statement, Limit: 1 });
  await first.kill('SIGKILL');
  const second = await startServer({ data });
  const { Items } = await connect(second.endpoint).executeStatement({ Statement, NextToken });
  sameValue(Items, [{ sk: S('2') }, { sk: S('3') }]);
  await second.kill('SIGTERM');
});
