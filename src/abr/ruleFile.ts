import { changedParameters } from '../shared/parameters.ts';
import { failed, ok, type Result } from '../shared/result.ts';
import { checkedAnswer, formatThrown } from './answer.ts';
import { FILE_PARAMETERS } from './parameters.ts';
import { abrRules } from './registry.ts';
import type { Answer, DownloadEvent, Moment, Parameters, Rule, RuleContext, RuleEvent } from './rule.ts';

/** A rule that its user wrote: one module of JavaScript whose default export is a `Rule`. */
export interface RuleFile {
  /** As sentences and logs name it: without its folder. */
  readonly name: string;
  /** SHA-256 of the bytes of the file, hexadecimal. */
  readonly sha256: string;
  /** Its JavaScript: that of a TypeScript file without the types. */
  readonly module: string;
}

/** Splits a rule's text that begins with a file, `./mine.ts:safety=0.8`; null for every other text. */
export function splitRuleFile(text: string): { readonly file: string; readonly settings: string } | null {
  const [, file, settings = ''] = /^((?:[A-Za-z]:[\\/])?[^:]*\.m?[jt]s)(:.*)?$/.exec(text) ?? [];
  return file === undefined ? null : { file, settings };
}

/** What an export is in the body of a function; lines stay where they are. */
const EXPORTS: readonly (readonly [RegExp, string])[] = [
  [/^([ \t]*)export\s+default\b/gm, '$1exports.default ='],
  [/^([ \t]*)export\s*\{\s*([\w$]+)\s+as\s+default[\s,]*\}/gm, '$1exports.default = $2'],
  [/^([ \t]*)export\s+(?=(?:const|let|var|function|class|async)\b)/gm, '$1'],
  [/^([ \t]*)export\s*\{\s*\}/gm, '$1'],
];

/**
 * Makes the body of a function `(exports) => …` of a module that imports nothing. A function can be made of the very text that
 * was hashed, in a thread and in a page, and can be called where a module could not be loaded any more.
 */
export function functionBody(module: string): Result<string> {
  const [, from] = /^[ \t]*import\b[^(.'"]*['"]([^'"]*)['"]/m.exec(module) ?? [];
  if (from !== undefined)
    return failed(
      `It imports "${from}". A rule file stands alone, so that its hash says all: bundle it into one file first.`,
    );
  const body = EXPORTS.reduce((text, [form, instead]) => text.replace(form, instead), module);
  return ok(`"use strict";${body}\n`);
}

/**
 * Makes a rule of what a file exports; it has the file's name and hash among its parameters, and so has every log. The
 * error is one sentence that does not name the file.
 */
export function ruleOfExports(
  exported: unknown,
  { name, sha256 }: Pick<RuleFile, 'name' | 'sha256'>,
): Result<Rule> {
  if (exported === undefined) return failed('It has no default export, which is the rule.');
  if (typeof exported !== 'object' || exported === null)
    return failed(`Its default export is a ${exported === null ? 'null' : typeof exported}, not a rule.`);
  const given = exported as Partial<Rule>;
  const lacking = (['start', 'observe', 'decide'] as const).find((each) => typeof given[each] !== 'function');
  if (lacking !== undefined) return failed(`Its rule has no function "${lacking}".`);
  const { id = idOf(name), label = id, paper = name, parameters = {} } = given;
  const fault = faultOfEntry({ id, label, paper }) ?? faultOfParameters(parameters);
  if (fault !== null) return failed(fault);
  return ok(asRule(given as Rule, { id, label, paper, parameters }, { name, sha256 }));
}

/** The id of a rule that has none: `myRule.v2.ts` is my-rule-v2. */
const idOf = (name: string): string =>
  name
    .replace(/\.m?[jt]s$/, '')
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replace(/[^A-Za-z\d]+/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase();

function faultOfEntry(entry: Readonly<Record<'id' | 'label' | 'paper', unknown>>): string | null {
  for (const [name, value] of Object.entries(entry))
    if (typeof value !== 'string') return `The ${name} of its rule is a ${typeof value}, not a string.`;
  const id = String(entry.id);
  // As `faultsOf` of `../shared/registry.ts` has it for all entries; the page loads that with every start.
  if (!/^[a-z\d]+(-[a-z\d]+)*$/.test(id))
    return `Its id "${id}" is not kebab-case: write it as in "my-rule-2".`;
  return id.startsWith('dashjs-') || abrRules.some((rule) => rule.id === id)
    ? `Its id "${id}" is that of a rule that comes with Pitwall: give it another one.`
    : null;
}

function faultOfParameters(parameters: unknown): string | null {
  if (typeof parameters !== 'object' || parameters === null)
    return 'The parameters of its rule are no object.';
  for (const [name, value] of Object.entries(parameters)) {
    if (FILE_PARAMETERS.includes(name))
      return `Its rule has a parameter "${name}", which Pitwall writes itself.`;
    if (!['number', 'string', 'boolean'].includes(typeof value))
      return `The parameter ${name} of its rule is a ${typeof value}: numbers, strings and booleans can be set.`;
  }
  return null;
}

type Described = Pick<Rule, 'id' | 'label' | 'paper' | 'parameters'>;

function asRule(given: Rule, described: Described, about: Pick<RuleFile, 'name' | 'sha256'>): Rule {
  const { id, parameters } = described;
  const tuned = (changes: Parameters): Rule => {
    changedParameters({ kind: 'rule', id }, parameters, changes);
    const rule = ruleOfExports(given.tuned!(changes), about);
    if (!rule.ok) throw new Error(`The function "tuned" of ${about.name} returned no rule. ${rule.error}`);
    return rule.value;
  };
  return {
    ...described,
    parameters: { ...parameters, file: about.name, sha256: about.sha256 },
    ...(given.tuned && { tuned }),
    ...(given.setsPlaybackRate === true && { setsPlaybackRate: true as const }),
    start: (context) => given.start(context),
    observe: (state, event) => given.observe(state, event),
    decide: (state, moment) => given.decide(state, moment),
  };
}

/** A rule cannot be trusted to end: whoever calls this sets a limit to it. Returns one sentence; null: nothing is wrong. */
export function faultOfTrial(rule: Rule): string | null {
  for (const rungs of [TRIAL_BITRATES_KBPS.length, 1]) {
    const { context, steps } = trialOf(rungs);
    let doing = 'start';
    try {
      let state = rule.start({ ...context, sizeBytes: () => null, sizesFrom: () => null });
      for (const { event, moment } of steps) {
        doing = `observe (${event.kind})`;
        state = rule.observe(state, event);
        doing = 'decide';
        const given: unknown = rule.decide(state, moment);
        if (typeof given !== 'object' || given === null) throw new Error('it returned no answer');
        const answer = checkedAnswer(given as Answer, rungs);
        if (!answer.ok) throw new Error(answer.error);
      }
    } catch (thrown) {
      return `Its rule failed in a trial with ${rungs === 1 ? 'one level' : `${rungs} levels`}, in ${doing}: ${formatThrown(thrown)}.`;
    }
  }
  return null;
}

const TRIAL_BITRATES_KBPS = [600, 1800, 4500];

interface Trial {
  readonly context: Omit<RuleContext, 'sizeBytes' | 'sizesFrom'>;
  readonly steps: readonly { readonly event: RuleEvent; readonly moment: Moment }[];
}

/** Makes a short session of every kind of event but a new ladder. Plain data: a page hands it to a worker. */
export function trialOf(rungs = TRIAL_BITRATES_KBPS.length): Trial {
  const ladder = TRIAL_BITRATES_KBPS.slice(0, rungs).map((bitrateKbps) => ({
    bitrateKbps,
    width: null,
    height: null,
  }));
  const download = (segment: number, wanted: number): DownloadEvent => {
    const rung = Math.min(wanted, rungs - 1);
    const { bitrateKbps } = ladder[rung]!;
    const startMs = segment * 3000;
    return {
      kind: 'download',
      mediaType: 'video',
      segment,
      rung,
      bitrateKbps,
      sizeBytes: bitrateKbps * 500,
      startMs,
      firstByteMs: segment === 0 ? null : startMs + 60,
      lastByteMs: startMs + 1000,
      protocol: null,
      connectionReused: null,
      aborted: false,
    };
  };
  const events: RuleEvent[] = [
    download(0, 0),
    download(1, 2),
    { kind: 'stall', atMs: 6000, durationMs: 700 },
    { kind: 'idle', atMs: 7000, durationMs: 200 },
    { kind: 'seek', atMs: 9000, toMs: 60_000 },
    { kind: 'sizes', atMs: 9500, from: 'sidx', rung: 0, firstSegment: 0, sizesBytes: [300_000, null] },
    { ...download(4, 0), sizeBytes: 0, aborted: true },
  ];
  const momentAt = (step: number): Moment => ({
    nowMs: (step + 1) * 3000,
    playheadMs: step * 2500,
    bufferMs: step * 3000,
    bufferTargetMs: 20_000,
    segment: step === 4 ? null : step,
    segmentsLeft: step === 4 ? null : 20 - step,
    lastRung: step === 0 ? null : step % rungs,
    liveLatencyMs: null,
    playbackRate: 1,
  });
  return {
    context: { mediaType: 'video', ladder, segmentMs: 4000, live: false, seed: 1 },
    steps: events.map((event, step) => ({ event, moment: momentAt(step) })),
  };
}
