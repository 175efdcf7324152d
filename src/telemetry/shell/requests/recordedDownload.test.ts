import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createRecordedDownload } from './recordedDownload.ts';
import type { RequestEntry } from './requestBook.ts';

const transfer = { stream: 0, object: 0, sizeBytes: 300_000, part: 0, parts: 1 };

/** What the log learns of a download from a server that answers so. */
async function downloaded(answer: RequestListener, { range = null as string | null, stopAfterMs = 0 } = {}) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/300000-1.bin`;
  const ends: Parameters<Parameters<typeof createRecordedDownload>[0]['end']>[] = [];
  const download = createRecordedDownload({
    ask: (asked) => ({ ...asked, askedMs: 0, sentMs: 0, id: null, answer: null }) as RequestEntry,
    sending: (entry, sent) => void (entry.url = sent),
    sent: () => undefined,
    end: (...end) => void ends.push(end),
  });
  const stop = new AbortController();
  if (stopAfterMs > 0) setTimeout(() => stop.abort(), stopAfterMs);
  await download(url, { range, transfer, signal: stop.signal });
  server.closeAllConnections();
  server.close();
  const [[entry, { answer: answered }]] = ends as [(typeof ends)[number]];
  const { outcome, status, receivedBytes } = answered;
  return { entry, answered: { outcome, status, receivedBytes } };
}

test('every byte is counted and none is kept', async () => {
  const { entry, answered } = await downloaded((_, response) => response.end(Buffer.alloc(300_000)));
  expect(answered).toEqual({ outcome: 'ok', status: 200, receivedBytes: 300_000 });
  expect(entry.purpose).toMatchObject({ type: 'probe', transfer });
});

test('a range is asked for as such', async () => {
  let asked: string | undefined;
  await downloaded(
    ({ headers }, response) => {
      asked = headers.range;
      response.writeHead(206).end('1234');
    },
    { range: '10-13' },
  );
  expect(asked).toBe('bytes=10-13');
});

test('the bytes so far are noted at the most ten times a second', async () => {
  const { entry } = await downloaded((_, response) => {
    let sent = 0;
    const timer = setInterval(() => {
      response.write(Buffer.alloc(10_000));
      if (++sent === 30) response.end();
      if (sent === 30) clearInterval(timer);
    }, 10);
  });
  const times = entry.progress!.map(({ atMs }) => atMs);
  expect(times.length).toBeGreaterThanOrEqual(2);
  expect(times.slice(1).every((ms, index) => ms - times[index]! >= 100)).toBe(true);
  const bytes = entry.progress!.map((each) => each.bytes);
  expect(bytes).toEqual(bytes.toSorted((one, other) => one - other));
});

test.each<[string, RequestListener, object]>([
  [
    'an error of the server',
    (_, response) => void response.writeHead(404).end('no'),
    { outcome: 'http-error', status: 404, receivedBytes: 2 },
  ],
  [
    'half a body',
    (_, response) =>
      void response.writeHead(200, { 'content-length': 10 }).write('123', () => response.destroy()),
    { outcome: 'network-error', status: 200 },
  ],
])('%s is an outcome', async (_, answer, expected) =>
  expect((await downloaded(answer)).answered).toMatchObject(expected),
);

test('what is stopped was aborted, with the bytes until then', async () => {
  const { answered } = await downloaded((_, response) => void response.write(Buffer.alloc(5000)), {
    stopAfterMs: 200,
  });
  expect(answered).toEqual({ outcome: 'aborted', status: 200, receivedBytes: 5000 });
});
