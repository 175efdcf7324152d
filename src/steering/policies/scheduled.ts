/** Policies that measure nothing: which pathway they name depends on their parameters and the time alone. */
import type { SteeringContext, SteeringPolicy } from '../policy.ts';
import { tunablePolicy } from '../tunablePolicy.ts';

/** Does not steer: every request goes to the pathway of the MPD, and the browser chooses the protocol. */
export const browser: SteeringPolicy<{ readonly first: string }> = {
  id: 'browser',
  label: 'browser (no steering)',
  paper: 'none: what every player does today',
  parameters: {},
  start: ({ pathways }) => ({ first: firstOf(pathways) }),
  observe: (state) => state,
  choose: ({ first }) => ({ pathway: first, because: 'This policy leaves the choice to the browser.' }),
};

/** Uses one pathway from start to end. */
export const fixed = tunablePolicy({ pathway: 'tcp' }, ({ pathway }) => ({
  id: 'fixed',
  label: 'one pathway',
  paper: 'none: for comparisons',
  start: ({ pathways }: SteeringContext) => ({ pathway: known(pathways, pathway) }),
  observe: (state: { readonly pathway: string }) => state,
  choose: (state) => ({ pathway: state.pathway, because: 'This policy uses one pathway from start to end.' }),
}));

interface Entry {
  readonly atMs: number;
  readonly pathway: string;
}

/**
 * Knows when each pathway is the best one, from a parameter: the bound for all others, in lab and simulator, where the
 * network is known. `schedule` has the form `main@0_tcp@60_main@180`: pathway, and session time in s from which it is used.
 */
export const oracle = tunablePolicy({ schedule: 'main@0' }, ({ schedule }) => {
  const entries = schedule.split('_').map(entryOf);
  return {
    id: 'oracle',
    label: 'oracle (knows the network)',
    paper: 'none: the bound for comparisons',
    start({ pathways }: SteeringContext) {
      return { entries: entries.map(({ atMs, pathway }) => ({ atMs, pathway: known(pathways, pathway) })) };
    },
    observe: (state: { readonly entries: readonly Entry[] }) => state,
    choose(state, { nowMs, running, pathway: present }) {
      const due = state.entries.findLast(({ atMs }) => atMs <= nowMs) ?? state.entries[0]!;
      const late = running.find(({ purpose, pathway }) => purpose === 'media' && pathway !== due.pathway);
      return {
        pathway: due.pathway,
        because: `The schedule names ${due.pathway} from ${due.atMs / 1000} s on.`,
        ...(late && due.pathway !== present && { rescue: late.requestId }),
      };
    },
  };
});

function entryOf(text: string): Entry {
  const [, pathway, seconds] = /^([a-z0-9-]+)@(\d+(?:\.\d+)?)$/.exec(text.trim()) ?? [];
  if (pathway === undefined)
    throw new Error(`The parameter schedule of oracle has the form main@0_tcp@60, not "${text}".`);
  return { atMs: Number(seconds) * 1000, pathway };
}

/** A pathway that could not be used was left out before: then the first one takes its place. */
function known(pathways: SteeringContext['pathways'], wanted: string): string {
  return pathways.some(({ id }) => id === wanted) ? wanted : firstOf(pathways);
}

const firstOf = (pathways: SteeringContext['pathways']): string => pathways[0]?.id ?? 'main';
