import type { SimJob, SimTask } from './simTask.ts';

/** So many sessions in a job: few enough that all cores end together, enough that messages cost nothing. */
const SESSIONS = 8;

/** The work of a run. Optima come first, one by one: they take longest, and what is last should be small. */
export function jobsOf({ rules, traces }: Pick<SimTask, 'rules' | 'traces'>, withOptimum: boolean): SimJob[] {
  const optima = withOptimum ? traces.map((_, from) => ({ rule: null, from, to: from + 1 })) : [];
  const sessions = rules.flatMap((_, rule) =>
    Array.from({ length: Math.ceil(traces.length / SESSIONS) }, (_, part) => ({
      rule,
      from: part * SESSIONS,
      to: Math.min((part + 1) * SESSIONS, traces.length),
    })),
  );
  return [...optima, ...sessions];
}
