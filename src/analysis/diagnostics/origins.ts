import { formatCount } from '../../shared/format.ts';
import { protocolOf } from '../transport/protocol.ts';
import type { Diagnostic, Finding } from './finding.ts';
import type { RequestEvent } from '../../telemetry/event.ts';
import { originOf } from './format.ts';

/** So few say nothing yet: the browser may still discover h3. */
const MIN_REQUESTS = 5;

/** Nothing to compare and nothing to switch to. Silent where the browser was started to use only http/1.1. */
export const onlyHttp1: Diagnostic = {
  id: 'only-http1',
  label: 'all media on http/1.1',
  watch({ environment }) {
    let count = 0;
    let firstMs = 0;
    let others = false;
    return {
      see(event) {
        if (event.kind !== 'request' || event.type !== 'media') return;
        const protocol = protocolOf(event.protocol);
        if (protocol === 'h1' && (count += 1) === 1) firstMs = event.atMs;
        others ||= protocol === 'h2' || protocol === 'h3';
      },
      findings() {
        if (environment.transport === 'h1' || others || count < MIN_REQUESTS) return [];
        return [
          {
            id: 'only-http1',
            severity: 'warning',
            sentence: `All ${count} media requests with a known protocol used http/1.1, so transports cannot be compared`,
            // Without TLS, or with a certificate that they do not trust, browsers use http/1.1 whatever the origin offers.
            fix: 'h2 and h3 need https, a certificate that this browser trusts (npm start prints the command) and an origin that offers them (ALPN, Alt-Svc)',
            atMs: firstMs,
          },
        ];
      },
    };
  },
};

interface Hidden {
  count: number;
  firstMs: number;
}

const NO_TAO = 'no-timing-allow-origin';
const MAX_ORIGINS = 20;
const ELSEWHERE = 'Another origin';

/** Without this header the browser hides protocol, phases and sizes of another origin (Resource Timing §4.5). */
export const noTimingAllowOrigin: Diagnostic = {
  id: NO_TAO,
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
  id: `${NO_TAO}:${origin}`,
  severity: 'warning',
  sentence: `${origin} sends no Timing-Allow-Origin, so protocol and phases of ${formatCount(count, 'request')} are unknown`,
  fix: 'add the header Timing-Allow-Origin: *',
  atMs: firstMs,
});
