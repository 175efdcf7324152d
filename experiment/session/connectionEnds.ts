import { endOf } from '../factors/ends.ts';
import type { FaultRule } from '../../lab/origin/faultRule.ts';
import type { InstrumentedOptions } from '../../lab/origin/startInstrumentedOrigin.ts';

/** An hour of play, with lead-in and start: the longest session that `ends` allows. */
const MAX_SECONDS = 4500;
/** In an hour: segments of 4 s in twelve ranges each, and their sound. */
const MAX_REQUESTS = 12_000;

/**
 * Makes the options of an origin that ends connections as a cell says. With GOAWAY every n-th request, or the first one after
 * each n seconds since the origin started, is the last of its connection.
 */
export function endingOptions(text: string | undefined): Pick<InstrumentedOptions, 'faults' | 'idleSeconds'> {
  const end = text === undefined ? null : endOf(text);
  if (end === null || end.kind === 'never') return {};
  if (end.kind === 'idle') return { idleSeconds: end.every };
  const { kind, every } = end;
  const count = Math.ceil((kind === 'requests' ? MAX_REQUESTS : MAX_SECONDS) / every);
  const rules = Array.from({ length: count }, (_, index): FaultRule => {
    const rule = { path: '*', count: 1, fault: { kind: 'go-away' } } as const;
    // The origin's rules count what the rules before them did not hit: that is one request less for each of them.
    return kind === 'requests'
      ? { ...rule, skip: (every - 1) * (index + 1) }
      : { ...rule, fromMs: every * 1000 * (index + 1), untilMs: every * 1000 * (index + 2) };
  });
  return { faults: rules };
}
