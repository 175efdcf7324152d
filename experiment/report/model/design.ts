import { formatMargin, marginOf } from '../../verdict/margin.ts';
import type { Metric } from '../../../src/analysis/metrics/metric.ts';
import type { CampaignFile } from '../../design/campaignFile.ts';
import { factorsOf, armCount } from '../../factors/arms.ts';
import { factorOf } from '../../factors/registry.ts';
import type { CampaignPlan } from '../../design/plan.ts';
import { verdictReach } from '../../verdict/verdictReach.ts';
import { formatCount } from '../../../src/shared/format.ts';
import { listed } from '../reportTable.ts';

/** What a campaign asks, as one question for people. */
export function questionOf(campaign: CampaignFile, { label }: Pick<Metric, 'label'>): string {
  const { compare, control } = campaign;
  const compared = factorsOf(campaign).find(({ field }) => field === compare)?.values ?? [];
  const others = compared.filter((each) => each !== control);
  return control === undefined
    ? `Does ${factorOf(compare).words.question} make a difference to ${label}: ${listed(compared)}?`
    : `Does ${listed(others)} make a difference to ${label} against ${control}?`;
}

/** A line of the design: what it is called, and what it is. */
export interface Fact {
  readonly term: string;
  readonly text: string;
}

/** The design in words, from the campaign's file. */
export function designFacts({ campaign, networks, contents = [] }: CampaignPlan, metric: Metric): Fact[] {
  const { seconds, leadInSeconds, phase, repeats, seeds } = campaign;
  const leadIn = networks.length > 0 && leadInSeconds > 0 ? ` after a lead-in of ${leadInSeconds} s` : '';
  return [
    { term: 'Arms', text: formatArms(campaign) },
    ...(networks.length > 0
      ? [
          {
            term: 'Networks',
            text: networks.map(({ name, profile }) => `${profile.label} (${name})`).join(', '),
          },
        ]
      : [{ term: 'Networks', text: 'no emulated link' }]),
    ...(campaign.transfers
      ? []
      : [
          {
            term: 'Contents',
            text: campaign.contents.map((name) => formatContent(name, contents)).join('; '),
          },
        ]),
    {
      term: 'Pairs',
      text: `${formatCount(verdictReach(campaign).pairs, 'pair')} for each comparison: the same network, content, repeat and seed (${formatCount(repeats, 'repeat')}, ${formatCount(seeds.length, 'seed')}), arms in an order that is shuffled for each pair`,
    },
    {
      term: 'Session',
      text: campaign.transfers
        ? `until its objects have arrived, at most ${seconds} s${leadIn}`
        : `${seconds} s from the first frame${leadIn}, preset ${campaign.preset}`,
    },
    ...(campaign.viewer === undefined
      ? []
      : [{ term: 'Viewer', text: `${campaign.viewer}, the same for all arms of a pair` }]),
    ...(campaign.aaSessions === true
      ? [
          {
            term: 'A/A',
            text: 'in each pair one arm plays a second session, the arms in turn. No mean and no verdict counts these sessions: they show how far two sessions of the same arm differ',
          },
        ]
      : []),
    ...(networks.length > 0 ? [{ term: 'Phase', text: PHASES[phase] }] : []),
    { term: 'Judged by', text: formatJudged(campaign, metric) },
  ];
}

const PHASES = {
  start: 'every pair starts where its network starts',
  drawn: 'every pair starts at a random moment, the same for all its arms',
} as const;

function formatArms(campaign: CampaignPlan['campaign']): string {
  const parts = factorsOf(campaign).map(
    ({ field, values }) => `${values.length === 1 ? field.replace(/s$/, '') : field} ${listed(values)}`,
  );
  const count = armCount(campaign);
  return `${formatCount(count, 'arm')}: ${parts.join('; ')}`;
}

function formatContent(name: string, made: NonNullable<CampaignPlan['contents']>): string {
  const found = made.find((each) => each.name === name);
  if (!found) return name;
  const { segmentSeconds, ladderKbps, audioKbps } = found;
  const sound = audioKbps === null ? 'no audio' : `audio of ${audioKbps} kbit/s`;
  return `${name}: ${ladderKbps.join(', ')} kbit/s in segments of ${segmentSeconds} s, ${sound}`;
}

function formatJudged(campaign: CampaignPlan['campaign'], metric: Metric): string {
  const { alpha, control, per, compare } = campaign;
  const { label, unit, better } = metric;
  const margin = formatMargin(marginOf(campaign), unit);
  const versus =
    control === undefined ? `${compare} each with each` : `the other ${compare} against ${control}`;
  return `${label}${unit ? `, ${unit}` : ''}: ${better ?? 'neither'} is better, margin ${margin}, alpha ${alpha} for all comparisons together; ${versus}, ${per === 'network' ? 'on each network separately' : 'over all networks together'}`;
}
