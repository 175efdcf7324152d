import type { Telemetry } from '../../telemetry/shell/telemetry.ts';
import type { SteeringSample } from '../../steering/steeringSession.ts';

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

/** ms. A probe without an end says no more after this time. */
const MAX_PROBE_MS = 10_000;

interface Running {
  readonly pathway: string;
  readonly controller: AbortController;
  requestId: string | null;
  bytes: number;
  totalBytes: number | null;
}

export function createProbes({
  telemetry,
  over,
  onBegun,
}: {
  telemetry: Pick<Telemetry, 'fetch'>;
  onBegun: (requestId: string, pathway: string) => void;
  over: (url: string, pathway: string) => string;
}): Probes {
  let known: { readonly url: string; readonly offset: number } | null = null;
  let running: Running | null = null;
  const fetchProbe = async (
    one: Running,
    url: string,
    range: { offset: number; bytes: number },
  ): Promise<void> => {
    const { offset, bytes } = range;
    try {
      await telemetry.fetch(url, {
        type: 'probe',
        range: `${offset}-${offset + bytes - 1}`,
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
    } catch {
      // How it ended stands in the log, and there the policy learns of it.
    } finally {
      if (running === one) running = null;
    }
  };
  return {
    file: (url, offset) => void (known = { url, offset }),
    hasFile: () => known !== null,
    begin({ pathway, bytes }) {
      if (running !== null || known === null) return false;
      running = {
        ...{ pathway, controller: new AbortController(), requestId: null },
        ...{ bytes: 0, totalBytes: null },
      };
      void fetchProbe(running, over(known.url, pathway), { offset: known.offset, bytes });
      return true;
    },
    end(requestId) {
      if (running?.requestId === requestId) running.controller.abort();
    },
    isRunning: () => running !== null,
    progress: () =>
      running?.requestId
        ? [{ requestId: running.requestId, bytes: running.bytes, totalBytes: running.totalBytes }]
        : [],
    dispose() {
      running?.controller.abort();
      running = null;
    },
  };
}
