// Waits until no server works on what was asked of it before (compaction, garbage), so that it disturbs no round.

import { setTimeout as sleep } from 'node:timers/promises';
import { TICKS_PER_SECOND, cpuTicks } from './process_stats.mjs';
import { progress } from './progress.mjs';

const SAMPLE_MS = 100;
// A tenth of a core.
const TICKS_MAX = Math.round((0.1 * SAMPLE_MS * TICKS_PER_SECOND) / 1000);

// What each server has spent between two samples; nothing where one has ended, which is for its own round to find out.
export const spentTicks = (before, now) =>
  now.map((ticks, i) => (ticks === undefined || before[i] === undefined ? 0 : ticks - before[i]));

export async function quiet(entrants, secondsMax = 10) {
  const running = entrants.filter(({ server }) => !server.ended);
  const sample = () => running.map(({ server }) => cpuTicks(server.pid));
  const deadline = performance.now() + secondsMax * 1000;
  let spent = [];
  for (let before = sample(); performance.now() < deadline;) {
    await sleep(SAMPLE_MS);
    const now = sample();
    spent = spentTicks(before, now);
    if (spent.reduce((sum, ticks) => sum + ticks, 0) <= TICKS_MAX) return;
    before = now;
  }
  const busy = running.filter((_, i) => spent[i] > 0).map(({ contestant }) => contestant.name);
  progress(`still busy after ${secondsMax} s, and not waited for any longer: ${busy.join(', ')}`);
}
