import type { SessionStore } from '../../telemetry/shell/store/sessionStore.ts';
import { formatElapsed } from '../../shared/format.ts';
import { announce, formatThrown, noticeBar } from '../messages.ts';
import type { Setup } from '../setup/setup.ts';
import type { Runner } from './run.ts';

interface Options {
  readonly runs: () => Runner;
  readonly store: SessionStore;
  readonly say: (sentence: string) => void;
}

/** A start by hand that ends a recording, which can be taken back: the old one goes on, and the new one is kept as well. */
export interface UndoStart {
  /** A start by hand is asked for: notes the recording that it would end. */
  asked(): void;
  /** A start has this set-up, or came to nothing. */
  startsWith(setup: Setup | null): void;
  /** A new run records. */
  began(): void;
}

/** A recording that a start ended, and all that is needed to go on with it. */
interface Replaced {
  readonly id: string;
  readonly recordedMs: number;
  readonly setup: Setup;
  /** null for live: it goes on at the live edge. */
  readonly startMs: number | null;
}

export function undoStart({ runs, store, say }: Options): UndoStart {
  const notice = noticeBar();
  let replaced: Replaced | null = null;
  let present: Setup | null = null;
  const undo = async ({ id, setup, startMs }: Replaced): Promise<void> => {
    // Where the browser refused to store it, it was lost with its page's memory.
    if ((await store.header(id)) === null) return say('That recording is not in this browser’s storage.');
    present = setup;
    await runs().start(setup, { resumeId: id, startMs });
  };
  return {
    asked() {
      const run = runs().run();
      const isRecording = run !== null && present !== null && run.session.growing();
      replaced = isRecording
        ? {
            id: run.player.telemetry.sessionId,
            recordedMs: run.session.series.lastMs,
            setup: present!,
            startMs: run.player.isLive() ? null : run.player.positionMs(),
          }
        : null;
    },
    startsWith(setup) {
      if (setup === null) replaced = null;
      else present = setup;
    },
    began() {
      const before = replaced;
      replaced = null;
      announce('The stream starts and is recorded.');
      if (before === null) return notice.clear();
      const sentence = `A new recording begins. The one before (${formatElapsed(before.recordedMs)}) is kept: see “Open session…”.`;
      const run = (): void => void undo(before).catch((fault: unknown) => say(formatThrown(fault)));
      notice.show({ sentence, actions: [{ label: 'Undo', run }] });
      announce(sentence);
    },
  };
}
