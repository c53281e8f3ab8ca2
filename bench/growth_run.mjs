// Growth, from measuring to the report.

import { measureGrowth } from './growth.mjs';
import { growthBars, growthSections } from './growth_report.mjs';

export const run = { title: 'Taula, growing', measure: measureGrowth, bars: growthBars, sections: growthSections };
