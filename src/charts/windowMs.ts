import type { View } from './chart.ts';

const SECONDS = [5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 86_400, 604_800];
const MIN_BAR_PX = 7;
const MIN_SHARE_PX = 14;

/** Windows of the racing lane: 5 s and 30 s (racing paper 2024), longer where they would be too thin to see. */
export function windowMs(view: View): { binMs: number; shareMs: number } {
  const msPerPx = (view.toMs - view.fromMs) / view.maxPoints;
  const fitting = (minMs: number): number =>
    (SECONDS.find((seconds) => seconds * 1000 >= minMs) ?? 604_800) * 1000;
  const binMs = fitting(Math.max(5000, msPerPx * MIN_BAR_PX));
  return { binMs, shareMs: fitting(Math.max(30_000, binMs, msPerPx * MIN_SHARE_PX)) };
}
