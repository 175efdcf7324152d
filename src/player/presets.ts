import {
  changedParameters,
  entryOf,
  mustBeWithin,
  type Parameters,
  type Tunable,
} from '../shared/parameters.ts';
import type { Result } from '../shared/result.ts';

/** A named set of dash.js settings; every deviation from its defaults has its reason in a comment. */
export interface Preset extends Tunable<Preset> {
  readonly about: string;
  readonly changes: readonly Change[];
  /** How byte ranges are asked for: by dash.js through the browser's cache, or past it (docs/decisions/0013). */
  readonly byteRanges: 'cached' | 'no-store';
}

interface Change {
  /** Dotted path in dash.js' settings (core/Settings.js of 5.2.1). */
  readonly path: string;
  readonly value: number | string | boolean;
}

/** What the preset `experiment` can be given, each in its text: `experiment:bufferSeconds=8`. */
interface ExperimentParameters {
  /** One buffer target for all levels and lengths. */
  readonly bufferSeconds: number;
  /** How long a request for a segment or the manifest may take as a whole before the player gives it up and repeats it. */
  readonly timeoutSeconds: number;
}

const EXPERIMENT_PARAMETERS: ExperimentParameters = {
  /** With 20 s dash.js' BOLA keeps its own switch points: its parameters do not move below max(10 + 2 per rung). */
  bufferSeconds: 20,
  /** Above the longest outage in the lab's profiles (60 s); dash.js' 20 s kills honest downloads at 64–256 kbit/s. */
  timeoutSeconds: 120,
};

/** Maximum buffer target: the lab's long streams go on for 60 s after a session's end (`experiment/design/contents.ts`). */
const MAX_BUFFER_SECONDS = 60;
/** Maximum time-out of a request: ten minutes. */
const MAX_TIMEOUT_SECONDS = 600;

const asShipped: Preset = {
  id: 'as-shipped',
  label: 'As dash.js ships',
  about: 'Every setting is the default of dash.js, as on a site that only includes the player.',
  parameters: {},
  changes: [],
  byteRanges: 'cached',
};

const EXPERIMENT = { id: 'experiment', label: 'Experiment' };

/** Without a parameter that differs from the usual, its text is its name alone. */
function experimentWith(parameters: ExperimentParameters): Preset {
  const settings = Object.entries(parameters)
    .filter(([name, value]) => value !== EXPERIMENT_PARAMETERS[name as keyof ExperimentParameters])
    .map(([name, value]) => `${name}=${value}`);
  return {
    id: [EXPERIMENT.id, ...settings].join(':'),
    label: [EXPERIMENT.label, ...settings].join(' · '),
    parameters: { ...parameters },
    tuned: (changes) => experimentWith(checkedParameters(parameters, changes)),
    about:
      'Each session starts alike, each segment is loaded once, and nothing outside the stream is contacted.',
    byteRanges: 'no-store',
    changes: changesOfExperiment(parameters),
  };
}

function checkedParameters(before: ExperimentParameters, changes: Parameters): ExperimentParameters {
  const of = { kind: 'preset', id: EXPERIMENT.id } as const;
  const parameters = changedParameters(of, { ...before }, changes);
  mustBeWithin(of.id, parameters, { name: 'bufferSeconds', from: 1, to: MAX_BUFFER_SECONDS });
  mustBeWithin(of.id, parameters, { name: 'timeoutSeconds', from: 1, to: MAX_TIMEOUT_SECONDS });
  return parameters;
}

/** Changes of the preset `experiment` that do not depend on its parameters. */
const CHANGES: readonly Change[] = [
  {
    // An up-switch would drop buffered segments and load them again: 38 downloads instead of 17.
    path: 'streaming.buffer.fastSwitchEnabled',
    value: false,
  },
  {
    // Otherwise each switch costs one more request, which no paper’s model has.
    path: 'streaming.cacheInitSegments',
    value: true,
  },
  {
    // The start level must not depend on what this browser played before.
    path: 'streaming.lastBitrateCachingInfo.enabled',
    value: false,
  },
  {
    // The tracks must not depend on what this browser played before.
    path: 'streaming.lastMediaSettingsCachingInfo.enabled',
    value: false,
  },
  {
    // Every session starts on the lowest level: none is ≤ 1 kbit/s, so dash.js takes the lowest.
    path: 'streaming.abr.initialBitrate.video',
    value: 1,
  },
  {
    // Audio starts on its lowest level, too, so that it does not depend on the first measurement.
    path: 'streaming.abr.initialBitrate.audio',
    value: 1,
  },
  {
    // An abandoned download is loaded twice; neither the simulator nor the papers’ models do that.
    path: 'streaming.abr.rules.abandonRequestsRule.active',
    value: false,
  },
  {
    // No public clock server: dash.js skips a scheme it does not know; UTCTiming of the MPD still counts.
    path: 'streaming.utcSynchronization.defaultTimingSource.scheme',
    value: 'urn:pitwall:none',
  },
  {
    // An answer behind media moves the live edge by up to 2.5 s, and dash.js asks twice more beside the
    // first segments.
    path: 'streaming.utcSynchronization.backgroundAttempts',
    value: 0,
  },
  {
    // For the same reason the clock is not asked again after 30 s; in an hour two clocks part by some ms.
    path: 'streaming.utcSynchronization.timeBetweenSyncAttempts',
    value: 3600,
  },
];

const changesOfExperiment = ({ bufferSeconds, timeoutSeconds }: ExperimentParameters): readonly Change[] => [
  ...CHANGES,
  ...['bufferTimeDefault', 'bufferTimeAtTopQuality', 'bufferTimeAtTopQualityLongForm'].map((name) => ({
    // One buffer target for all levels and lengths; above 20 s it changes the parameters of dash.js’ BOLA.
    path: `streaming.buffer.${name}`,
    value: bufferSeconds,
  })),
  ...['fragmentRequestTimeout', 'manifestRequestTimeout'].map((name) => ({
    // Unless a shorter one is asked for, an outage ends in a late segment or manifest, not in a repeated request.
    path: `streaming.${name}`,
    value: timeoutSeconds * 1000,
  })),
];

export const presets: readonly Preset[] = [asShipped, experimentWith(EXPERIMENT_PARAMETERS)];

/** The preset that a text asks for: an id, and any number of `:name=value`. The error is one sentence. */
export const presetOf = (text: string): Result<Preset> => entryOf('preset', text, presets);

/** One sentence about a text that asks for no preset, or null. */
export function faultOfPreset(text: string): string | null {
  const preset = presetOf(text);
  return preset.ok ? null : preset.error;
}

/** What a text sets of `experiment`; null for a text of another preset. */
export function experimentParameters(text: string): ExperimentParameters | null {
  const preset = presetOf(text);
  return preset.ok && text.split(':')[0] === EXPERIMENT.id
    ? { ...EXPERIMENT_PARAMETERS, ...preset.value.parameters }
    : null;
}

/** A value as the session log takes it (`environment.settings`). */
type LoggedSetting = number | string | boolean | null;

export type SettingsTree = { [name: string]: unknown };

/** Longest text that `environment.settings` takes. */
const LONGEST_TEXT = 400;

/** A preset's dotted paths as the nested object that `player.updateSettings` takes. */
export function settingsOf({ changes }: Pick<Preset, 'changes'>): SettingsTree {
  const tree: SettingsTree = {};
  for (const { path, value } of changes) place(tree, path.split('.'), value);
  return tree;
}

/** What differs between two settings trees, as dotted paths with the value in `current`. */
export function settingsDiff(defaults: SettingsTree, current: SettingsTree): Record<string, LoggedSetting> {
  const before = flattened(defaults);
  return Object.fromEntries(
    [...flattened(current)].filter(([path, value]) => !Object.is(value, before.get(path))),
  );
}

function place(tree: SettingsTree, [name, ...rest]: string[], value: unknown): void {
  if (name === undefined) return;
  if (rest.length === 0) {
    tree[name] = value;
    return;
  }
  const branch = (tree[name] ?? {}) as SettingsTree;
  tree[name] = branch;
  place(branch, rest, value);
}

function flattened(tree: SettingsTree, prefix = ''): Map<string, LoggedSetting> {
  const leaves = new Map<string, LoggedSetting>();
  for (const [name, value] of Object.entries(tree)) {
    const path = `${prefix}${name}`;
    if (isTree(value)) for (const [key, leaf] of flattened(value, `${path}.`)) leaves.set(key, leaf);
    else leaves.set(path, logged(value));
  }
  return leaves;
}

const isTree = (value: unknown): value is SettingsTree =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof RegExp);

/** JSON has neither NaN nor Infinity (dash.js uses both for "not set" and "no limit"): they are logged as words. */
function logged(value: unknown): LoggedSetting {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  return text.slice(0, LONGEST_TEXT);
}
