import { correlationMetric } from '../correlation/correlationMetric.ts';

/** Never to be read without its shifts: two series of noise reach 0.47 at 10 windows. */
export const tcpQualityCorrelation = correlationMetric(
  {
    id: 'tcp-quality-correlation',
    label: 'TCP share × quality drop',
    meaning:
      'maximum over lags of ±8 windows of the cross-correlation of TCP share and quality drop B per window of 30 s; with its lag (above 0: the drop follows the TCP share) and the share of circular shifts whose maximum is larger',
    paper: 'Chaudhary et al., IEEE TNSM 21(3), 2024, §VII eq. 1 and Fig. 9; the shifts are ours',
  },
  ({ qualityDropS }) => qualityDropS,
);
