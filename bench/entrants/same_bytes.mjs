// An entrant that repeats what a database answered, for each operation on a port of its own.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { freePort } from '../launch.mjs';
import { sendOnce } from '../raw_connection.mjs';
import { requestText } from '../request_text.mjs';
import { runWrk, writeRequests } from '../wrk.mjs';
import { Entrant } from './entrant.mjs';

const answersAnything = async (port) => (await sendOnce(port, requestText('ListTables', '{}'))).status === 200;

export class SameBytes extends Entrant {
  // `database` holds the data already.
  static async start(contestant, { folder, database, operations }) {
    const places = new Map();
    for (const operation of operations) {
      const [first] = operation.requests(database.counts);
      const answer = await sendOnce(database.port, requestText(operation.operation, JSON.stringify(first)));
      places.set(operation.id, { port: await freePort(), answer });
    }
    const ports = [...places.values()].map(({ port }) => port);
    const answers = [...places.values()].map(({ answer }) => answer);
    const server = await Entrant.launch(contestant, { folder, ports, answers, responds: answersAnything });
    return new SameBytes(contestant, server, folder, places);
  }

  constructor(contestant, server, folder, places) {
    super(contestant, server, folder);
    this.places = places;
  }

  async prepare(operation) {
    const requests = operation.requests(this.counts);
    this.texts = requests.map((request) => requestText(operation.operation, JSON.stringify(request)));
    this.file = join(this.folder, `${operation.id}.requests`);
    writeRequests(this.file, this.texts);
  }

  async check(operation) {
    const { port, answer } = this.places.get(operation.id);
    const { status, body } = await sendOnce(port, this.texts[0]);
    assert.equal(status, 200);
    assert.deepEqual(body, answer.body);
  }

  measure(operation, { connections, seconds }) {
    const { port } = this.places.get(operation.id);
    return this.metered(() => runWrk({ port, file: this.file, sequence: 0, connections, seconds }));
  }
}
