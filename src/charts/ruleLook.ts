import { codeOf } from '../shared/registry.ts';

interface RuleLook {
  /** Three letters that always stand beside the colour; each rule of the registry has its own. */
  readonly code: string;
  readonly label: string;
  /** Token of the colour: one a family, because hue cannot distinguish twenty rules. */
  readonly tone: string;
}

/** The parts of dash.js' own rules, by class name (src/streaming/rules/abr), and its choice without any of them. */
const DASHJS_PARTS: Readonly<Record<string, RuleLook>> = {
  // What the player starts with before any rule has a wish.
  none: { code: 'INI', label: 'start level, no rule yet', tone: 'rule-ins' },
  ThroughputRule: { code: 'DTH', label: 'dash.js throughput', tone: 'rule-thr' },
  BolaRule: { code: 'DBO', label: 'dash.js BOLA', tone: 'rule-bol' },
  InsufficientBufferRule: { code: 'INS', label: 'insufficient buffer', tone: 'rule-ins' },
  SwitchHistoryRule: { code: 'SWH', label: 'switch history', tone: 'rule-ins' },
  DroppedFramesRule: { code: 'DRP', label: 'dropped frames', tone: 'rule-ins' },
  AbandonRequestsRule: { code: 'ABN', label: 'abandon request', tone: 'rule-ins' },
  L2ARule: { code: 'DL2', label: 'dash.js L2A', tone: 'rule-sar' },
  LoLPRule: { code: 'DLO', label: 'dash.js LoL+', tone: 'rule-bas' },
};

/** Words of ids: how they are written, and the colour of their family. */
const WORDS: Readonly<Record<string, { readonly label?: string; readonly tone?: string }>> = {
  dashjs: { label: 'dash.js' },
  hlsjs: { label: 'hls.js' },
  shaka: { label: 'Shaka' },
  abr: { label: 'ABR' },
  throughput: { tone: 'rule-thr' },
  bola: { label: 'BOLA', tone: 'rule-bol' },
  dynamic: { tone: 'rule-dyn' },
  l2a: { label: 'L2A', tone: 'rule-sar' },
  lolp: { label: 'LoL+', tone: 'rule-bas' },
  bb: { label: 'BB', tone: 'rule-bba' },
  bba: { label: 'BBA', tone: 'rule-bba' },
  sara: { label: 'SARA', tone: 'rule-sar' },
  basic: { label: 'BASIC', tone: 'rule-bas' },
  festive: { label: 'FESTIVE', tone: 'rule-fes' },
  mpc: { label: 'MPC', tone: 'rule-mpc' },
  pensieve: { label: 'Pensieve', tone: 'rule-pen' },
  neural: { label: 'Neural', tone: 'rule-pen' },
  lowest: { tone: 'rule-ins' },
  fixed: { tone: 'rule-ins' },
};

/** How a rule is written and coloured: dash.js' parts by class name, all others by the words of their id. */
export function ruleLook(rule: string): RuleLook {
  const part = Object.hasOwn(DASHJS_PARTS, rule) ? DASHJS_PARTS[rule] : undefined;
  if (part) return part;
  const words = rule.split('-').map(wordOf);
  return {
    code: codeOf(rule.replace(/[^A-Za-z0-9-]/g, '')) || '???',
    label: words.map(({ label }) => label).join(/^(dashjs|hlsjs|shaka)-/.test(rule) ? ' ' : '-'),
    tone: words.find(({ tone }) => tone !== undefined)?.tone ?? 'rule-dyn',
  };
}

/** A name for places that have no room for the label: a word, or the letters of the rule. */
export function shortNameOf(rule: string): string {
  const word = Object.hasOwn(SHORT_NAMES, rule) ? SHORT_NAMES[rule] : undefined;
  const { label, code } = ruleLook(rule);
  return word ?? (label.length <= MAX_SHORT ? label : code);
}

/** As many letters as the gutter of a lane has room for on a small screen. */
const MAX_SHORT = 7;

const SHORT_NAMES: Readonly<Record<string, string>> = {
  none: 'start',
  ThroughputRule: 'rate',
  BolaRule: 'BOLA',
  InsufficientBufferRule: 'buffer',
  SwitchHistoryRule: 'history',
  DroppedFramesRule: 'frames',
  AbandonRequestsRule: 'abandon',
  L2ARule: 'L2A',
  LoLPRule: 'LoL+',
  'dashjs-throughput': 'rate',
  'dashjs-bola': 'BOLA',
  'dashjs-l2a': 'L2A',
  'dashjs-lolp': 'LoL+',
};

const wordOf = (word: string): { readonly label: string; readonly tone: string | undefined } => {
  const known = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
  return { label: known?.label ?? (word.length === 1 ? word.toUpperCase() : word), tone: known?.tone };
};
