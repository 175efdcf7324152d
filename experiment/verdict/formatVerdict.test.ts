import { describe, expect, test } from 'vitest';
import { formatVerdict } from './formatVerdict.ts';
import { formatChance } from './rowPower.ts';
import { verdicts } from './verdicts.ts';
import type { CampaignFile } from '../design/campaignFile.ts';
import { networksOf } from '../design/networks.ts';
import { planCampaign } from '../design/planCampaign.ts';
import { startingFile } from '../design/startingFile.ts';

const bitrate = { label: 'mean bitrate', unit: 'kbit/s' };

/** The sentence on campaigns whose pairs differ by these values in turn; null: no value in the first arm. */
function formatted(
  differences: readonly (number | null | undefined)[],
  changes: Partial<CampaignFile> = {},
  { metric = bitrate, flagged = [0].slice(1) } = {},
): string {
  const unmargined: Partial<CampaignFile> = { ...startingFile };
  delete unmargined.margin;
  delete unmargined.marginPercent;
  const campaign = {
    ...unmargined,
    ...(changes.marginPercent === undefined && { margin: 50 }),
    rules: ['bola'],
    transports: ['h2', 'h3-racing'],
    repeats: differences.length,
    seeds: [1],
    ...changes,
  } as CampaignFile;
  const plan = planCampaign(campaign, networksOf(campaign));
  if (!plan.ok) throw new Error(plan.error);
  const { sessions } = plan.value;
  const values = new Map(
    sessions.flatMap(({ id, design, transport, rule }) => {
      const difference = differences[design.repeat];
      if (difference === undefined) return [];
      const isFirst = transport === 'h3-racing' || rule === 'sara';
      return [[id, isFirst ? (difference === null ? null : 3000 + difference) : 3000] as const];
    }),
  );
  const invalidated = sessions
    .filter(({ design }) => flagged.includes(design.repeat))
    .map(({ design }) => design.pair);
  const [row] = verdicts(plan.value, values, { better: 'higher', flagged: new Set(invalidated) });
  return formatVerdict(row!, metric, campaign);
}

const around = (middle: number, spread: number, pairs: number): number[] =>
  Array.from({ length: pairs }, (_, pair) => middle + spread * (((pair * 7) % pairs) / (pairs - 1) - 0.5));

describe('a verdict in words', () => {
  test('says who, what, how much, how sure, and better or worse', () => {
    expect(formatted([...around(220, 150, 33), -40, -30, 0])).toMatch(
      /^h3-racing against h2, mean bitrate: \+200 kbit\/s, \+6\.\d+ % \(95 % 1[67]\d to 22\d, won 33, tied 1 of 36 pairs, p_Holm < 0\.0001\): higher \(better\), beyond the margin of 50 kbit\/s$/,
    );
    expect(formatted(around(-220, 150, 20))).toMatch(
      /: −220 kbit\/s, −7\.\d+ % \(95 % −2\d\d to −\d+, won 0 of 20 pairs, .*\): lower \(worse\), beyond the margin of 50 kbit\/s$/,
    );
  });

  test('says of a sure difference that it does not matter, or that this is not known', () => {
    expect(formatted(around(20, 15, 20))).toMatch(
      /won 20 of 20 pairs, .*\): higher \(better\), inside the margin of 50 kbit\/s$/,
    );
    expect(formatted(around(50, 45, 20))).toMatch(
      /: higher \(better\), against the margin of 50 kbit\/s undecided$/,
    );
  });

  test('says of a margin in % what the ratios of the pairs say', () => {
    const percent = { marginPercent: 5 };
    expect(formatted(around(300, 60, 20), percent)).toMatch(/, \+10\.\d+ % .*, beyond the margin of 5 %$/);
    expect(formatted(around(60, 45, 20), percent)).toMatch(/, \+2\.\d+ % .*, inside the margin of 5 %$/);
  });

  test('names one pair that carries the difference, with the mean without it', () => {
    expect(formatted([...around(8, 6, 9), 120])).toMatch(
      /: higher \(better\), .*; one pair carries it: without it \+8(\.\d)? kbit\/s; one pair makes most of the spread: the interval may be too narrow$/,
    );
    expect(formatted(around(20, 15, 10))).not.toContain('carries');
  });

  test('says that a difference does not matter, or that the pairs are too few and how many are needed', () => {
    expect(formatted(new Array<number>(12).fill(0))).toBe(
      'h3-racing against h2, mean bitrate: 0 kbit/s, 0 % (95 % 0 to 0, won 0, tied 12 of 12 pairs, p_Holm = 1): equivalent: inside the margin of 50 kbit/s',
    );
    expect(formatted(around(0, 900, 20))).toMatch(
      /: cannot tell; these pairs find \d+ kbit\/s with a chance of 80 %, some \d+ pairs would find 50 kbit\/s$/,
    );
  });

  test('states the chance that the simulated step of Holm’s correction has', () => {
    expect([10, 19, 20].map((units) => formatChance(units, 1))).toEqual(['75 to 90 %', '75 to 90 %', '80 %']);
    expect(formatChance(20, 2)).toBe('at least 80 %');
  });

  test('says why there is none', () => {
    expect(formatted([5])).toMatch(
      /no verdict\. The design has too few pairs for any verdict: it needs at least 6/,
    );
    expect(formatted(new Array<undefined>(8).fill(undefined))).toBe(
      'h3-racing against h2, mean bitrate: no verdict. Only 0 of the 6 pairs that a verdict needs are available; of 8 pairs left out: 8 with a missing log',
    );
  });

  test('says which pairs are left out and why', () =>
    expect(formatted([...around(220, 150, 20), null, null, undefined, 7], {}, { flagged: [0, 1] })).toMatch(
      /: cannot tell; .*; nothing is claimed in favour of h3-racing: it has 3 missing or censored values, h2 has 1; of 24 pairs left out: 1 with a missing log, 2 invalidated by host overload, 2 without a value for h3-racing$/,
    ));

  test('names rule or transport and network where there are several', () => {
    const all = { rules: ['bola', 'sara'], profiles: ['dvl', 'dl'], per: 'network' } as const;
    expect(formatted(around(9, 9, 12), { ...all, rules: ['bola', 'bb'], profiles: ['dvl', 'dl'] })).toMatch(
      /^h3-racing against h2 under bola on dvl, /,
    );
    expect(formatted(around(9, 9, 12), { rules: ['bola', 'sara'], compare: 'rules' })).toMatch(
      /^sara against bola over h2, /,
    );
  });

  test('shows as many decimals as the interval deserves, and percentage points', () => {
    const shares = around(0.35, 0.2, 12);
    expect(formatted(shares, { margin: 0.1 }, { metric: { label: 'rebuffer rate', unit: '%' } })).toMatch(
      /rebuffer rate: \+0\.350 percentage points \(95 % 0\.3\d\d to 0\.3\d\d, won 12 of 12 pairs/,
    );
    expect(formatted(around(2, 5, 12), {}, { metric: { label: 'switches', unit: '' } })).toMatch(
      /switches: \+2\.0, \+0\.067 % \(95 %/,
    );
  });
});
