import type { Aggregate } from './aggregate.ts';
import { definitionChanges } from '../../../src/analysis/metrics/definitionChanges.ts';

type Kept = Pick<Aggregate, 'campaign' | 'definitions'>;

/**
 * Returns whether values of a metric are withdrawn: its sessions played sound, and were kept without their logs before a change
 * that no value of such a stream can be corrected for. What was shown by them is not known until they are played again.
 */
export const isWithdrawn = ({ campaign, definitions = 1 }: Kept, metric: string): boolean =>
  campaign.contents.some((content) => content.includes(':audio=')) &&
  definitionChanges.some(
    ({ version, metrics, isOfSound }) =>
      isOfSound === true && version > definitions && metrics.includes(metric),
  );

/** Says what of the metrics shown is withdrawn; empty where nothing is. */
export function formatWithdrawn(kept: Kept, shown: readonly string[]): string[] {
  const ids = [...new Set(shown)].filter((id) => isWithdrawn(kept, id));
  return ids.length === 0
    ? []
    : [
        `Withdrawn until these sessions are played again, because their stream has sound: ${ids.join(' and ')}, with what is said of it here.`,
      ];
}
