// What the kernel says of a process and its children: processor time and memory.

import { readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

// Fields after the command's name, which stands in parentheses and may hold anything.
export function parseStat(text) {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { userTicks: Number(fields[11]), systemTicks: Number(fields[12]) };
}

function children(pid) {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

export const processTree = (pid) => [pid, ...children(pid).flatMap(processTree)];

// User and system time of all threads of all processes below `pid`.
export function cpuSeconds(pid) {
  let ticks = 0;
  for (const one of processTree(pid)) {
    const { userTicks, systemTicks } = parseStat(readFileSync(`/proc/${one}/stat`, 'utf8'));
    ticks += userTicks + systemTicks;
  }
  return ticks / TICKS_PER_SECOND;
}

const statusField = (pid, name) =>
  Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

export const residentBytes = (pid) => sum(processTree(pid).map((one) => statusField(one, 'VmRSS')));
export const peakResidentBytes = (pid) => sum(processTree(pid).map((one) => statusField(one, 'VmHWM')));
