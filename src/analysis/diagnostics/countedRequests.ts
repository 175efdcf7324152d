import type { RequestEvent } from '../../telemetry/event.ts';
import type { Diagnostic, Finding } from './finding.ts';

/** A diagnostic that counts the requests that `fits`, and says so from the first one on. */
export function countedRequests({
  id,
  label,
  severity,
  fits,
  sentence,
  fix,
}: Pick<Diagnostic, 'id' | 'label'> &
  Pick<Finding, 'severity' | 'fix'> & {
    readonly fits: (request: RequestEvent) => boolean;
    readonly sentence: (count: number) => string;
  }): Diagnostic {
  return {
    id,
    label,
    watch() {
      let count = 0;
      let firstMs = Infinity;
      return {
        see(event) {
          if (event.kind !== 'request' || !fits(event)) return;
          count += 1;
          firstMs = Math.min(firstMs, event.atMs);
        },
        findings: () =>
          count === 0 ? [] : [{ id, severity, sentence: sentence(count), fix, atMs: firstMs }],
      };
    },
  };
}
