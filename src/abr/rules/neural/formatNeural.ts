import { sizeNote } from '../../segmentBytes.ts';
import { formatRung } from '../../format.ts';
import type { Explained } from './neuralAnswer.ts';

/** Why, in sentences: the odds, what they hung on, the guard, and what the net never saw in training. */
export function formatNeural(explained: Explained): string {
  const { asked, wished, rung, probabilities } = explained;
  const { state, moment } = asked;
  const odds = `The net gives ${formatRung(state.ladder, wished)} a probability of ${percent(probabilities[wished]!)}, more than any other${sizeNote(state, moment.segment)}.`;
  return [odds, formatReason(explained), formatGuard(rung, wished), formatOutside(explained)]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** Below this a hidden input moves nothing that anybody sees. */
const NOTHING = 0.005;

function formatReason({ reasons }: Explained): string {
  const reported = reasons.filter(({ share }) => share >= NOTHING);
  if (reported.length === 0) return 'No single input, put at a middling value, would move that.';
  const each = reported.map(({ label, share }) => `${label} (${percent(share)})`);
  return `It hung most on ${each.join(', ')}: so much of the probability moves when that is put at a middling value.`;
}

function formatGuard(rung: number, wished: number): string {
  if (rung === wished) return '';
  return rung < wished
    ? `The guard takes rung ${rung + 1} instead: at the slowest rate of late a higher one would empty the buffer.`
    : `The guard takes rung ${rung + 1} instead: even at the slowest rate of late it comes twice as fast as it plays, and the buffer is half full.`;
}

const formatOutside = ({ outside }: Explained): string =>
  outside !== null && outside.length > 0 ? `Outside what it was trained on: ${outside.join(', ')}.` : '';

const percent = (share: number): string => `${Math.round(share * 100)} %`;
