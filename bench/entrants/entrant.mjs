// A contestant whose server runs. What all kinds of entrants have:
//
//   load(counts)                  puts the data in
//   prepare(operation)            makes its requests
//   refresh(operation)            makes tables anew that have to be, before a round
//   check(operation, round)       throws where an answer is not what it has to be
//   measure(operation, { connections, seconds })   one round

import { emptyFolder } from '../folders.mjs';
import { launch } from '../launch.mjs';
import { TICKS_PER_SECOND, cpuTicks, residentBytes } from '../process_stats.mjs';

export class Entrant {
  static async launch(contestant, { folder, ports, responds, ...settings }) {
    emptyFolder(folder);
    const { file, args, cwd } = contestant.command({ folder, ports, ...settings });
    return launch({ file, args, cwd, folder, ports, answers: responds });
  }

  constructor(contestant, server, folder) {
    this.contestant = contestant;
    this.server = server;
    this.folder = folder;
    this.idleBytes = residentBytes(server.pid);
  }

  async load(counts) {
    this.counts = counts;
  }

  async prepare() {}
  async refresh() {}

  residentBytes() {
    return residentBytes(this.server.pid);
  }

  // Runs `work`, a round, and adds the processor time that the server took for each request.
  async metered(work) {
    const before = cpuTicks(this.server.pid);
    const result = await work();
    const after = cpuTicks(this.server.pid);
    if (after === undefined) throw new Error('its server ended during the round');
    return { ...result, cpuMicroseconds: ((after - before) * 1e6) / TICKS_PER_SECOND / result.requests };
  }

  async stop() {
    await this.server.stop();
  }
}
