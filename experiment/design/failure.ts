import { pick, type Entry } from '../../src/shared/registry.ts';

/** A way in which a session can fail, and whose failure that is. */
export interface Failure extends Entry {
  /**
   * `laboratory`: it says nothing of player or network, so the session is repeated. `outcome`: it is what the experiment
   * found, counted like any other and never repeated, or the worst sessions would be drawn again until they are good.
   */
  readonly whose: 'laboratory' | 'outcome';
  /** Whether what is played can cause it, too: a page that crashes, or a log that its player writes. */
  readonly mayBePlayer?: boolean;
  /** Whether a player that needs more of the machine meets it more often. */
  readonly mayBeLoad?: boolean;
}

export const failures = [
  { id: 'browser-did-not-start', label: 'the browser did not start', whose: 'laboratory' },
  {
    id: 'browser-ended',
    label: 'the browser or its page ended',
    whose: 'laboratory',
    mayBePlayer: true,
  },
  { id: 'link-did-not-answer', label: 'the emulated link did not answer', whose: 'laboratory' },
  { id: 'link-ended', label: 'the emulated link ended too early', whose: 'laboratory' },
  { id: 'load-ended', label: 'a flow beside the viewer could not run', whose: 'laboratory' },
  {
    id: 'origin-did-not-answer',
    label: 'a server did not start, ended or stood still',
    whose: 'laboratory',
  },
  {
    id: 'page-did-not-load',
    label: 'the page of the player did not load',
    whose: 'laboratory',
    mayBePlayer: true,
  },
  {
    id: 'visit-not-answered',
    label: 'the visit of a warm browser was not answered in time',
    whose: 'laboratory',
  },
  {
    id: 'play-not-on-time',
    label: 'play was not requested on time',
    whose: 'laboratory',
    mayBeLoad: true,
  },
  {
    id: 'guard-tripped',
    label: 'the machine was the bottleneck, not the network',
    whose: 'laboratory',
    mayBeLoad: true,
  },
  { id: 'pair-repeated', label: 'another session of its pair was played again', whose: 'laboratory' },
  {
    id: 'log-not-valid',
    label: 'the page wrote a log that is not valid',
    whose: 'laboratory',
    mayBePlayer: true,
  },
  {
    id: 'log-contradicted',
    label: "the log of the page is contradicted by the origin's log",
    whose: 'laboratory',
    mayBePlayer: true,
  },
  {
    id: 'racing-not-as-planned',
    label: 'the browser did not race as planned',
    whose: 'laboratory',
  },
  {
    id: 'discovery-not-as-planned',
    label: 'the browser did not learn of h3 as planned',
    whose: 'laboratory',
  },
  { id: 'log-not-written', label: 'the log could not be written', whose: 'laboratory' },
  { id: 'stream-did-not-start', label: 'no frame was shown in time', whose: 'outcome' },
  { id: 'player-gave-up', label: 'the player ended with an error', whose: 'outcome' },
] as const satisfies readonly Failure[];

export type FailureId = (typeof failures)[number]['id'];

/** Finds a failure by the id that stands in a file; undefined where this version knows none of that id. */
export const findFailure = (text: string): Failure | undefined => failures.find(({ id }) => id === text);

/** How often a session, and a pair, is repeated at most in one run. */
export const MAX_REPEATS = 2;

/** Whether a session that has failed so far in these ways, one each try, is to be tried again. */
export const isRepeated = (tries: readonly FailureId[]): boolean =>
  tries.length > 0 &&
  tries.length <= MAX_REPEATS &&
  tries.every((id) => pick<Failure>(failures, id).whose === 'laboratory');
