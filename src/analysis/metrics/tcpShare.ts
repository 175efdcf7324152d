import { mediaBytesByProtocol } from '../mediaBytesByProtocol.ts';
import type { Metric } from '../metric.ts';
import { tcpShareOf } from '../protocol.ts';
import { unmeasured } from '../unmeasured.ts';

/** T / (T + Q): the share of media bytes that TCP carried, of those whose protocol is known. */
export const tcpShare: Metric = {
  id: 'tcp-share',
  label: 'TCP share',
  meaning:
    'T / (T + Q) of the media bytes whose protocol is known, including discovery (T: over TCP, Q: over QUIC)',
  unit: '%',
  better: null,
  paper: 'Chaudhary et al., IEEE TNSM 21(3), 2024, §III (RQvs.T)',
  unknown: 'the protocol of every media request is unknown',
  headline: 7,
  of(log) {
    const share = tcpShareOf(mediaBytesByProtocol(log));
    return share === null
      ? unmeasured('The protocol of every media request is unknown.')
      : { value: 100 * share };
  },
};
