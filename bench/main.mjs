// bench/run, once everything is installed and built: runs what was asked for and writes the report.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockFolder } from './lock.mjs';
import { settingsOrExit } from './options.mjs';
import { progress } from './progress.mjs';
import { asMarkdown, asText } from './tables.mjs';

const settings = settingsOrExit(process.argv.slice(2));
mkdirSync(settings.out, { recursive: true });
try {
  lockFolder(settings.out);
} catch (error) {
  process.stderr.write(`error: ${error.message}\n`);
  process.exit(1);
}

// Imported only now, so that --help needs no SDK.
const { run } = await import(settings.growth ? './growth_run.mjs' : './comparison_run.mjs');

const write = (name, text) => writeFileSync(join(settings.out, name), text);
const writeResults = (results) => write('report.json', `${JSON.stringify(results, undefined, 2)}\n`);

// What was measured is kept before anything is made of it, which might fail.
const results = await run.measure(settings);
writeResults(results);
results.bars = run.bars(results);
writeResults(results);

const sections = run.sections(results);
write('report.md', asMarkdown(run.title, sections));
const chart = run.chart?.(results);
if (chart) write('chart.svg', chart);
else rmSync(join(settings.out, 'chart.svg'), { force: true }); // another run's
process.stdout.write(asText(sections));
progress(`the report is in ${settings.out}`);
