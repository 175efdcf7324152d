import { protocolOf } from '../protocol.ts';
import type { Diagnostic } from './finding.ts';

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
            fix: 'let the origin offer h2 (ALPN) and h3 (Alt-Svc)',
            atMs: firstMs,
          },
        ];
      },
    };
  },
};
