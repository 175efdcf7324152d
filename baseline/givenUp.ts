import type { Files } from './bundle.ts';

/**
 * Simulated campaigns that are no longer played as recorded, on purpose, and why. Of them the outline is compared: files,
 * exit codes, plans, and what names a session. Their recorded logs stay as input of what reads logs.
 */
const GIVEN_UP: readonly { readonly id: string; readonly why: string }[] = [
  {
    id: 'controllers',
    why: 'The player model has random losses, and the controllers, windows and pacing of the instrumented origin.',
  },
  {
    id: 'rules',
    why: 'A round of the player model lasts until its first packet has crossed the bottleneck, and receivers acknowledge several packets at once.',
  },
  { id: 'twins', why: 'The player model has random losses; this network loses up to 0.12 %.' },
];

export const isGivenUp = (id: string): boolean => GIVEN_UP.some((each) => each.id === id);

/** Rules whose weights are others than those that were recorded: another net ships since November 2026. */
const OTHER_WEIGHTS: readonly string[] = ['neural'];

/** Files of `pitwall sim`; of what rules with other weights did, the outline: how many sessions, of which traces, in what surroundings. */
export function withoutOtherWeights(files: Files): Files {
  return Object.fromEntries(
    Object.entries(files).map(([name, text]) => [name, withoutOtherWeightsIn(name, text)]),
  );
}

function withoutOtherWeightsIn(name: string, text: string): string {
  if (name === 'out/results.json')
    return JSON.stringify((JSON.parse(text) as SimResult[]).map(outlineOfResult));
  if (name === 'stdout')
    return text
      .split('\n')
      .filter((line) => !OTHER_WEIGHTS.includes(/^(?:rules)? +(\S+)/.exec(line)?.[1] ?? ''))
      .join('\n');
  const rule = /(?:^|\/)logs\/([^~/]+)~[^/]*\.json$/.exec(name)?.[1];
  return rule !== undefined && OTHER_WEIGHTS.includes(rule) ? outlineOfSimLog(text) : text;
}

interface SimResult {
  readonly rule: string;
  readonly sessions: number;
  readonly perTrace: readonly { readonly trace: string }[];
}

function outlineOfResult(result: SimResult): unknown {
  const { rule, sessions, perTrace } = result;
  if (!OTHER_WEIGHTS.includes(rule)) return result;
  return { rule, sessions, traces: perTrace.map(({ trace }) => trace) };
}

/** Without the id, which is a hash of the parameters, too, and these name the weights. */
function outlineOfSimLog(text: string): string {
  const { schema, clock, environment } = JSON.parse(text) as Record<string, unknown>;
  const surroundings = Object.entries(environment as object).filter(([name]) => name !== 'ruleParameters');
  return JSON.stringify({ schema, clock, environment: Object.fromEntries(surroundings) });
}

/** What of the files of a campaign does not depend on how its sessions were played. */
export function outlineOf(files: Files): Files {
  return Object.fromEntries(
    Object.entries(files)
      .filter(([name]) => name !== 'stdout')
      .map(([name, text]) => [name, /(^|\/)sessions\/[^/]*\.json$/.test(name) ? outlineOfLog(text) : text]),
  );
}

function outlineOfLog(text: string): string {
  const { schema, id, clock, environment, design } = JSON.parse(text) as Record<string, unknown>;
  const { settings, ...surroundings } = environment as Record<string, unknown>;
  const names = Object.keys(settings as object).filter((name) => !name.startsWith('sender.'));
  return JSON.stringify({ schema, id, clock, environment: surroundings, settings: names, design });
}
