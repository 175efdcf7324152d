import type { ErrorEvent } from '../../telemetry/event.ts';
import type { Diagnostic, Finding } from './finding.ts';
import { kept } from './kept.ts';
import { cut } from './format.ts';

const ID = 'fatal-error';
const MAX = 5;

/** What ended playback, and what the recorder could not record. Failed requests have their own finding. */
export const fatalErrors: Diagnostic = {
  id: ID,
  label: 'errors that end playback',
  watch() {
    const errors = kept<ErrorEvent>(MAX);
    return {
      see(event) {
        if (event.kind === 'error' && (event.fatal || event.source === 'telemetry')) errors.add(event);
      },
      findings: () => errors.items.map(finding),
    };
  },
};

const finding = ({ id, atMs, fatal, message }: ErrorEvent): Finding => ({
  id: `${ID}:${id}`,
  severity: fatal ? 'problem' : 'warning',
  sentence: fatal ? `Playback failed: “${cut(message)}”` : `The recorder reports: “${cut(message)}”`,
  fix: null,
  atMs,
});
