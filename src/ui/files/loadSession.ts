import type { NamedSession } from './recordedSessions.ts';

/** Loads one as the file that it is. Rejects with one sentence. */
export async function loadSession({ url, title }: NamedSession): Promise<File> {
  const refused = (why: string): Error => new Error(`“${title}” could not be loaded: ${why}.`);
  const response = await fetch(url, { credentials: 'omit' }).catch(() => {
    throw refused('its server does not answer, or does not let other pages read it (CORS)');
  });
  if (!response.ok || !response.body) throw refused(`the server answered ${response.status}`);
  const tooLarge = refused('it is larger than 500 MB, which a page cannot read at once');
  const bytes = await wholeOf(response.body, tooLarge);
  const [first, second] = bytes;
  // A server that knows gzip has made plain text of it.
  const isZipped = first === 0x1f && second === 0x8b;
  const text = isZipped ? new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')) : null;
  return new File([text ? await wholeOf(text, tooLarge) : bytes], title);
}

/** Characters a browser's string can hold (V8: 2^29 − 24), rounded down. */
export const LARGEST_BYTES = 500e6;

async function wholeOf(
  stream: ReadableStream<Uint8Array>,
  tooLarge: Error,
): Promise<Uint8Array<ArrayBuffer>> {
  let size = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size > LARGEST_BYTES) throw tooLarge;
      controller.enqueue(chunk);
    },
  });
  return new Uint8Array(await new Response(stream.pipeThrough(counted)).arrayBuffer());
}
