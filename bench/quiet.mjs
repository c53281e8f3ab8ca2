// Waits until no server works on what was asked of it before (compaction, garbage), so that it disturbs no round.

import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds } from './process_stats.mjs';

const SHARE_MAX = 0.1;
const SAMPLE_MS = 100;

export async function quiet(entrants, secondsMax = 10) {
  const running = entrants.filter(({ server }) => !server.ended);
  const total = () => running.reduce((sum, { server }) => sum + cpuSeconds(server.pid), 0);
  const deadline = performance.now() + secondsMax * 1000;
  for (let before = total(); performance.now() < deadline;) {
    await sleep(SAMPLE_MS);
    const now = total();
    if ((now - before) * 1000 < SHARE_MAX * SAMPLE_MS) return;
    before = now;
  }
}
