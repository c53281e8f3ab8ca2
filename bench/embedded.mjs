// The embedded API beside raw RocksDB, measured by a program of bench/micro.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { atExit } from './at_exit.mjs';
import { emptyFolder, removeFolder } from './folders.mjs';
import { EMBEDDED_RATIO } from './paths.mjs';
import { progress } from './progress.mjs';

// Only in a run of everybody and everything: one that names contestants or operations has something else in mind.
export async function measureEmbedded({ everything, out }) {
  if (!everything || !existsSync(EMBEDDED_RATIO)) return undefined;
  progress('the embedded API beside raw RocksDB');
  const folder = join(out, 'servers', 'embedded');
  emptyFolder(folder);
  const env = { ...process.env, TAULA_MICRO_FOLDER: folder };
  const running = promisify(execFile)(EMBEDDED_RATIO, ['--json'], { env });
  const forget = atExit(() => {
    running.child.kill();
    removeFolder(folder);
  });
  try {
    const { stdout } = await running;
    return JSON.parse(stdout);
  } catch (error) {
    progress(`it failed, and is left out: ${error.message}`);
    return undefined;
  } finally {
    removeFolder(folder);
    forget();
  }
}
