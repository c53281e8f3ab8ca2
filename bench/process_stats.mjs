// What the kernel says of a process and its children: processor time and memory.

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { execFileSync } from 'node:child_process';

export const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

// Fields after the command's name, which stands in parentheses and may hold anything.
export function parseStat(text) {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { userTicks: Number(fields[11]), systemTicks: Number(fields[12]) };
}

export function parseKilobytes(status, name) {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status);
  return found ? Number(found[1]) : undefined;
}

// Undefined where the process has ended.
function unlessEnded(read) {
  try {
    return read();
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(error.code)) return undefined;
    throw error;
  }
}

const textOf = (path) => unlessEnded(() => readFileSync(path, 'utf8'));

// Any thread may have started some.
function children(pid) {
  const threads = unlessEnded(() => readdirSync(`/proc/${pid}/task`)) ?? [];
  return threads.flatMap((thread) => {
    const folder = `/proc/${pid}/task/${thread}`;
    const text = textOf(`${folder}/children`);
    if (text === undefined && existsSync(folder))
      throw new Error('this kernel does not say which children a process has (/proc/<pid>/task/<thread>/children)');
    return (text ?? '').split(' ').filter(Boolean).map(Number);
  });
}

export const processTree = (pid) => [pid, ...children(pid).flatMap(processTree)];

// User and system time of all threads of all processes below `pid`; undefined where they have ended.
export function cpuTicks(pid) {
  const stats = processTree(pid).map((one) => textOf(`/proc/${one}/stat`));
  const running = stats.filter((text) => text !== undefined).map(parseStat);
  return running.length ? sum(running.map(({ userTicks, systemTicks }) => userTicks + systemTicks)) : undefined;
}

// Undefined where the kernel does not say it of each process: what is not known is not 0.
function memory(pid, name) {
  const each = processTree(pid).map((one) => parseKilobytes(textOf(`/proc/${one}/status`) ?? '', name));
  return each.includes(undefined) ? undefined : sum(each) * 1024;
}

export const residentBytes = (pid) => memory(pid, 'VmRSS');
export const peakResidentBytes = (pid) => memory(pid, 'VmHWM');
