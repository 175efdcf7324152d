import { formatCount } from '../../shared/format.ts';
import type { ErrorEvent } from '../../telemetry/event.ts';
import type { Diagnostic, Finding } from './finding.ts';
import { kept } from './kept.ts';
import { cut } from './format.ts';

const FATAL = 'fatal-error';
const MAX_FATAL = 5;

/** What ended playback, and what the recorder could not record. Failed requests have their own finding. */
export const fatalErrors: Diagnostic = {
  id: FATAL,
  label: 'errors that end playback',
  watch() {
    const errors = kept<ErrorEvent>(MAX_FATAL);
    return {
      see(event) {
        if (event.kind === 'error' && (event.fatal || event.source === 'telemetry')) errors.add(event);
      },
      findings: () => errors.items.map(fatalFinding),
    };
  },
};

const fatalFinding = ({ id, atMs, fatal, message }: ErrorEvent): Finding => ({
  id: `${FATAL}:${id}`,
  severity: fatal ? 'problem' : 'warning',
  sentence: fatal ? `Playback failed: “${cut(message)}”` : `The recorder reports: “${cut(message)}”`,
  fix: null,
  atMs,
});

const RULE = 'rule-fault';
const MAX_RULES = 10;

/** Exceptions of rules. Playback went on, but not as the rule's author meant. */
export const ruleFaults: Diagnostic = {
  id: RULE,
  label: 'rule errors',
  watch() {
    const faults = new Map<string, { first: ErrorEvent; count: number }>();
    return {
      see(event) {
        if (event.kind !== 'error' || event.source !== 'rule') return;
        const known = faults.get(event.code);
        if (known) known.count += 1;
        else if (faults.size < MAX_RULES) faults.set(event.code, { first: event, count: 1 });
      },
      findings: () =>
        Array.from(faults.values(), ({ first, count }) => ({
          id: `${RULE}:${first.code}`,
          severity: 'warning' as const,
          sentence: `A rule failed ${formatCount(count, 'time')}, playback stayed on its level: “${cut(first.message)}”`,
          fix: null,
          atMs: first.atMs,
        })),
    };
  },
};

/** `fixed` with a level that the ladder does not have: it plays the highest there is, which a result must not hide. */
export const missingLevel: Diagnostic = {
  id: 'missing-level',
  label: 'a level that the ladder lacks',
  watch() {
    let first: { readonly wished: number; readonly highest: number; readonly atMs: number } | null = null;
    return {
      see(event) {
        if (first || event.kind !== 'decision' || event.rule !== 'fixed' || event.rung === null) return;
        // Audio has fewer levels than a rule for video asks for, and its highest one is what is meant.
        if (event.mediaType !== 'video') return;
        const wished = event.values['wishedRung'] ?? event.rung;
        if (wished > event.rung) first = { wished: wished + 1, highest: event.rung + 1, atMs: event.atMs };
      },
      findings() {
        if (!first) return [];
        const { wished, highest, atMs } = first;
        const sentence = `The rule asks for level ${wished}, but the highest level of this stream is ${highest}, so that one was played`;
        const fix = `choose a level from 1 to ${highest}`;
        return [{ id: 'missing-level', severity: 'warning', sentence, fix, atMs }];
      },
    };
  },
};

const NOTICE = 'notice';
const MAX_NOTICES = 10;
/** Codes of failed requests and the like, which have findings of their own. */
const NUMBERED = /^dashjs-\d/;

/**
 * Reports what the player says of the stream or of itself while playback goes on, each sentence once. Where sizes were asked
 * for and did not come, it adds that the rule goes on with what it assumes.
 */
export const playerNotices: Diagnostic = {
  id: NOTICE,
  label: 'notices of the player',
  watch() {
    const notices = new Map<string, ErrorEvent>();
    return {
      see(event) {
        if (event.kind !== 'error' || event.source !== 'player' || event.fatal) return;
        const { code, message } = event;
        if (NUMBERED.test(code) || notices.size >= MAX_NOTICES || notices.has(message)) return;
        notices.set(message, event);
      },
      findings: () =>
        Array.from(notices.values(), ({ id, code, message, atMs }) => ({
          id: `${NOTICE}:${id}`,
          severity: 'warning' as const,
          sentence: `${cut(message)}${code === 'sizes' ? '. The rule assumes bitrate × duration instead' : ''}`,
          fix: null,
          atMs,
        })),
    };
  },
};
