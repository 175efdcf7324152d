import { objectSizeBytes, partsOf, type Transfer } from '../../shared/transfer.ts';
import type { RecordedDownload } from '../../telemetry/shell/requests/recordedDownload.ts';

interface TransferRun {
  readonly transfer: Transfer;
  /** Addresses of the folder of the files, with a slash at their end: one for each name of the server that is used. */
  readonly bases: readonly string[];
  readonly download: RecordedDownload;
  readonly signal: AbortSignal;
  /** Called after each object. */
  readonly onObject?: () => void;
}

/** Downloads what a transfer says. Resolves when all of it has ended, or the signal has been given. */
export async function runTransfer(run: TransferRun): Promise<void> {
  const { streams } = run.transfer;
  await Promise.all(Array.from({ length: streams }, (_, stream) => runStream(run, stream)));
}

async function runStream(run: TransferRun, stream: number): Promise<void> {
  const { transfer, signal, onObject } = run;
  for (let object = 0; object < transfer.count && !signal.aborted; object++) {
    if (object > 0) await pause(transfer.pauseMs, signal);
    if (signal.aborted) return;
    await downloadObject(run, stream, object);
    onObject?.();
  }
}

async function downloadObject(
  { transfer, bases, download, signal }: TransferRun,
  stream: number,
  object: number,
): Promise<void> {
  const parts = partsOf(transfer, { stream, object });
  const sizeBytes = objectSizeBytes(transfer, object);
  await Promise.all(
    parts.map(({ file, part, range }) =>
      download(new URL(file, bases[part % bases.length]).href, {
        range,
        signal,
        transfer: { stream, object, sizeBytes, part, parts: parts.length },
      }),
    ),
  );
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
