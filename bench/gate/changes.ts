import path from 'node:path';
import { harmlessChanges, SEEDED_VERSION, seededFaults, type SeededChange } from './seededChanges.ts';
import type { Entry } from '../../src/shared/registry.ts';

/** Verdict that a gate should give. `no-regression`: anything but a regression; `unknown`: nobody knows it beforehand. */
type Expected = 'regression' | 'no-regression' | 'unknown';

/** A change of dash.js that a gate judges. Its label says in a sentence what changes. */
export interface Change extends Entry {
  readonly kind: 'release' | 'fault' | 'harmless' | 'aa';
  /** The build before the change, as on the command line of `pitwall gate`; `next` is the build after it. */
  readonly base: string;
  readonly next: string;
  readonly expected: Expected;
  /** Id of the metric in which the change should show; null where it is not known, or where the change shows in none. */
  readonly metric: string | null;
  /** Seed of the gate; absent: the seed of the usual gate. */
  readonly seed?: number;
}

interface Release {
  readonly from: string;
  readonly to: string;
  readonly label: string;
}

const ISSUES = 'https://github.com/Dash-Industry-Forum/dash.js/issues';

/** Releases that changed ABR code. No issue says whether a viewer of the gate's networks notices: that is not known beforehand. */
const releases: readonly Release[] = [
  {
    from: '5.0.1',
    to: '5.0.2',
    label: `Custom rules that abandon requests are no longer ignored (${ISSUES}/4755).`,
  },
  {
    from: '5.0.3',
    to: '5.1.0',
    label: `Every ABR rule has a priority that settings can change (${ISSUES}/4415).`,
  },
  {
    from: '5.1.1',
    to: '5.2.0',
    label: `The first byte of a response has its own time and not that of the request's start (${ISSUES}/5022).`,
  },
  {
    from: '5.2.0',
    to: '5.2.1',
    label: `BOLA takes over from 12 s of buffer on, no longer from the buffer target of 18 s (${ISSUES}/5040).`,
  },
  {
    from: '5.0.0',
    to: '5.2.1',
    label: `All changes since 5.0.0, of which a user reported constant changes of quality (${ISSUES}/4727).`,
  },
];

const dashed = (version: string): string => version.replaceAll('.', '-');

const releaseChange = ({ from, to, label }: Release): Change => ({
  id: `${dashed(from)}-to-${dashed(to)}`,
  label,
  kind: 'release',
  base: `dashjs@${from}`,
  next: `dashjs@${to}`,
  expected: 'unknown',
  metric: null,
});

/** Names of the builds without a seeded change. */
export const BASE_BUILD = 'base';
export const COPIES = ['copy-1', 'copy-2'] as const;

/** Returns the path of a build of dash.js. */
export const buildFile = (folder: string, name: string): string => path.join(folder, `${name}.js`);

const seededChange =
  (kind: 'fault' | 'harmless', folder: string) =>
  (change: SeededChange): Change => ({
    id: change.id,
    label: change.label,
    kind,
    metric: change.metric,
    base: buildFile(folder, BASE_BUILD),
    next: buildFile(folder, change.id),
    expected: kind === 'fault' ? 'regression' : 'no-regression',
  });

const aaChange = (folder: string, seed: number): Change => ({
  id: `aa-${seed}`,
  label: `Two copies of dash.js ${SEEDED_VERSION}, gate ${seed}.`,
  kind: 'aa',
  base: buildFile(folder, COPIES[0]),
  next: buildFile(folder, COPIES[1]),
  expected: 'no-regression',
  metric: null,
  seed,
});

/** Lists all changes, with `aaGates` gates of a build with itself; `folder` has the builds. */
export const changesIn = (folder: string, aaGates: number): readonly Change[] => [
  ...releases.map(releaseChange),
  ...seededFaults.map(seededChange('fault', folder)),
  ...harmlessChanges.map(seededChange('harmless', folder)),
  ...Array.from({ length: aaGates }, (_, index) => aaChange(folder, index + 1)),
];

/** Names of several changes at once. */
const GROUPS: readonly (Entry & { readonly kind: Change['kind'] })[] = [
  { id: 'releases', label: 'releases of dash.js', kind: 'release' },
  { id: 'faults', label: 'seeded faults', kind: 'fault' },
  { id: 'harmless', label: 'changes that do not change how dash.js plays', kind: 'harmless' },
  { id: 'aa', label: 'a build with itself', kind: 'aa' },
];

/** Entries that `--only` can name: a kind of changes, or one change. */
export const selectable: readonly Entry[] = [...GROUPS, ...changesIn('', 0)].map(({ id, label }) => ({
  id,
  label,
}));

/** Returns the changes that `--only` names; all if it is absent. */
export function selectChanges(changes: readonly Change[], only?: readonly string[]): readonly Change[] {
  if (only === undefined) return changes;
  const kinds = GROUPS.filter(({ id }) => only.includes(id)).map(({ kind }) => kind);
  return changes.filter(({ id, kind }) => only.includes(id) || kinds.includes(kind));
}
