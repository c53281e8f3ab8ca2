// Prints help where it is asked for, and refuses options that make no sense, before anything is installed.

import { settingsOrExit } from './options.mjs';

settingsOrExit(process.argv.slice(2));
