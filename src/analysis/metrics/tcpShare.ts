import { mediaBytesByProtocol } from '../mediaBytesByProtocol.ts';
import type { Metric } from '../metric.ts';
import { tcpShareOf } from '../protocol.ts';
import { unmeasured } from '../unmeasured.ts';

/** T / (T + Q): the share of media bytes that TCP carried, of those whose protocol is known. */
export const tcpShare: Metric = {
  id: 'tcp-share',
  label: 'TCP share',
  meaning: 'T / (T + Q) of media bytes whose protocol is known, with discovery',
  unit: '%',
  better: null,
  paper: 'Chaudhary et al., IEEE TNSM 21(3), 2024, §III (RQvs.T)',
  unknown: 'no media request says which protocol carried it',
  headline: 7,
  of(log) {
    const share = tcpShareOf(mediaBytesByProtocol(log));
    return share === null
      ? unmeasured('No media request says which protocol carried it.')
      : { value: 100 * share };
  },
};
