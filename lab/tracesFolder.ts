import path from 'node:path';
import { cacheFolder } from '../setup/cacheFolder.mjs';

/** Where the files of trace sets are kept: $PITWALL_TRACES, else the per-user cache. */
export const tracesFolder = (environment = process.env): string =>
  environment['PITWALL_TRACES'] || path.join(cacheFolder(environment), 'traces');
