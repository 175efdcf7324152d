import type { Check } from './check.ts';
import * as crossOrigin from './checks/crossOrigin.ts';
import * as files from './checks/files.ts';
import * as http3 from './checks/http3.ts';
import * as manifest from './checks/manifest.ts';
import * as names from './checks/names.ts';

/** Every check: each export of these files is one. */
export const checks: readonly Check[] = [files, names, http3, crossOrigin, manifest].flatMap((each) =>
  Object.values<Check>(each),
);
