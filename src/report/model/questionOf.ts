import { listed } from '../format.ts';
import type { Metric } from '../../analysis/metrics/metric.ts';
import type { CampaignFile } from '../../../experiment/plan/campaignFile.ts';
import { factorsOf } from '../../../experiment/plan/factorsOf.ts';

/** What a campaign asks, as one question for people. */
export function questionOf(campaign: CampaignFile, { label }: Pick<Metric, 'label'>): string {
  const { compare, control } = campaign;
  const compared = factorsOf(campaign).find(({ field }) => field === compare)?.values ?? [];
  const others = compared.filter((each) => each !== control);
  return control === undefined
    ? `Does ${ONE[compare]} make a difference to ${label}: ${listed(compared)}?`
    : `Does ${listed(others)} make a difference to ${label} against ${control}?`;
}

const ONE: Readonly<Record<CampaignFile['compare'], string>> = {
  transports: 'the transport',
  rules: 'the rule',
  controllers: 'the congestion controller',
  aaLabels: 'a name that changes nothing',
};
