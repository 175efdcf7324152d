import type { ErrorEvent } from '../../telemetry/event.ts';
import type { Diagnostic } from './finding.ts';
import { cut } from './format.ts';

const ID = 'sizes';
const MAX = 5;

/** Sizes of segments that were asked for and not got: the rule goes on with what it assumes. */
export const sizesFaults: Diagnostic = {
  id: ID,
  label: 'missing segment sizes',
  watch() {
    const faults: ErrorEvent[] = [];
    return {
      see(event) {
        if (event.kind !== 'error' || event.source !== 'player' || event.code !== 'sizes') return;
        if (faults.length < MAX) faults.push(event);
      },
      findings: () =>
        faults.map(({ message, atMs }, index) => ({
          id: `${ID}:${index}`,
          severity: 'warning' as const,
          sentence: `${cut(message)}. The rule assumes bitrate × duration instead`,
          fix: null,
          atMs,
        })),
    };
  },
};
