// A comparison, from measuring to the report.

import { comparisonBars } from './bars.mjs';
import { comparisonChart } from './chart.mjs';
import { compare } from './comparison.mjs';
import { comparisonSections } from './report.mjs';

export const run = {
  title: 'Taula beside its peers',
  measure: compare,
  bars: comparisonBars,
  sections: comparisonSections,
  chart: comparisonChart,
};
