// What the READMEs of the designs show is what happens: the commands in their
// ```console blocks are run in order against fresh servers, and what they print
// is compared. "…" stands for anything, on its own line for any lines. A server is
// known by the port that the README gives it, 8000 when it gives none.
//
// TAULA_WRITE_READMES=1 writes what was printed into the READMEs instead; parts
// that vary must then be made "…" again by hand.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { CREDENTIALS, REGION } from '../wire/harness/clients.mjs';
import { binary, startServer, temporaryFolder } from '../wire/harness/server.mjs';
import { ROOT } from './systems.mjs';

const SYSTEMS = ['notifications', 'goals', 'store', 'blog', 'kefir'];
const WRITTEN_ENDPOINT = (port) => `http://127.0.0.1:${port}`;

// [{ line, commands: [{ text, output }] }] of the console blocks, in order. A
// command goes on while a line ends with a backslash or a quote is open.
function consoleBlocks(markdown) {
  return [...markdown.matchAll(/^```console\n([\s\S]*?)^```$/gm)].map((match) => {
    const commands = [];
    for (const line of match[1].split('\n').slice(0, -1)) {
      const last = commands.at(-1);
      const open = last && last.output.length === 0 && (last.text.endsWith('\\') || last.text.split("'").length % 2 === 0);
      if (open) last.text += `\n${line}`;
      else if (line.startsWith('$ ')) commands.push({ text: line.slice(2), output: [] });
      else if (last) last.output.push(line);
      else throw new Error(`output before a command: ${line}`);
    }
    return { text: match[0], commands };
  });
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

// The expected output as a pattern.
const patternOf = (lines) =>
  new RegExp(
    `^${lines.map((line) => (line.trim() === '…' ? '(?:.*\\n)*?' : `${escaped(line).replaceAll('…', '.*')}\\n`)).join('')}$`,
  );

// `servers` are those that run, by the ports that the README knows them by.
function run(command, servers) {
  const replaced = (text, from, to) => [...servers].reduce((all, entry) => all.replaceAll(from(entry), to(entry)), text);
  const written = ([port]) => WRITTEN_ENDPOINT(port);
  const real = ([, { endpoint }]) => endpoint;
  const environment = {
    ...process.env,
    PATH: `${dirname(binary)}:${process.env.PATH}`,
    AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
    AWS_DEFAULT_REGION: REGION,
    TAULA_SERVER: servers.get('8000').endpoint,
    XDG_STATE_HOME: temporaryFolder(),
  };
  const text = replaced(command, written, real);
  return new Promise((resolve) => {
    execFile('bash', ['-c', `${text} 2>&1`], { env: environment, cwd: ROOT }, (error, stdout) =>
      resolve(replaced(stdout, real, written)),
    );
  });
}

for (const name of SYSTEMS) {
  test(`the README of ${name} shows what happens`, async () => {
    const path = join(ROOT, 'designs', name, 'README.md');
    const markdown = readFileSync(path, 'utf8');
    let updated = markdown;
    const servers = new Map();
    const differences = [];
    for (const block of consoleBlocks(markdown)) {
      const shown = [];
      for (const { text, output } of block.commands) {
        if (text.startsWith('taula serve ')) {
          const port = text.match(/ --port (\d+)/)?.[1] ?? '8000';
          const words = text.replace(/ --(port|data) \S+/g, '').split(' ').slice(2);
          const options = words.map((word) => (word.startsWith('designs/') ? join(ROOT, word) : word));
          servers.set(port, await startServer({ data: temporaryFolder(), options }));
          shown.push(`$ ${text}`, ...output);
          continue;
        }
        const printed = await run(text, servers);
        const matches = patternOf(output).test(printed);
        if (!matches) differences.push(`$ ${text}\nexpected:\n${output.join('\n')}\nprinted:\n${printed}`);
        shown.push(`$ ${text}`, ...(matches ? output : printed.replace(/\n$/, '').split('\n')));
      }
      updated = updated.replace(block.text, () => ['```console', ...shown, '```'].join('\n'));
    }
    if (process.env.TAULA_WRITE_READMES) writeFileSync(path, updated);
    else assert.equal(differences.length, 0, differences.join('\n\n'));
  });
}
