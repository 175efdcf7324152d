import type { Verdict } from '../../src/analysis/statistics/verdict.ts';
import { BETTER, WORSE } from './figures/svg/element.ts';

export type VerdictName = Verdict | 'none';

/** How a verdict is named and marked: a word and a sign, and a colour among the page's tokens, which never stands alone. */
interface VerdictLook {
  readonly word: string;
  readonly sign: string;
  readonly tone: string;
}

/** In the order in which verdicts are counted. */
export const VERDICT_LOOKS: Readonly<Record<VerdictName, VerdictLook>> = {
  better: { word: 'better', sign: '▲', tone: BETTER },
  worse: { word: 'worse', sign: '▼', tone: WORSE },
  'better-inside': { word: 'better, inside the margin', sign: '△', tone: 'ink-2' },
  'worse-inside': { word: 'worse, inside the margin', sign: '▽', tone: 'ink-2' },
  equivalent: { word: 'equivalent', sign: '=', tone: 'ink' },
  'cannot-tell': { word: 'cannot tell', sign: '≈', tone: 'ink-2' },
  none: { word: 'no verdict', sign: '–', tone: 'ink-3' },
};

export const verdictLook = (verdict: Verdict | null): VerdictLook => VERDICT_LOOKS[verdict ?? 'none'];
