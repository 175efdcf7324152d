import type { CampaignFile } from './campaignFile.ts';
import type { PlannedSession } from './plan.ts';
import { splitName } from '../../src/shared/split.ts';
import { parseTransfer, type ConnectionStart } from '../../src/shared/transfer.ts';

type Design = Pick<
  CampaignFile,
  | 'rules'
  | 'transfers'
  | 'transports'
  | 'controllers'
  | 'steering'
  | 'beside'
  | 'split'
  | 'pages'
  | 'browsers'
  | 'aaLabels'
>;

/** A list of a campaign whose members its arms differ in. */
export interface Factor {
  readonly field: CampaignFile['compare'];
  readonly values: readonly string[];
}

/**
 * What arms are made of, in the order in which their names have it: rules, or transfers in their place. Controllers, steering,
 * flows beside the viewer, ranges of a segment, pages, browsers and A/A labels are a part of them only where declared.
 */
export const factorsOf = ({
  rules,
  transfers,
  transports,
  controllers,
  steering,
  beside,
  split,
  pages,
  browsers,
  aaLabels,
}: Design): Factor[] => [
  transfers ? { field: 'transfers', values: transfers } : { field: 'rules', values: rules },
  { field: 'transports', values: transports },
  ...(controllers ? [{ field: 'controllers' as const, values: controllers }] : []),
  ...(steering ? [{ field: 'steering' as const, values: steering }] : []),
  ...(beside ? [{ field: 'beside' as const, values: beside }] : []),
  ...(split ? [{ field: 'split' as const, values: split.map(splitName) }] : []),
  ...(pages ? [{ field: 'pages' as const, values: pages.map(({ name }) => name) }] : []),
  ...(browsers ? [{ field: 'browsers' as const, values: browsers }] : []),
  ...(aaLabels ? [{ field: 'aaLabels' as const, values: aaLabels }] : []),
];

/** An arm's name in `design.arm`. */
export const armName = (values: readonly string[]): string => values.join('/');

/** Every choice of one value from each list, the last list innermost. */
export const combinations = (lists: readonly (readonly string[])[]): string[][] =>
  lists.reduce<string[][]>((rows, list) => rows.flatMap((row) => list.map((value) => [...row, value])), [[]]);

/** The values of every arm, in the order of `factorsOf`. */
export function armsOf(campaign: Design): string[][] {
  const factors = factorsOf(campaign);
  const transportAt = factors.findIndex(({ field }) => field === 'transports');
  const steeringAt = factors.findIndex(({ field }) => field === 'steering');
  const all = combinations(factors.map(({ values }) => values)).filter(
    (values) => !campaign.transfers || isPossible(values[0]!, values[transportAt]!),
  );
  if (!campaign.steering) return all;
  const unsteered = policyWithoutQuic(campaign.steering);
  return all.filter((values) => isQuic(values[transportAt]!) || values[steeringAt] === unsteered);
}

/** Over TCP the server takes no request in the first packet: that would be the resumed session once more. */
const isPossible = (transfer: string, transport: string): boolean =>
  isQuic(transport) || connectionOf(transfer) !== 'zero-rtt';

/** How the browser's connection begins in a session of a transfer. */
export function connectionOf(transfer: string): ConnectionStart {
  const parsed = parseTransfer(transfer);
  return parsed.ok ? parsed.value.connection : 'cold';
}

const isQuic = (transport: string): boolean => transport.startsWith('h3');

/** Without QUIC both pathways are TCP, and every policy would play the same session again. */
const policyWithoutQuic = (steering: readonly string[]): string | undefined =>
  steering.includes('browser') ? 'browser' : steering[0];

/** How many arms each pair has. */
export const armCount = (campaign: Design): number => armsOf(campaign).length;

/** The rules of an entry of `rules`: one, or several of which each network has one in turn (`bola|bba`). */
export const rulesIn = (entry: string): readonly string[] => entry.split('|');

/** Every rule that a campaign plays. */
export const rulesOf = ({ rules }: Pick<CampaignFile, 'rules'>): string[] => [
  ...new Set(rules.flatMap(rulesIn)),
];

/** The name of the arm that a session plays, without an A/A label. */
export const armOf = ({
  rule,
  ruleEntry = rule,
  transport,
  controller,
  steering,
  beside,
  split,
  page,
  browser,
}: Pick<
  PlannedSession,
  'rule' | 'ruleEntry' | 'transport' | 'controller' | 'steering' | 'beside' | 'split' | 'page' | 'browser'
>): string =>
  armName([
    ruleEntry,
    transport,
    ...[
      controller,
      steering,
      beside,
      ...(split === undefined ? [] : [splitName(split)]),
      page,
      browser,
    ].filter((each) => each !== undefined),
  ]);

/**
 * The name of an A/A session's arm: of the second session that an arm plays in a pair (`aaSessions`). Labels and ids have no
 * capital letters, so no arm of a comparison has such a name.
 */
export const aaArmName = (arm: string): string => `${arm}${AA}`;

const AA = '/A/A';

export const isAaSession = ({ design }: { readonly design: { readonly arm: string } }): boolean =>
  design.arm.endsWith(AA);

/** The arm that an A/A session plays again. */
export const armOfAa = (aaArm: string): string => aaArm.slice(0, -AA.length);

/** How many sessions each pair has. */
export const sessionsInPair = (campaign: Design & Pick<CampaignFile, 'aaSessions'>): number =>
  armCount(campaign) + (campaign.aaSessions === true ? 1 : 0);

/**
 * What the sessions of a pair have in common that are compared with each other: all factors but the compared one. An A/A
 * session has that of the session that it plays again.
 */
export const commonOf = (
  { compare }: Pick<CampaignFile, 'compare'>,
  {
    rule,
    transfer,
    transport,
    controller = '',
    steering = '',
    beside = '',
    split,
    page = '',
    browser = '',
  }: Pick<
    PlannedSession,
    'rule' | 'transfer' | 'transport' | 'controller' | 'steering' | 'beside' | 'split' | 'page' | 'browser'
  >,
): string => {
  const first = transfer === undefined ? { rules: rule } : { transfers: transfer };
  const values = {
    ...{ ...first, transports: transport, controllers: controller },
    ...{ steering, beside, pages: page, browsers: browser, aaLabels: '' },
  };
  const common = Object.values({ ...values, [compare]: '' });
  return armName(split === undefined || compare === 'split' ? common : [...common, splitName(split)]);
};
