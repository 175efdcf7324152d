import type { Telemetry } from '../../telemetry/shell/telemetry.ts';
import { MAX_PROBE_MS, type SteeringSample } from '../../steering/steeringSession.ts';

/** Requests for measurement alone, one at a time. */
export interface Probes {
  /** A file that probes can ask for: the latest video segment that came, and where in its file it begins. */
  file(url: string, offset: number): void;
  hasFile(): boolean;
  /** False if one runs, or no file is known yet. */
  begin(wanted: { pathway: string; bytes: number }): boolean;
  end(requestId: string): void;
  isRunning(): boolean;
  progress(): SteeringSample['progress'];
  dispose(): void;
}

interface Running {
  readonly pathway: string;
  readonly controller: AbortController;
  requestId: string | null;
  bytes: number;
  totalBytes: number | null;
}

interface ProbeContext {
  readonly telemetry: Pick<Telemetry, 'fetch'>;
  readonly over: (url: string, pathway: string) => string;
  readonly onBegun: (requestId: string, pathway: string) => void;
}

export function createProbes(context: ProbeContext): Probes {
  let known: { readonly url: string; readonly offset: number } | null = null;
  let running: Running | null = null;
  return {
    file: (url, offset) => void (known = { url, offset }),
    hasFile: () => known !== null,
    begin({ pathway, bytes }) {
      if (running !== null || known === null) return false;
      const begun: Running = {
        pathway,
        controller: new AbortController(),
        requestId: null,
        bytes: 0,
        totalBytes: null,
      };
      running = begun;
      const range = { first: known.offset, bytes };
      void request(begun, { ...context, url: context.over(known.url, pathway), range }).finally(() => {
        if (running === begun) running = null;
      });
      return true;
    },
    end(requestId) {
      if (running?.requestId === requestId) running.controller.abort();
    },
    isRunning: () => running !== null,
    progress() {
      if (!running?.requestId) return [];
      const { requestId, bytes, totalBytes } = running;
      return [{ requestId, bytes, totalBytes }];
    },
    dispose() {
      running?.controller.abort();
      running = null;
    },
  };
}

/** Resolves when a probe has ended. How it ended stands in the log, and there the policy learns of it. */
async function request(
  one: Running,
  {
    telemetry,
    onBegun,
    url,
    range: { first, bytes },
  }: ProbeContext & { url: string; range: { first: number; bytes: number } },
): Promise<void> {
  const asking = telemetry.fetch(url, {
    type: 'probe',
    range: `${first}-${first + bytes - 1}`,
    signal: AbortSignal.any([one.controller.signal, AbortSignal.timeout(MAX_PROBE_MS)]),
    onSent(requestId) {
      one.requestId = requestId;
      onBegun(requestId, one.pathway);
    },
    onProgress(received, totalBytes) {
      [one.bytes, one.totalBytes] = [received, totalBytes];
      // A server that does not know ranges would send the whole file.
      if (received >= bytes && totalBytes !== received) one.controller.abort();
    },
  });
  await asking.catch(() => undefined);
}
