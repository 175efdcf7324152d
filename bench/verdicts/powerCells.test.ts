import { expect, test } from 'vitest';
import { formatChance } from '../../experiment/verdict/rowPower.ts';
import { powerCell, powerDesigns, sessionNoises } from './powerCells.ts';

/** The whole matrix takes an hour of one core: `PITWALL_FULL=1`, or `npm run bench -- verdicts --only power`. */
const isFull = process.env.PITWALL_FULL === '1';
/** What is stated, with the shares of campaigns that hold it. */
const STATED: Record<string, [number, number]> = {
  '75 to 90 %': [0.75, 0.9],
  '80 %': [0.8, 0.8],
  'at least 80 %': [0.8, 1],
};
const CAMPAIGNS = isFull ? 500 : 60;
const all = powerDesigns.flatMap((design) => sessionNoises.map((noise) => ({ design, noise })));
/** Every 13th cell meets each noise, and few and many pairs. */
const cells = isFull ? all : all.filter((_, place) => place % 13 === 0);

test.each(cells)(
  '$noise.label, $design: what a campaign tells is found as often as it says, with A/A sessions too',
  ({ design, noise }) => {
    const { stated, found, foundWithAa, claimed } = powerCell(design, noise, CAMPAIGNS);
    expect(stated).toBeGreaterThan(0.9 * CAMPAIGNS);
    const [min, max] = STATED[formatChance(design.pairs, design.comparisons)]!;
    // Three points, and three standard errors of so few campaigns.
    const tolerance = 0.03 + 3 * Math.sqrt((0.8 * 0.2) / CAMPAIGNS);
    for (const share of [found / stated, foundWithAa / stated]) {
      expect(share).toBeGreaterThan(min - tolerance);
      expect(share).toBeLessThan(max + tolerance);
    }
    expect(claimed / CAMPAIGNS).toBeLessThan(0.05 + 3 * Math.sqrt((0.05 * 0.95) / CAMPAIGNS));
  },
  600_000,
);
