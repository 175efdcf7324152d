import { valueOf } from '../../src/shared/result.ts';
import type { CampaignFile } from '../../experiment/design/campaignFile.ts';
import type { CampaignPlan } from '../../experiment/design/plan.ts';
import { planCampaign } from '../../experiment/design/planCampaign.ts';
import { startingFile } from '../../experiment/design/startingFile.ts';
import { intervalCaution } from '../../experiment/verdict/cautions.ts';
import { detectableIn } from '../../experiment/verdict/rowPower.ts';
import { verdicts, type VerdictRow } from '../../experiment/verdict/verdicts.ts';
import { networkProfiles } from '../../src/network/profiles/registry.ts';
import { seededNormals, seededRandom } from '../../src/analysis/statistics/random.ts';
import { pick, type Entry } from '../../src/shared/registry.ts';

/** Network without random loss, on which the resolution of A/A sessions once made ties. */
const NETWORK = 'constant-3mbps';
/** Mean of an arm without a planted difference, in kbit/s; SCALE is the standard deviation of normal sessions about it. */
const LEVEL = 2000;
const SCALE = 100;

/** Noise of the sessions of both arms alike, so that the differences of equal arms are symmetric. */
interface SessionNoise extends Entry {
  readonly draw: (seed: number) => () => number;
}

const fromNormals =
  (made: (normal: () => number, uniform: () => number) => number) =>
  (seed: number): (() => number) => {
    const [normals, uniform] = [seededNormals(seed), seededRandom(seed + 1e6)];
    const normal = (): number => normals(1)[0]!;
    return () => made(normal, uniform);
  };

export const sessionNoises: readonly SessionNoise[] = [
  { id: 'normal', label: 'normal', draw: fromNormals((normal) => normal()) },
  {
    id: 't3',
    label: 'Student’s t, 3 degrees of freedom',
    draw: fromNormals((normal) => {
      const square = (normal() ** 2 + normal() ** 2 + normal() ** 2) / 3;
      return normal() / Math.sqrt(square);
    }),
  },
  {
    id: 'exponential',
    label: 'exponential, to the left',
    draw: fromNormals((_, uniform) => 1 + Math.log(1 - uniform())),
  },
  {
    id: 'falls',
    label: 'normal, and one session in ten falls by six deviations',
    draw: fromNormals((normal, uniform) => normal() - (uniform() < 0.1 ? 6 : 0)),
  },
];

/** A design of campaigns: two arms, or four arms each with each (six comparisons). */
interface PowerDesign {
  readonly pairs: number;
  readonly comparisons: 1 | 6;
  readonly isPercent: boolean;
}

export const powerDesigns: readonly PowerDesign[] = [10, 12, 16, 20, 30, 50].flatMap((pairs) =>
  ([1, 6] as const).map((comparisons, place) => ({
    pairs,
    comparisons,
    isPercent: (pairs / 2 + place) % 2 === 0,
  })),
);

/** Counts of what campaigns of one design and one noise state and find. */
export interface PowerCell {
  readonly campaigns: number;
  /** Campaigns that stated a detectable difference. */
  readonly stated: number;
  /** Campaigns that find the difference that they stated when it is planted in another campaign of the design. */
  readonly found: number;
  /** Campaigns that find their stated difference in another campaign where one arm of each pair plays a second session. */
  readonly foundWithAa: number;
  /** Campaigns of equal arms that claim any direction. */
  readonly claimed: number;
  /** Intervals of equal arms and those that hold 0; `trusted` leaves out the intervals that have a caution. */
  readonly intervals: Intervals;
  readonly trusted: Intervals;
}

interface Intervals {
  readonly count: number;
  readonly held: number;
}

export function powerCell(design: PowerDesign, noise: SessionNoise, campaigns: number): PowerCell {
  const [alone, withAa] = [planOf(design, false), planOf(design, true)];
  const each = Array.from({ length: campaigns }, (_, place) => {
    const draw = noise.draw(place + 1);
    const equal = playedRows(alone, draw, 0);
    const { detectable } = detectableIn(alone.campaign, shiftedRow(equal));
    const isFound = (plan: CampaignPlan): boolean =>
      detectable !== null && shiftedRow(playedRows(plan, draw, detectable)).judgement?.direction === 'higher';
    return { equal, detectable, isFound: isFound(alone), isFoundWithAa: isFound(withAa) };
  });
  const rows = each.flatMap(({ equal }) => equal);
  const isClaim = ({ judgement }: VerdictRow): boolean =>
    judgement !== null && judgement.direction !== 'cannot-tell';
  return {
    campaigns,
    stated: each.filter(({ detectable }) => detectable !== null).length,
    found: each.filter(({ isFound }) => isFound).length,
    foundWithAa: each.filter(({ isFoundWithAa }) => isFoundWithAa).length,
    claimed: each.filter(({ equal }) => equal.some(isClaim)).length,
    intervals: intervalsOf(rows),
    trusted: intervalsOf(rows.filter((row) => intervalCaution(row) === null)),
  };
}

function intervalsOf(rows: readonly VerdictRow[]): Intervals {
  const intervals = rows.flatMap(({ statistics }) => {
    const interval = statistics?.mean.interval ?? null;
    return interval === null ? [] : [interval];
  });
  return { count: intervals.length, held: intervals.filter(([min, max]) => min <= 0 && max >= 0).length };
}

/** Returns the comparison of the arm that gets the planted difference with its neighbour. */
const shiftedRow = (rows: readonly VerdictRow[]): VerdictRow => rows.at(-1)!;

/** Count of resamples, as many as a decision at 5 % needs; a verdict draws ten times as many. */
const RESAMPLES = 1000;

/** Draws the sessions of a plan, the last transport higher by `shift` kbit/s, and returns the rows of the verdicts. */
function playedRows(plan: CampaignPlan, draw: () => number, shift: number): VerdictRow[] {
  const shifted = plan.campaign.transports.at(-1)!;
  const values = new Map(
    plan.sessions.map(({ id, transport }) => [
      id,
      LEVEL + SCALE * draw() + (transport === shifted ? shift : 0),
    ]),
  );
  return verdicts(plan, values, { better: 'higher', isPositive: true, resamples: RESAMPLES });
}

function planOf({ pairs, comparisons, isPercent }: PowerDesign, aaSessions: boolean): CampaignPlan {
  const campaign = {
    ...startingFile,
    marginPercent: isPercent ? 5 : undefined,
    margin: isPercent ? undefined : 50,
    name: 'power',
    rules: ['throughput'],
    transports: comparisons === 1 ? ['h2', 'h3-only'] : ['h1', 'h2', 'h3-racing', 'h3-only'],
    profiles: [NETWORK],
    repeats: pairs,
    seeds: [1],
    primary: 'mean-bitrate',
    ...(aaSessions && { aaSessions }),
  } as CampaignFile;
  return valueOf(planCampaign(campaign, [{ name: NETWORK, profile: pick(networkProfiles, NETWORK) }]));
}
