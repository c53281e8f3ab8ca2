// The embedded API beside raw RocksDB, measured by a program of bench/micro.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { EMBEDDED_RATIO } from './paths.mjs';
import { progress } from './progress.mjs';

// Only in a run of everybody and everything: one that names contestants or operations has something else in mind.
export async function measureEmbedded({ everything }) {
  if (!everything || !existsSync(EMBEDDED_RATIO)) return undefined;
  progress('the embedded API beside raw RocksDB');
  try {
    const { stdout } = await promisify(execFile)(EMBEDDED_RATIO, ['--json']);
    return JSON.parse(stdout);
  } catch (error) {
    progress(`it failed, and is left out: ${error.message}`);
    return undefined;
  }
}
