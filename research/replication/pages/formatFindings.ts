import path from 'node:path';
import type { Aggregate } from '../results/aggregate.ts';
import { claimResults, type ClaimOutcome } from '../results/claimResult.ts';
import { resultsFile } from '../campaignFiles.ts';
import { findings, type Compared, type Finding, type Occurs } from '../findings.ts';
import { spreadOf, type Spread } from './partState.ts';
import type { Claim, Paper, Quantity } from '../paperCampaign.ts';
import type { Reproduction } from './paperPage.ts';
import { networkGroups } from '../../../experiment/design/networks.ts';
import { readKnownSessions } from '../../../experiment/report/read/readKnownSessions.ts';
import { plain } from '../../../experiment/report/text/markdown.ts';
import { metrics } from '../../../src/analysis/metrics/registry.ts';
import type { Metric } from '../../../src/analysis/metrics/metric.ts';
import type { KnownSession } from '../../../src/analysis/prediction.ts';
import { binomialTail } from '../../../src/analysis/statistics/rareEvents.ts';
import type { Interval } from '../../../src/analysis/statistics/intervals.ts';
import { meanTest } from '../../../src/analysis/statistics/meanIntervals.ts';
import { signedRank } from '../../../src/analysis/statistics/rankTests.ts';
import { meanOf } from '../../../src/analysis/statistics/summaries.ts';
import { differenceOf, directionOf, holm } from '../../../src/analysis/statistics/verdict.ts';
import { decimalsOf, formatCount, formatSigned, formatUnit } from '../../../src/shared/format.ts';
import { pick } from '../../../src/shared/registry.ts';

const WORDS = [
  'holds',
  'holds, smaller',
  'holds, larger',
  'differs',
  'cannot tell',
  'not played',
  'withdrawn',
] as const;
type Verdict = (typeof WORDS)[number];

/** Our result beside a finding. */
interface Answer {
  readonly ours: string;
  readonly playedOn: string;
  readonly verdict: string;
}

const nothing = (ours: string): Answer => ({ ours, playedOn: '', verdict: 'not played' });

/** Formats the table of findings, each with what the committed results say of it. */
export async function formatFindings(
  root: string,
  found: readonly (readonly [Paper, readonly Reproduction[]])[],
): Promise<string> {
  const known = { root, reproductions: found.flatMap(([, all]) => all) };
  const rows = await Promise.all(
    findings.map(async (finding) => {
      const { ours, playedOn, verdict } = await answerOf(finding, known);
      const isLacking = finding.needs !== undefined && (await occurrenceOf(finding.needs, known)).isEmpty;
      const differs = finding.differs === undefined ? '' : ` ${finding.differs}`;
      const page = `[${finding.paper.slice(0, 4)}](${finding.paper}.md), ${finding.where}`;
      const cells = [
        finding.says,
        `${ours}.${differs}`,
        playedOn || '–',
        isLacking ? 'cannot tell' : verdict,
      ];
      return [page, ...cells.map(plain)];
    }),
  );
  const verdicts = rows.map((row) => row.at(-1)!);
  const counts = WORDS.map(
    (verdict) => [verdict, verdicts.filter((each) => each === verdict).length] as const,
  );
  const mixed = verdicts.length - counts.reduce((sum, [, count]) => sum + count, 0);
  const counted = [...counts, ['not alike in all parts', mixed] as const].filter(([, count]) => count > 0);
  return [
    `${formatCount(findings.length, 'finding')}: ${counted.map(([verdict, count]) => `${count} ${verdict}`).join('; ')}.`,
    [HEAD, HEAD.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n'),
  ].join('\n\n');
}

const HEAD = ['paper', 'finding', 'ours', 'played on', 'verdict'];

interface Known {
  readonly root: string;
  readonly reproductions: readonly Reproduction[];
}

async function answerOf({ by }: Finding, known: Known): Promise<Answer> {
  if ('notPlayed' in by) return nothing(by.notPlayed.replace(/\.$/, ''));
  if ('campaigns' in by) return occursAnswer(by, known);
  if ('table' in by) {
    const { sessions } = await readKnownSessions([path.join(known.root, by.table)]);
    return comparedAnswer(sessions, by);
  }
  const { campaign, results } = known.reproductions.find(({ campaign: { id } }) => id === by.campaign)!;
  const aggregate = results.full ?? results.scaled;
  if (aggregate === null) return nothing(`"pitwall papers run ${campaign.id}" is built`);
  return claimsAnswer(campaign.claims, aggregate, by.claims);
}

/** Reads whether a quantity occurs in tables, or in the scaled results of campaigns. */
async function occurrenceOf(
  { campaigns, occurs }: Occurs,
  { root }: Known,
): Promise<Spread & { sessions: readonly KnownSession[] }> {
  const fileOf = (id: string) => (id.endsWith('.csv') ? path.join(root, id) : resultsFile(root, id, 'csv'));
  const { sessions: all } = await readKnownSessions(campaigns.map(fileOf));
  const sessions = all.filter(({ arm }) => occurs.transport === undefined || isOf(arm, [occurs.transport]));
  return { sessions, ...spreadOf(occurs, sessions) };
}

async function occursAnswer(by: Occurs, known: Known): Promise<Answer> {
  const { sessions, isEmpty, sentence } = await occurrenceOf(by, known);
  const answer = isEmpty || by.often === undefined ? null : oftenAnswer(by.occurs, by.often, sessions);
  return {
    ours: answer?.ours ?? sentence.replace(/\.$/, ''),
    playedOn: formatPlayed(new Set(sessions.map(({ network }) => network)).size, sessions.length),
    verdict: isEmpty ? 'cannot tell' : (answer?.verdict ?? 'holds'),
  };
}

/** Counts the sessions that have as much of a quantity as in the paper: `smaller` where its share of sessions is too large for ours. */
function oftenAnswer(
  { metric: id }: Quantity,
  { min, share }: NonNullable<Occurs['often']>,
  sessions: readonly KnownSession[],
): { readonly ours: string; readonly verdict: Verdict } {
  const { label, unit } = pick<Metric>(metrics, id);
  const values = sessions.flatMap(({ values: known }) => known[id] ?? []).sort((one, other) => one - other);
  const hits = values.filter((value) => value >= min).length;
  const count = values.length;
  const [lowest, middle, highest] = [0, Math.floor(count / 2), count - 1].map((place) =>
    values[place]!.toFixed(1),
  );
  const isRarer = binomialTail(hits, count, share) < ALPHA / 2;
  const isOftener = hits > 0 && 1 - binomialTail(hits - 1, count, share) < ALPHA / 2;
  const verdict: Verdict = isRarer ? 'holds, smaller' : isOftener ? 'holds, larger' : 'holds';
  const spread = `${lowest} to ${highest} ${unit}, median ${middle}`;
  return { ours: `${hits} of ${count} sessions; ${label} is ${spread}`, verdict };
}

const formatPlayed = (networks: number, sessions: number): string =>
  `${formatCount(networks, 'network')}, ${formatCount(sessions, 'session')}`;

function claimsAnswer(
  claims: readonly Claim[],
  aggregate: Aggregate,
  asked: Partial<Omit<Claim, 'says'>>,
): Answer {
  const isAsked = (claim: Claim): boolean =>
    Object.entries(asked).every(([field, value]) => claim[field as keyof Claim] === value);
  const results = claimResults(claims, aggregate);
  const chosen = claims.flatMap((claim, place) => {
    const result = isAsked(claim) ? (results[place] ?? null) : null;
    return result === null ? [] : [{ claim, result }];
  });
  const label = labelOf(chosen.map(({ claim }) => claim));
  const networks = new Set(chosen.map(({ claim }) => claim.network));
  const compared = aggregate.arms.filter(({ arm, network: on }) =>
    chosen.some(
      ({ claim: { first, second, within, network } }) =>
        on === network && [first, second].some((name) => isOf(arm, [name, ...within.split('/')])),
    ),
  );
  return {
    ...formatAll(
      chosen.map(({ claim, result }) => ({
        ours: result.outcome === 'withdrawn' ? result.short : `${label(claim)}${result.short}`,
        verdict: VERDICTS[result.outcome],
      })),
    ),
    playedOn: formatPlayed(
      networks.has(null) ? networkGroups(aggregate.campaign).size : networks.size,
      compared.reduce((sum, { sessions }) => sum + sessions, 0),
    ),
  };
}

/** Names what tells claims apart, and nothing where there is one. */
function labelOf(claims: readonly Claim[]): (claim: Claim) => string {
  const fields = (['within', 'first', 'second', 'network'] as const).filter(
    (field) => new Set(claims.map((claim) => claim[field])).size > 1,
  );
  return (claim) =>
    fields.length === 0 ? '' : `${fields.map((field) => claim[field] ?? 'all').join(' against ')}: `;
}

const VERDICTS: Readonly<Record<ClaimOutcome, Verdict>> = {
  smaller: 'holds, smaller',
  larger: 'holds, larger',
  same: 'holds',
  'a difference, inside the margin': 'holds',
  opposite: 'differs',
  'size excluded': 'differs',
  'a difference': 'differs',
  'cannot tell': 'cannot tell',
  'not contradicted': 'cannot tell',
  'cannot fail': 'cannot tell',
  'not known': 'cannot tell',
  withdrawn: 'withdrawn',
};

/** Formats the parts of a finding. The verdict is one word where they agree, else `holds in 3 of 4, cannot tell in 1`. */
function formatAll(parts: readonly { ours: string; verdict: Verdict }[]): Pick<Answer, 'ours' | 'verdict'> {
  const counts = WORDS.map((word) => [word, parts.filter(({ verdict }) => verdict === word).length] as const);
  const there = counts.filter(([, count]) => count > 0);
  if (there.length === 1)
    return { ours: [...new Set(parts.map(({ ours }) => ours))].join('; '), verdict: there[0]![0] };
  const verdicts = there.map(
    ([word, count], place) => `${word} in ${count}${place === 0 ? ` of ${parts.length}` : ''}`,
  );
  const ours = parts.map((part) => `${part.ours} ${part.verdict}`);
  return { ours: ours.join('; '), verdict: verdicts.join(', ') };
}

const DRAWS = { seed: 20261129, resamples: 50_000 };
const [CONFIDENCE, ALPHA] = [0.95, 0.05];
/** Share of the second arm's mean within which two arms count as alike. */
const MARGIN = 0.05;

/** Compares arms of a table by network, with Holm's correction over the pairs of the finding. */
function comparedAnswer(
  sessions: readonly KnownSession[],
  { metric: id, pairs }: { metric: string; pairs: readonly Compared[] },
): Answer {
  const { unit } = pick<Metric>(metrics, id);
  const rows = pairs.map((pair) => differencesOf(sessions, { id, pair }));
  const tests = rows.map(({ differences }) => signedRank(differences));
  const means = rows.map(({ differences }) => meanTest(differences, DRAWS));
  const corrected = holm(tests.map(({ p }) => p));
  const inside = holm(
    rows.map(({ mean }, place) =>
      Math.max(means[place]!.pBelow(MARGIN * mean), means[place]!.pAbove(-MARGIN * mean)),
    ),
  );
  const answers = rows.flatMap(({ differences, mean, networks }, place) => {
    const interval = means[place]!.interval(CONFIDENCE);
    const { positive, negative } = tests[place]!;
    const direction = directionOf({
      interval,
      rankBalance: positive - negative,
      holmP: corrected[place]!,
      alpha: ALPHA,
    });
    const { first, second, expects, size } = pairs[place]!;
    if (expects === null) return [];
    const isInside = inside[place]! < ALPHA && interval !== null && isWithin(interval, MARGIN * mean);
    const isHeld = expects === 'no difference' ? isInside : direction === expects;
    const label = pairs.length === 1 ? '' : `${first.join(' ')} against ${second.at(-1)!}: `;
    const verdict: Verdict = isHeld
      ? sizedVerdict({ size, interval, differences })
      : direction === 'cannot-tell'
        ? 'cannot tell'
        : 'differs';
    return [{ ours: `${label}${formatMean({ differences, interval }, unit)}`, verdict, networks }];
  });
  const compared = pairs.flatMap(({ first, second, expects }) => (expects === null ? [] : [first, second]));
  return {
    ...formatAll(answers),
    playedOn: formatPlayed(
      Math.max(...answers.map(({ networks }) => networks)),
      sessions.filter(({ arm }) => compared.some((names) => isOf(arm, names))).length,
    ),
  };
}

/** As sizes of claims are compared: a size outside our interval is another one where it is over twice or below half of ours. */
function sizedVerdict({ size, interval, differences }: Sized): Verdict {
  if (size === undefined || interval === null || (interval[0] <= size && size <= interval[1])) return 'holds';
  const ratio = size / (meanOf(differences) ?? size);
  return ratio > 2 ? 'holds, smaller' : ratio < 0.5 ? 'holds, larger' : 'holds';
}

interface Sized {
  readonly size: number | undefined;
  readonly interval: Interval | null;
  readonly differences: readonly number[];
}

const isWithin = ([from, to]: Interval, margin: number): boolean => -margin < from && to < margin;

const isOf = (arm: string, names: readonly string[]): boolean =>
  names.every((name) => arm.split('/').includes(name));

function differencesOf(
  sessions: readonly KnownSession[],
  { id, pair: { first, second } }: { id: string; pair: Compared },
): { differences: readonly number[]; mean: number; networks: number } {
  const networks = [...new Set(sessions.map(({ network }) => network))];
  const meanIn = (network: string, names: readonly string[]): number | null =>
    meanOf(
      sessions
        .filter((each) => each.network === network && isOf(each.arm, names))
        .flatMap(({ values }) => values[id] ?? []),
    );
  const couples = networks.flatMap((network) => {
    const [one, other] = [meanIn(network, first), meanIn(network, second)];
    return one === null || other === null ? [] : [[one, other] as const];
  });
  return {
    differences: couples.map(([one, other]) => differenceOf(one, other)),
    mean: meanOf(couples.map(([, other]) => other)) ?? 0,
    networks: couples.length,
  };
}

function formatMean({ differences, interval }: Omit<Sized, 'size'>, unit: string): string {
  const mean = meanOf(differences) ?? 0;
  const decimals = decimalsOf(interval, mean);
  const range =
    interval === null
      ? 'no interval'
      : `${formatSigned(interval[0], decimals)} to ${formatSigned(interval[1], decimals)}`;
  return `${formatSigned(mean, decimals)}${formatUnit(unit)} (${range})`;
}
