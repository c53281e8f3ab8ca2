// The report's section on the bars.

import { short } from './format.mjs';

export function barSection(bars, elsewhere) {
  const figure = (number, unit) => (unit === '×' ? `${short(number)}×` : `${short(number)} ${unit}`);
  return {
    title: 'Bars',
    head: ['what', 'measured', 'needed', ''],
    rows: bars.map(({ what, measured, needed, unit, atMost, met }) => [
      what,
      figure(measured, unit),
      `${atMost ? '≤' : '≥'} ${figure(needed, unit)}`,
      met ? 'met' : 'NOT met',
    ]),
    notes: [bars.length ? '' : 'This run holds none of the measurements that a bar is about.', ...elsewhere].filter(
      Boolean,
    ),
  };
}
