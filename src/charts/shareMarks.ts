import type { ByteBins } from '../analysis/transport/overTime.ts';
import type { View } from './chart.ts';
import type { Mark, TextItem } from './mark.ts';
import { formatPercent, NO_BREAK } from '../shared/format.ts';

const LABEL_PX = 34;

/** The TCP share as a step line against the right axis, named where it changed and there is space. */
export function shareMarks(
  { bins, shares, toMs }: { bins: ByteBins; shares: ArrayLike<number>; toMs: number },
  view: View,
): Mark[] {
  const xs: number[] = [];
  const ys: number[] = [];
  const items: TextItem[] = [];
  const labelMs = ((view.toMs - view.fromMs) / view.maxPoints) * LABEL_PX;
  for (let bin = 0; bin < bins.count; bin += 1) {
    const share = shares[bin]!;
    const fromMs = Math.max(view.fromMs, bins.fromMs + bin * bins.binMs);
    const endMs = Math.min(toMs, bins.fromMs + (bin + 1) * bins.binMs);
    xs.push(fromMs, endMs);
    ys.push(share * 100, share * 100);
    const changed = !(Math.abs(share - (shares[bin - 1] ?? NaN)) < 0.05);
    if (!Number.isNaN(share) && changed && endMs - fromMs > labelMs) items.push(label(fromMs, share));
  }
  return [
    {
      kind: 'line',
      axis: 'right',
      xs,
      ys,
      tone: 'ink',
      widthPx: 1.75,
      dash: [],
      step: false,
      fill: false,
      halo: true,
    },
    { kind: 'texts', items },
  ];
}

const label = (atMs: number, share: number): TextItem => ({
  atMs,
  axis: 'right',
  y: share * 100,
  text: formatPercent(share, { space: NO_BREAK }),
  tone: 'ink',
  strong: true,
  align: 'left',
  dxPx: 4,
  dyPx: share > 0.8 ? 10 : -8,
  badge: null,
});
