import { expect, test } from 'vitest';
import { exampleLog } from '../../telemetry/exampleLog.testing.ts';
import type { SessionHeader } from '../../telemetry/schema/sessionLog.ts';
import { createMemoryStore } from '../../telemetry/shell/store/memoryStore.ts';
import { resumePoint } from './recovery.ts';

/** Where a recording with this set-up goes on. */
async function resumed(changes: Partial<SessionHeader['environment']>) {
  const { events, ...log } = exampleLog();
  const header = { ...log, environment: { ...log.environment, ...changes } };
  const store = createMemoryStore();
  await store.begin(header);
  await store.flush({ header, events, open: [] });
  return resumePoint(store, header.id, '');
}

test('a recording goes on over its pathways, with its policy and its ranges', async () => {
  const steering = {
    policy: 'throughput',
    parameters: { probeBytes: 1000, weakProbes: 2 },
    pathways: [
      { id: 'main', base: 'https://cdn.example', carries: 'any' as const },
      { id: 'tcp', base: 'https://tcp.cdn.example', carries: 'tcp' as const },
    ],
  };
  expect(await resumed({ mpdUrl: 'https://cdn.example/a.mpd', steering, split: 6 })).toMatchObject({
    mpd: 'https://cdn.example/a.mpd',
    pathways: 'tcp=https://tcp.cdn.example',
    steering: 'throughput:probeBytes=1000:weakProbes=2',
    split: '6',
  });
});

test('what the recording did without is taken out of the form', async () => {
  expect(await resumed({})).toMatchObject({ pathways: '', steering: '', split: '' });
});
