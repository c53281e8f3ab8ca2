// An entrant that speaks DynamoDB: checked with the same bytes that wrk sends.

import { join } from 'node:path';
import { TABLES } from '../dataset.mjs';
import { freePort } from '../launch.mjs';
import { openConnection, sendOnce } from '../raw_connection.mjs';
import { FIRST_SEQUENCE, SEQUENCE, requestText, withSequence } from '../request_text.mjs';
import { connectSdk, loadDatabase, recreateTable } from '../sdk.mjs';
import { runWrk, writeRequests } from '../wrk.mjs';
import { Entrant } from './entrant.mjs';

// Checks walk through the requests in steps, so that each round looks at another one.
const CHECK_STEP = 37;

// The operation is not known to the contestant: no failure, but nothing to measure.
export class Unsupported extends Error {}

const answersListTables = async (port) => (await sendOnce(port, requestText('ListTables', '{}'))).status === 200;

export class Database extends Entrant {
  static async start(contestant, { folder, options }) {
    const ports = [await freePort()];
    const server = await Entrant.launch(contestant, { folder, ports, responds: answersListTables, options });
    return new Database(contestant, server, folder);
  }

  constructor(contestant, server, folder) {
    super(contestant, server, folder);
    [this.port] = server.ports;
    this.client = connectSdk(this.port);
    this.sequence = FIRST_SEQUENCE;
    this.send = this.send.bind(this);
  }

  async load(counts) {
    await super.load(counts);
    this.loadRate = await loadDatabase(this.client, counts);
    this.loadedBytes = this.residentBytes();
  }

  // Servers close a connection that was idle for long, so each check has its own.
  async connected(work) {
    this.connection = await openConnection(this.port);
    try {
      return await work();
    } finally {
      this.connection.close();
    }
  }

  async send(operation, body) {
    const answer = await this.connection.send(requestText(operation, JSON.stringify(body)));
    const text = answer.body.toString('utf8');
    if (answer.status === 200) return JSON.parse(text);
    if (text.includes('UnknownOperationException')) throw new Unsupported(operation);
    throw new Error(`${operation} was answered ${answer.status} ${text.slice(0, 300)}`);
  }

  async prepare(operation) {
    this.requests = operation.collectRequests
      ? await this.connected(() => operation.collectRequests(this.send, this.counts))
      : operation.requests(this.counts);
    const texts = this.requests.map((request) => requestText(operation.operation, JSON.stringify(request)));
    this.file = join(this.folder, `${operation.id}.requests`);
    writeRequests(this.file, texts);
  }

  async refresh(operation) {
    if (!operation.fresh) return;
    for (const table of operation.tables) await recreateTable(this.client, TABLES[table]);
  }

  async check(operation, round) {
    const request = JSON.stringify(this.requests[(round * CHECK_STEP) % this.requests.length]);
    // Only orders and the like take a number: one left out would be an order that a later one does not find.
    if (request.includes(SEQUENCE)) this.sequence++;
    const numbered = JSON.parse(withSequence(request, this.sequence));
    await this.connected(() => operation.check(this.send, numbered));
  }

  measure(operation, { connections, seconds }) {
    return this.metered(async () => {
      const result = await runWrk({ port: this.port, file: this.file, sequence: this.sequence, connections, seconds });
      this.sequence = Math.max(this.sequence, result.sequence);
      return result;
    });
  }

  async stop() {
    this.client.destroy();
    await super.stop();
  }
}
