import { gapsOf, type Gap } from '../gapsOf.ts';
import type { Diagnostic, Finding } from './finding.ts';
import { lasting } from './format.ts';
import { formatCount } from '../../shared/format.ts';

const ID = 'recording-gap';
const MAX = 5;

/** A resumed session: nobody knows what happened between two page loads. */
export const recordingGaps: Diagnostic = {
  id: ID,
  label: 'gaps in the recording',
  watch: ({ parts }) => {
    const gaps = gapsOf(parts);
    return { see: () => undefined, findings: () => [...gaps.slice(0, MAX).map(finding), ...rest(gaps)] };
  },
};

const finding = ({ fromMs, toMs }: Gap): Finding => ({
  id: `${ID}:${Math.round(fromMs)}`,
  severity: 'note',
  sentence: `Nothing was recorded for ${lasting(toMs - fromMs)}, until the page was loaded again and the session resumed`,
  fix: null,
  atMs: fromMs,
});

function rest(gaps: readonly Gap[]): Finding[] {
  const [first, ...others] = gaps.slice(MAX);
  if (!first) return [];
  const ms = [first, ...others].reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  return [
    {
      id: `${ID}:more`,
      severity: 'note',
      sentence: `The recording has ${formatCount(others.length + 1, 'more gap')}, ${lasting(ms)} in all`,
      fix: null,
      atMs: first.fromMs,
    },
  ];
}
