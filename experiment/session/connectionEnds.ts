import { endOf } from '../factors/ends.ts';
import type { FaultRule } from '../../lab/origin/faultRule.ts';
import type { InstrumentedOptions } from '../../lab/origin/startInstrumentedOrigin.ts';

/** Ends in one session at most: more than fit into an hour of play. */
const MAX_ENDS = 400;

/**
 * Makes the options of an origin that ends connections as a cell says. With GOAWAY every n-th request, or the first one after
 * each n seconds since the origin started, is the last of its connection.
 */
export function endingOptions(text: string | undefined): Pick<InstrumentedOptions, 'faults' | 'idleSeconds'> {
  const end = text === undefined ? null : endOf(text);
  if (end === null || end.kind === 'never') return {};
  if (end.kind === 'idle') return { idleSeconds: end.every };
  const { kind, every } = end;
  const rules = Array.from({ length: MAX_ENDS }, (_, index): FaultRule => {
    const rule = { path: '*', count: 1, fault: { kind: 'go-away' } } as const;
    // The origin's rules count what the rules before them did not hit: that is one request less for each of them.
    return kind === 'requests'
      ? { ...rule, skip: (every - 1) * (index + 1) }
      : { ...rule, fromMs: every * 1000 * (index + 1), untilMs: every * 1000 * (index + 2) };
  });
  return { faults: rules };
}
