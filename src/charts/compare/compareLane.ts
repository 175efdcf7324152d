import type { Entry } from '../../shared/registry.ts';
import type { Lane, View } from '../chart.ts';
import type { AlignedTime } from '../../analysis/comparison/alignedTime.ts';
import type { SessionSeries } from '../../analysis/timeline/series.ts';
import type { SessionLook } from './sessionLooks.ts';
import type { DotsMark, HatchMark, SpansMark, TextsMark } from '../marks/mark.ts';

/** Builds one lane for several sessions as a pure function. The painters are those of the charts of one session. */
export interface CompareLane extends Entry {
  /** Returns whether a session has data for the lane; absent: always. A lane without data takes no space. */
  hasData?(comparison: Comparison): boolean;
  /** Returns a lane whose `heightPx` is never null. Times are in ms of the shared axis. */
  build(comparison: Comparison, view: View): Lane;
  /** Returns the value of one session at a time of the axis, with its unit, or a text if there is no value. */
  says(session: ComparedSession, atMs: number, comparison: Comparison): string;
  /** Returns the values of an arm. A lane that has this takes the place of those without it where arms are shown. */
  saysArm?(arm: ComparedArm, atMs: number): string;
}

/** A session as one of several on a shared axis. */
export interface ComparedSession {
  readonly series: SessionSeries;
  readonly time: AlignedTime;
  readonly look: SessionLook;
}

/** What is on show: sessions in their order, one of them the reference, perhaps one that a person looks at. */
export interface Comparison {
  readonly sessions: readonly ComparedSession[];
  /** The one that differences are to, within its pair; it is among `sessions`. */
  readonly reference: ComparedSession;
  /** Differences are told within these alone. Each session is in one of them. */
  readonly pairs: readonly ComparedPair[];
  /** The arms to show in place of all sessions; empty: sessions are shown. */
  readonly arms: readonly ComparedArm[];
  /** The others step back while one is chosen. */
  readonly chosen: ComparedSession | null;
}

/** Sessions that are compared with each other (`analysis/comparison/pairs.ts`). */
export interface ComparedPair {
  /** null: there is only one, or its sessions belong to no campaign. */
  readonly name: string | null;
  readonly sessions: readonly ComparedSession[];
  readonly reference: ComparedSession;
}

/** The sessions of an arm of a campaign, named and drawn as one. */
export interface ComparedArm {
  readonly name: string;
  readonly look: SessionLook;
  readonly sessions: readonly ComparedSession[];
}

/** Returns whether a lane is one of those that are shown, with data or without. */
export const isShown = ({ saysArm }: CompareLane, { arms }: Pick<Comparison, 'arms'>): boolean =>
  (saysArm !== undefined) === arms.length > 0;

/** Returns the session of the same pair that a session is compared with: itself for a reference. */
export const referenceOf = (
  session: ComparedSession,
  { pairs }: Pick<Comparison, 'pairs'>,
): ComparedSession => pairs.find(({ sessions }) => sessions.includes(session))?.reference ?? session;

/** Returns whether a session played video. Where all are transfers of files, lanes of a player have nothing to show. */
export const anyPlays = ({ sessions }: { sessions: readonly Pick<ComparedSession, 'series'>[] }): boolean =>
  sessions.some(({ series }) => !series.scene.isTransfer);

/** Returns whether a moment of the axis lies behind a session's last. */
export const hasEnded = ({ time }: Pick<ComparedSession, 'time'>, atMs: number): boolean =>
  atMs > time.endMs + ROUNDING_MS;

/** Axes of several sessions end with the longest, some ms behind one that was stopped as early. */
const ROUNDING_MS = 500;

/** Returns the part of a session in a view of the shared axis as a view of its own time; null if it has none there. */
export function ownView({ time }: Pick<ComparedSession, 'time'>, view: View): View | null {
  if (time.endMs <= view.fromMs) return null;
  const fromMs = time.sessionMs(view.fromMs);
  const toMs = Math.max(fromMs + 1, time.sessionMs(Math.min(view.toMs, time.endMs)));
  return { ...view, fromMs, toMs, nowMs: toMs };
}

/** Marks that lie at moments of a session's own time, and can be moved to those of a shared axis. */
export type PlacedMark = SpansMark | HatchMark | TextsMark | DotsMark;

/** Moves each moment of a mark, from a session's own time to the shared axis. */
export function placedMark(mark: PlacedMark, of: (atMs: number) => number): PlacedMark {
  const all = (times: ArrayLike<number>): number[] => Array.from(times, of);
  switch (mark.kind) {
    case 'spans':
      return { ...mark, fromMs: all(mark.fromMs), midMs: all(mark.midMs), toMs: all(mark.toMs) };
    case 'hatch':
      return {
        ...mark,
        spans: mark.spans.map(({ fromMs, toMs }) => ({ fromMs: of(fromMs), toMs: of(toMs) })),
      };
    case 'texts':
      return { ...mark, items: mark.items.map((item) => ({ ...item, atMs: of(item.atMs) })) };
    case 'dots':
      return { ...mark, xs: all(mark.xs) };
  }
}
