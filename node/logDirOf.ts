import path from 'node:path';

/** Where in its folder a campaign keeps the logs. */
export const logDirOf = (outDir: string): string => path.join(outDir, 'sessions');
