import type { ReportModel } from './reportModel.ts';

/** What a campaign found, for the first lines of its report. */
interface Answer {
  /** A claim for each comparison, in the order in which they were declared: none is picked for what it says. */
  readonly claims: readonly string[];
  /** How many claims were left out. */
  readonly more: number;
  /** What the claims are about, as in "10 repeats of one network on one machine". */
  readonly scope: string;
}

const MAX_CLAIMS = 4;

export function answerOf({ verdicts, scope }: Pick<ReportModel, 'verdicts' | 'scope'>): Answer {
  const claims = verdicts.map(({ sentence }) => splitSentence(sentence)[0]!);
  if (claims.length === 0) claims.push('No comparison is declared, so there is no verdict.');
  return { claims: claims.slice(0, MAX_CLAIMS), more: Math.max(0, claims.length - MAX_CLAIMS), scope };
}

/** The claim of a verdict's sentence, and the numbers behind it. */
export function splitSentence(sentence: string): readonly string[] {
  const place = sentence.search(/, (?:difference|95 %)|\. /);
  if (place < 0) return [sentence];
  const rest = sentence.slice(place + 2);
  return [`${sentence.slice(0, place)}.`, `${rest.charAt(0).toUpperCase()}${rest.slice(1)}`];
}
