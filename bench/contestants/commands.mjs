// What the contestants' modules ask of the machine: is a command there, and what does it say.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

// Debian keeps daemons where only root's PATH looks.
const PATH = `${process.env.PATH}:/usr/sbin:/usr/local/sbin`;

export function output(command, ...args) {
  const {
    stdout = '',
    stderr = '',
    error,
  } = spawnSync(command, args, { encoding: 'utf8', env: { ...process.env, PATH } });
  return error ? undefined : `${stdout}${stderr}`;
}

export const found = (text, pattern) => pattern.exec(text ?? '')?.[1] ?? 'unknown version';

export const missingCommand = (command) =>
  output('which', command)?.trim() ? undefined : `there is no command '${command}'`;

export const commandPath = (command) => output('which', command).trim();

export const missingFile = (path, advice) => (existsSync(path) ? undefined : advice);
