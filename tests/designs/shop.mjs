// A small design of users, a data folder, and the server that is started and
// stopped on both.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '../wire/harness/clients.mjs';
import { binary, startServer, temporaryFolder } from '../wire/harness/server.mjs';

export const TableName = 'shop';

// A design with one entity, and what makes it another.
export const design = ({ name = 'shop', indexKey = 'GSI1PK', unique = '', nick = 'string', more = '', table = '' } = {}) => `design: ${name}
tables:
  main:
    name: ${TableName}
    key: { partition: PK, sort: SK }
    indexes: { GSI1: { partition: ${indexKey}, sort: GSI1SK } }
${table}entities:
  User:
    key: { PK: "USER#{id}", SK: METADATA }
    indexes: { GSI1: { ${indexKey}: "NICK#{nick}", GSI1SK: "{id}" } }
    ${unique}
    attributes: { id: string, email: email, age: integer, nick: ${nick}${more} }
`;
export const UNIQUE = { unique: 'unique: [email]' };

export class Shop {
  folder = temporaryFolder();

  file(text, name = 'design.yaml') {
    const path = join(this.folder, name);
    writeFileSync(path, text);
    return path;
  }

  async serve(text) {
    const options = text ? ['--design', this.file(text)] : [];
    this.server = await startServer({ data: join(this.folder, 'data'), options });
    this.dynamodb = connect(this.server.endpoint);
  }

  async stop() {
    this.dynamodb.destroy();
    await this.server.kill('SIGTERM');
    return this.server.log();
  }

  // What it says when it does not start.
  refused(...texts) {
    const files = texts.flatMap((text, i) => ['--design', this.file(text, `${i}.yaml`)]);
    const run = spawnSync(binary, ['serve', '--port', '0', '--data', join(this.folder, 'data'), ...files], { encoding: 'utf8', timeout: 20_000 });
    assert.equal(run.status, 5, run.stderr);
    return run.stderr;
  }

  put(id, attributes) {
    const item = { PK: `USER#${id}`, SK: 'METADATA', ...attributes };
    return this.dynamodb.putItem({ TableName, Item: Object.fromEntries(Object.entries(item).map(([name, text]) => [name, { S: text }])) });
  }

  update(id, expression, values = {}) {
    const ExpressionAttributeValues = Object.keys(values).length ? values : undefined;
    return this.dynamodb.updateItem({ TableName, Key: { PK: { S: `USER#${id}` }, SK: { S: 'METADATA' } }, UpdateExpression: expression, ExpressionAttributeValues });
  }

  async item(id) {
    return (await this.dynamodb.getItem({ TableName, Key: { PK: { S: `USER#${id}` }, SK: { S: 'METADATA' } } })).Item;
  }
}
