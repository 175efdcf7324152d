import { correlationMetric } from '../correlation/correlationMetric.ts';

/** Never to be read without its shifts. */
export const tcpStallCorrelation = correlationMetric(
  {
    id: 'tcp-stall-correlation',
    label: 'TCP share × stall',
    meaning:
      'maximum over lags of ±8 windows of the cross-correlation of TCP share and stall S per window of 30 s; with its lag (above 0: the stall follows the TCP share) and the share of circular shifts whose maximum is larger',
    paper: 'Chaudhary et al., IEEE TNSM 21(3), 2024, §VII eq. 2 and Fig. 9; the shifts are ours',
  },
  ({ stallS }) => stallS,
);
