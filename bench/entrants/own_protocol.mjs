// An entrant that neither DynamoDB's clients nor wrk can talk to; its contestant's module brings what is needed.

import { freePort } from '../launch.mjs';
import { Entrant } from './entrant.mjs';

export class OwnProtocol extends Entrant {
  static async start(contestant, { folder }) {
    const ports = [await freePort()];
    const server = await Entrant.launch(contestant, { folder, ports, responds: contestant.answers });
    return new OwnProtocol(contestant, server, folder);
  }

  async load(counts) {
    await super.load(counts);
    await this.contestant.load(this.server.ports[0], counts);
    this.loadedBytes = this.residentBytes();
  }

  check() {
    return this.contestant.check(this.server.ports[0], this.counts);
  }

  measure(operation, { connections, seconds }) {
    const meter = (work) => this.metered(work);
    return this.contestant.measure(this.server.ports[0], this.counts, { connections, seconds, meter });
  }
}
