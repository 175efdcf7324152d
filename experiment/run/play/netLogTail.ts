import { open } from 'node:fs/promises';

const TAIL_BYTES = 256 * 1024;

/**
 * The last events of a NetLog as JSON Lines: whole ones, of the last `maxBytes`. Empty when there is none: a browser that
 * did not start left nothing. The numbers of their types are named by the Chromium that wrote them
 * (`chrome://net-export`, netlog_viewer).
 */
export async function netLogTail(file: string, maxBytes = TAIL_BYTES): Promise<string> {
  const text = await lastBytes(file, maxBytes);
  const lines = text.split('\n').map((line) => line.trim().replace(/(\][,}]?)?,?$/, ''));
  return lines
    .filter(isEvent)
    .map((line) => `${line}\n`)
    .join('');
}

async function lastBytes(file: string, maxBytes: number): Promise<string> {
  const handle = await open(file).catch(() => null);
  if (!handle) return '';
  try {
    const { size } = await handle.stat();
    const from = Math.max(0, size - maxBytes);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - from), 0, size - from, from);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Not the constants, nor the polled data behind the events, nor the first line, which the cut has torn. */
function isEvent(line: string): boolean {
  try {
    const event = JSON.parse(line) as { source?: unknown; type?: unknown } | null;
    return typeof event?.type === 'number' && typeof event.source === 'object';
  } catch {
    return false;
  }
}
