import { sessionWindows } from '../correlation/sessionWindows.ts';
import type { Metric } from '../metric.ts';
import { tcpClassOf } from '../protocol.ts';
import { unmeasured } from '../unmeasured.ts';

/** How the TCP share of a session is spread over its windows. */
export const tcpWindows: Metric = {
  id: 'tcp-windows',
  label: 'windows by TCP share',
  meaning:
    'number of whole windows of 30 s, from the request to play, in which media of a known protocol arrived; by class of their TCP share: low below 30 %, medium below 60 %, high',
  unit: '',
  better: null,
  parts: 'counts',
  paper: 'Chaudhary et al., IEEE TNSM 21(3), 2024, §VI-A and Fig. 5',
  unknown: 'the session is shorter than a window, or none has media of a known protocol',
  of(log) {
    const shares = sessionWindows(log).flatMap(({ tcpShare }) => (tcpShare === null ? [] : [tcpShare]));
    if (shares.length === 0) return unmeasured('No whole window of 30 s has media of a known protocol.');
    const by = { low: 0, medium: 0, high: 0 };
    for (const share of shares) by[tcpClassOf(share)] += 1;
    return { value: shares.length, by };
  },
};
