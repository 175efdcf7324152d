import type { ErrorEvent } from '../../telemetry/event.ts';
import type { Diagnostic } from './finding.ts';
import { cut } from './format.ts';
import { formatCount } from '../../shared/format.ts';

const ID = 'rule-fault';
const MAX_RULES = 10;

/** Exceptions of rules. Playback went on, but not as the rule's author meant. */
export const ruleFaults: Diagnostic = {
  id: ID,
  label: 'rule errors',
  watch() {
    const faults = new Map<string, { first: ErrorEvent; count: number }>();
    return {
      see(event) {
        if (event.kind !== 'error' || event.source !== 'rule') return;
        const known = faults.get(event.code);
        if (known) known.count += 1;
        else if (faults.size < MAX_RULES) faults.set(event.code, { first: event, count: 1 });
      },
      findings: () =>
        Array.from(faults.values(), ({ first, count }) => ({
          id: `${ID}:${first.code}`,
          severity: 'warning' as const,
          sentence: `A rule failed ${formatCount(count, 'time')}, playback stayed on its rung: “${cut(first.message)}”`,
          fix: null,
          atMs: first.atMs,
        })),
    };
  },
};
