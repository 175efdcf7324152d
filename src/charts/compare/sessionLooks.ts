import { ruleLook } from '../ruleLook.ts';
import { protocolsOfMode } from '../../telemetry/transportModes.ts';

/** How a session is named and drawn: never distinguished by colour alone. */
export interface SessionLook {
  /** A to T, in the order they were opened. */
  readonly letter: string;
  /** Three letters of the rule with their colour; null where the log does not name a rule. */
  readonly rule: { readonly code: string; readonly label: string; readonly tone: string } | null;
  /** `h1`, `h2`, `h3-racing`, `h3-only`; null where no source reported it. */
  readonly transport: string | null;
  /** Token of the line's colour: the rule's where rules differ, the protocol's where only transports do. */
  readonly tone: string;
  /** Lengths of dash and gap, px; empty for a whole line. */
  readonly dash: readonly number[];
}

/** Colours, dashes and rows of more sessions cannot be distinguished. */
export const MAX_SESSIONS = 20;

interface Named {
  readonly rule: string | null;
  readonly transport: string | null;
}

/** Sessions of one colour get these in turn. */
const DASHES: readonly (readonly number[])[] = [[], [6, 3], [2, 2.5], [9, 3, 2, 3], [4, 2], [1.5, 1.5]];
const ACCENTS = ['session-a', 'session-b', 'session-c', 'session-d', 'session-e', 'session-f'];

/**
 * The colours of rules and protocols are the same everywhere; a line has space for one of them. Where neither rule nor
 * transport differs the accents of sessions are used, which mean nothing else.
 */
export function sessionLooks(sessions: readonly Named[]): SessionLook[] {
  const toneOf = toneRule(sessions);
  const used = new Map<string, number>();
  return sessions.map(({ rule, transport }, index) => {
    const tone = toneOf({ rule, transport }, index);
    const before = used.get(tone) ?? 0;
    used.set(tone, before + 1);
    return {
      letter: String.fromCharCode(65 + index),
      rule: rule === null ? null : ruleLook(rule),
      transport,
      tone,
      dash: DASHES[before % DASHES.length]!,
    };
  });
}

function toneRule(sessions: readonly Named[]): (session: Named, index: number) => string {
  const differ = (name: keyof Named): boolean => new Set(sessions.map((each) => each[name])).size > 1;
  if (differ('rule')) return ({ rule }) => (rule === null ? 'ink-3' : ruleLook(rule).tone);
  if (differ('transport'))
    return ({ transport }) => `protocol-${protocolsOfMode(transport).at(-1) ?? 'unknown'}`;
  return (_, index) => ACCENTS[index % ACCENTS.length]!;
}
