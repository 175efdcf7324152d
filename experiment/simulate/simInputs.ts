import path from 'node:path';
import { parseRuleText } from '../../src/abr/ruleText.ts';
import type { SimTask } from './simTask.ts';
import { traceFiles } from './traceFiles.ts';
import { videoFrom } from './videoFrom.ts';
import { askedValue, usageError } from '../../node/exitCodes.ts';
import { nameApart, readRequestedRule, type RequestedRule } from '../../node/rules.ts';
import { trustedBy } from '../../node/trust.ts';
import { abrRules } from '../../src/abr/registry.ts';
import type { Content } from '../../src/sim/content.ts';
import type { PlayerModelSettings } from '../../src/sim/player/playerModelSettings.ts';

/** The inputs of a run after reading: what the workers need, and what is also printed for people. */
export interface SimInputs {
  readonly task: SimTask;
  readonly rules: readonly AskedRule[];
  /** Ids of the formats that the traces were in. */
  readonly formats: readonly string[];
  /** What of the traces' profiles is not simulated. */
  readonly notes: readonly string[];
}

/** Reads rules, video and traces. @throws Error in one sentence that names what is wrong and where */
export async function simInputs(options: SimOptions): Promise<SimInputs> {
  const { model: modelId, qoe: qoeId, seed } = options;
  const player = playerSettingsOf(options, modelId);
  const rules = await readRules(options.rules, qoeId);
  const trusted = await trustedBy(options);
  const content = audioBeside(await videoFrom(options.video, { ...options, trusted }), options.audio);
  if (content.video.segments < 2)
    throw new Error(`${options.video}: A score needs at least two segments: the first one does not count.`);
  const { traces, formats, notes } = await traceFiles(options.traces, options.format ?? null);
  const texts = rules.map(({ rule: _, followsRun: __, ...text }) => text);
  const ruleNames = rules.map(({ name }) => name);
  const traceNames = traces.map(({ name }) => name);
  const logs = options.log === undefined ? null : logFiles(options.log, { ruleNames, traceNames });
  const tellsOptimum = options.optimum && modelId === 'chunk';
  const task = { rules: texts, traces, content, modelId, player, qoeId, seed, logFiles: logs, tellsOptimum };
  return { task, rules, formats, notes };
}

/** A rule of a run. */
export interface AskedRule extends RequestedRule {
  /** Whether it plans for the QoE of the run because its text names none. */
  readonly followsRun: boolean;
}

/**
 * The rules of a comma-separated text, each once. A rule that plans for a QoE plans for that of the run if its text
 * names none. @throws Error in one sentence
 */
async function readRules(text: string, qoeId: string): Promise<AskedRule[]> {
  const names = [...new Set(text.split(',').map((each) => each.trim()))].filter((each) => each !== '');
  if (names.length === 0)
    throw usageError(`Name at least one rule: ${abrRules.map(({ id }) => id).join(', ')}.`);
  return askedValue(nameApart(await Promise.all(names.map((name) => readRule(name, qoeId)))));
}

async function readRule(name: string, qoeId: string): Promise<AskedRule> {
  const asked = await requested(name);
  const followsRun =
    asked.own === undefined &&
    'qoe' in asked.rule.parameters &&
    !parseRuleText(asked.spec).settings.some((setting) => setting.startsWith('qoe='));
  if (!followsRun) return { ...asked, followsRun };
  const { id, settings } = parseRuleText(name);
  return { ...(await requested([id, `qoe=${qoeId}`, ...settings].join(':'))), name, followsRun };
}

const requested = async (name: string): Promise<RequestedRule> =>
  askedValue(await readRequestedRule(name, abrRules));

/**
 * The content with audio of one bitrate, in segments as long as the video's. `kbps` undefined: as it is.
 * @throws Error in one sentence where the video brings audio of its own
 */
export function audioBeside(content: Content, kbps: number | undefined): Content {
  if (kbps === undefined) return content;
  const { segmentMs, segments } = content.video;
  if (content.audio)
    throw new Error(`${content.name}: --audio needs a video without audio; this one has its own.`);
  const sizeBytes = Math.ceil((kbps * segmentMs) / 8);
  const ladder = [{ bitrateKbps: kbps, width: null, height: null }];
  const sizesBytes = [Array.from({ length: segments }, () => sizeBytes)];
  return { ...content, audio: { ladder, segmentMs, segments, sizesBytes, initBytes: null } };
}

/** Bitrates of the audio that is played beside the video; null where there is none, or the model plays none. */
export function audioKbpsOf({ content, modelId }: Pick<SimTask, 'content' | 'modelId'>): number[] | null {
  const isPlayed = content.audio !== null && modelId === 'player';
  return isPlayed ? content.audio.ladder.map(({ bitrateKbps }) => bitrateKbps) : null;
}

interface Names {
  readonly ruleNames: readonly string[];
  readonly traceNames: readonly string[];
}

/**
 * Files of session logs in a folder, `[rule][trace]`. Signs that a file system may not like become "_". No two are the
 * same, also where large letters are as good as small ones: a later one gets a number.
 */
export function logFiles(folder: string, { ruleNames, traceNames }: Names): string[][] {
  const taken = new Set<string>();
  const unique = (name: string, count = 1): string => {
    const numbered = count === 1 ? name : `${name}~${count}`;
    if (taken.has(numbered.toLowerCase())) return unique(name, count + 1);
    taken.add(numbered.toLowerCase());
    return numbered;
  };
  return ruleNames.map((rule) =>
    traceNames.map((trace) => path.join(folder, `${unique(plainName(rule, trace))}.json`)),
  );
}

/** Signs of a rule's and of a trace's name that are kept, the last ones: paths differ there. File systems take 255 bytes. */
const MAX_SIGNS = 100;

function plainName(ruleName: string, traceName: string): string {
  const [rule, trace] = [ruleName, traceName.replace(/\.json$/, '')].map((name) =>
    name.slice(-MAX_SIGNS).replace(/[^\p{L}\p{N}_.,=~+-]/gu, '_'),
  );
  return `${rule!}~${trace!}`;
}

/** What `pitwall sim` was asked for. */
export interface SimOptions extends PlayerOptions {
  readonly rules: string;
  readonly traces: readonly string[];
  readonly format?: string;
  readonly video: string;
  /** A file of certificates in PEM that the requests for an MPD trust beside the public ones. */
  readonly trust?: string;
  readonly ladder?: readonly number[];
  readonly segmentMs?: number;
  readonly qoe: string;
  readonly model: string;
  readonly json?: string;
  readonly log?: string;
  /** With `--paired`, and a file where one is named. */
  readonly paired?: string | true;
  readonly seed: number;
  readonly jobs: number;
  /** False with `--no-optimum`. */
  readonly optimum: boolean;
}

/** What can be asked of the player model. The rest is constant: that of dash.js, or what browsers do. */
export interface PlayerOptions {
  readonly protocol?: PlayerModelSettings['protocol'];
  readonly rtt?: number;
  readonly buffer?: number;
  /** Beside the video, kbit/s. */
  readonly audio?: number;
}

/** As the model takes them; `audio` is of the content. @throws Error in one sentence when they are asked of another model */
export function playerSettingsOf(
  { protocol, rtt, buffer, audio }: PlayerOptions,
  modelId: string,
): Partial<PlayerModelSettings> {
  const asked = Object.entries({ protocol, rtt, buffer, audio }).find(([, value]) => value !== undefined);
  if (asked && modelId !== 'player') throw usageError(`--${asked[0]} needs --model player.`);
  return {
    ...(protocol !== undefined && { protocol }),
    ...(rtt !== undefined && { rttMs: rtt }),
    ...(buffer !== undefined && { bufferTargetMs: buffer * 1000, bufferTargetAtTopMs: buffer * 1000 }),
  };
}
