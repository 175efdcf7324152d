import type { RequestEvent } from '../../telemetry/event.ts';
import type { Diagnostic, Finding } from './finding.ts';
import { originOf } from './originOf.ts';
import { formatCount } from '../../shared/format.ts';

interface Hidden {
  count: number;
  firstMs: number;
}

const ID = 'no-timing-allow-origin';
const MAX_ORIGINS = 20;
const ELSEWHERE = 'Another origin';

/** Without this header the browser hides protocol, phases and sizes of another origin (Resource Timing §4.5). */
export const noTimingAllowOrigin: Diagnostic = {
  id: ID,
  label: 'origins without Timing-Allow-Origin',
  watch() {
    const origins = new Map<string, Hidden>();
    return {
      see(event) {
        if (event.kind !== 'request' || event.missing['protocol'] !== 'no-tao') return;
        const named = blamed(event);
        const origin = origins.has(named) || origins.size < MAX_ORIGINS ? named : ELSEWHERE;
        const hidden = origins.get(origin) ?? { count: 0, firstMs: event.atMs };
        hidden.count += 1;
        hidden.firstMs = Math.min(hidden.firstMs, event.atMs);
        origins.set(origin, hidden);
      },
      findings: () => Array.from(origins, ([origin, hidden]) => finding(origin, hidden)),
    };
  },
};

/** Every origin that a redirect passes must allow it; the browser does not report which one did not. */
function blamed({ url, finalUrl }: RequestEvent): string {
  const [asked, answered] = [originOf(url), originOf(finalUrl ?? url)];
  return asked === answered ? asked : `${asked} or ${answered}`;
}

const finding = (origin: string, { count, firstMs }: Hidden): Finding => ({
  id: `${ID}:${origin}`,
  severity: 'warning',
  sentence: `${origin} sends no Timing-Allow-Origin, so protocol and phases of ${formatCount(count, 'request')} are unknown`,
  fix: 'add the header Timing-Allow-Origin: *',
  atMs: firstMs,
});
