// One run at a time in an output folder: a second one would empty the folders of the first one's servers.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { atExit } from './at_exit.mjs';

function claim(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function runs(pid) {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM'; // it is there, and somebody else's
  }
}

// Takes the folder until this process ends. Throws where a run has it that still goes on.
export function lockFolder(folder) {
  const file = join(folder, 'lock');
  if (!claim(file)) {
    const owner = Number(readFileSync(file, 'utf8'));
    if (runs(owner)) throw new Error(`another run, process ${owner}, writes to ${folder}: choose another --out`);
    rmSync(file); // left by a run that was killed
    if (!claim(file)) throw new Error(`another run has just begun to write to ${folder}: choose another --out`);
  }
  atExit(() => rmSync(file, { force: true }));
}
