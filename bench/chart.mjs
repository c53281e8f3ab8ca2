// Requests a second of everyone, as an SVG of horizontal bars: one group an operation, on a logarithmic scale. It
// brings its own background, light or dark as the reader's system is, so that it can be read on any page.

import { BAR_CONNECTIONS } from './bars.mjs';
import { count, times } from './format.mjs';
import { ratio } from './statistics.mjs';

const WIDTH = 920;
const MARGIN = 28;
const NAME_WIDTH = 196;
const VALUE_WIDTH = 150;
const BAR = 13;
const BAR_STEP = 17;
const GROUP_GAP = 18;
const HEAD = 118;
const FOOT = 88;

// Limits are grey: they are no peers.
const COLOURS = {
  taula: ['#0f766e', '#2dd4bf'],
  'taula-memory': ['#5eb5ac', '#0f8c80'],
  'dynamodb-local': ['#d97706', '#f59e0b'],
  dynalite: ['#a16bd6', '#b78af0'],
  dynoxide: ['#d1495b', '#f0697b'],
  nginx: ['#7a828c', '#8b949e'],
  redis: ['#aab2bb', '#616a75'],
};
const OTHERS = ['#4c6ef5', '#748ffc'];

const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

export function logScale(values, width) {
  const lowest = Math.floor(Math.log10(Math.min(...values)));
  const highest = Math.max(...values.map(Math.log10));
  const position = (value) => ((Math.log10(value) - lowest) / (highest - lowest || 1)) * width;
  const ticks = [];
  for (let power = lowest; power <= highest; power++) ticks.push(10 ** power);
  return { position, ticks };
}

const style = (contestants) => {
  const fills = (theme) => contestants.map(({ id }) => `.${id} { fill: ${(COLOURS[id] ?? OTHERS)[theme]} }`).join(' ');
  return `
  text { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: #24292f }
  .title { font-size: 19px; font-weight: 600 } .name { font-size: 13px; font-weight: 600 } .quiet { fill: #656d76 }
  .figure { paint-order: stroke; stroke: #ffffff; stroke-width: 3px } .own { font-weight: 700 }
  .page { fill: #ffffff; stroke: #d0d7de } .line { stroke: #d8dee4 }
  ${fills(0)}
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .quiet { fill: #9198a1 } .figure { stroke: #0d1117 }
    .page { fill: #0d1117; stroke: #30363d } .line { stroke: #262c34 }
    ${fills(1)}
  }`;
};

function legend(contestants, y) {
  let x = MARGIN;
  const parts = [];
  for (const { id, name } of contestants) {
    parts.push(`<rect class="${id}" x="${x}" y="${y}" width="12" height="12" rx="2"/>`);
    parts.push(`<text x="${x + 17}" y="${y + 10}">${escape(name)}</text>`);
    x += 34 + name.length * 7.2;
  }
  return parts.join('\n');
}

// The bars of one operation; the figure beside a bar is its rate, and how many times that Taula makes.
function group({ operation, cells, own, contestants, y, position, left }) {
  const height = cells.length * BAR_STEP;
  const [name, ...details] = operation.name.split(', ');
  const middle = y + height / 2 + (details.length ? -4 : 3);
  const parts = [
    `<text class="name" x="${MARGIN}" y="${middle}">${escape(name)}</text>`,
    `<text class="quiet" x="${MARGIN}" y="${middle + 17}">${escape(details.join(', '))}</text>`,
  ];
  cells.forEach((cell, i) => {
    const top = y + i * BAR_STEP;
    const width = Math.max(2, position(cell.rate));
    const { id, name: contestant } = contestants.find((one) => one.id === cell.contestant);
    const compared =
      own && id !== 'taula' ? `<tspan class="quiet" dx="6">Taula ${times(ratio(own.rate, cell.rate))}</tspan>` : '';
    const label = `class="figure${id === 'taula' ? ' own' : ''}" x="${(left + width + 6).toFixed(1)}" y="${top + 11}"`;
    parts.push(
      `<rect class="${id}" x="${left}" y="${top}" width="${width.toFixed(1)}" height="${BAR}" rx="2">` +
        `<title>${escape(contestant)}: ${count(cell.rate)} requests a second</title></rect>`,
      `<text ${label}>${count(cell.rate)}${compared}</text>`,
    );
  });
  return { text: parts.join('\n'), height };
}

export function comparisonChart({ machine, settings, operations, contestants, cells }) {
  const connections = settings.connections.includes(BAR_CONNECTIONS) ? BAR_CONNECTIONS : settings.connections[0];
  const shown = cells.filter((cell) => cell.connections === connections && cell.rate);
  if (shown.length === 0) return '';
  const left = MARGIN + NAME_WIDTH;
  const plotWidth = WIDTH - left - VALUE_WIDTH - MARGIN;
  const { position, ticks } = logScale(
    shown.map(({ rate }) => rate),
    plotWidth,
  );

  const groups = [];
  let y = HEAD;
  for (const operation of operations) {
    const own = shown.find((cell) => cell.operation === operation.id && cell.contestant === 'taula');
    const ofOperation = shown.filter((cell) => cell.operation === operation.id);
    if (ofOperation.length === 0) continue;
    const { text, height } = group({ operation, cells: ofOperation, own, contestants, y, position, left });
    groups.push(text);
    y += height + GROUP_GAP;
  }
  const bottom = y - GROUP_GAP + 6;
  const height = bottom + FOOT;
  const axis = ticks.map((value) => {
    const x = (left + position(value)).toFixed(1);
    return (
      `<line class="line" x1="${x}" x2="${x}" y1="${HEAD - 8}" y2="${bottom}"/>` +
      `<text class="quiet" x="${x}" y="${bottom + 16}" text-anchor="middle">${count(value)}</text>`
    );
  });
  const about =
    'After each figure, Taula’s as a multiple of it. ' +
    'Taula syncs every write to disk before its answer; the peers are in memory.';
  const where =
    `One machine (${machine.processor}, ${machine.cores} cores), load generator included. ` +
    'nginx and Redis are no peers: they show what it can do.';
  const scale = 'logarithmic scale: each line is ten times the one before';
  const middle = left + plotWidth / 2;
  const size = `viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="Taula and its peers">
<style>${style(contestants)}
</style>
<rect class="page" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="8"/>
<text class="title" x="${MARGIN}" y="36">Requests a second, ${connections} connections</text>
<text class="quiet" x="${MARGIN}" y="57">${about}</text>
${legend(contestants, 76)}
${axis.join('\n')}
${groups.join('\n')}
<text class="quiet" x="${middle}" y="${bottom + 34}" text-anchor="middle">${scale}</text>
<text class="quiet" x="${MARGIN}" y="${height - 18}">${escape(where)}</text>
</svg>
`;
}
