// bench/run, once everything is installed and built: runs what was asked for and writes the report.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { HELP, parseOptions } from './options.mjs';
import { ROOT } from './paths.mjs';
import { progress } from './progress.mjs';
import { asMarkdown, asText } from './tables.mjs';

const settings = parseOptions(process.argv.slice(2));
if (settings.help || settings.error) {
  if (settings.error) process.stderr.write(`error: ${settings.error}\n\n`);
  (settings.error ? process.stderr : process.stdout).write(HELP);
  process.exit(settings.error ? 2 : 0);
}

// Imported only now, so that --help needs no SDK.
const { run } = await import(settings.growth ? './growth_run.mjs' : './comparison_run.mjs');

mkdirSync(settings.out, { recursive: true });
const results = await run.measure(settings);
results.bars = run.bars(results);
const sections = run.sections(results);
const write = (name, text) => writeFileSync(join(settings.out, name), text);
write('report.json', `${JSON.stringify(results, undefined, 2)}\n`);
write('report.md', asMarkdown(run.title, sections));
if (run.chart) write('chart.svg', run.chart(results));
process.stdout.write(asText(sections));
progress(`the report is in ${relative(ROOT, settings.out)}`);
