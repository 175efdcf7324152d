import { expect, it } from 'vitest';
import { exampleLog } from '../../exampleLog.testing.ts';
import { createBeginningStore, createMemoryStore } from './memoryStore.ts';

const { events, ...header } = exampleLog();

async function idsIn(store: ReturnType<typeof createMemoryStore>): Promise<string[]> {
  const ids: string[] = [];
  for await (const batch of store.events(header.id)) ids.push(...batch.map(({ id }) => id));
  return ids;
}

it('lets a flush wait until the session is begun', async () => {
  const memory = createMemoryStore();
  const order: string[] = [];
  let proceed = (): void => {};
  const slow = {
    ...memory,
    begin: async (of: typeof header) => {
      await new Promise<void>((resolve) => void (proceed = resolve));
      await memory.begin(of);
      order.push('begun');
    },
    flush: async (update: Parameters<typeof memory.flush>[0]) => {
      order.push('flushed');
      await memory.flush(update);
    },
  };
  const store = createBeginningStore(slow, header, () => order.push('refused'));
  const flushed = store.flush({ header, events, open: [] });
  proceed();
  await flushed;
  expect(order).toEqual(['begun', 'flushed']);
  expect(await idsIn(store)).toEqual(events.map(({ id }) => id));
});

it('keeps a session in memory when storage is refused, and says why', async () => {
  const refusals: unknown[] = [];
  const refusing = { ...createMemoryStore(), begin: () => Promise.reject(new Error('no space')) };
  const store = createBeginningStore(refusing, header, (fault) => refusals.push(fault));
  await store.flush({ header, events, open: [] });
  expect(refusals.map(String)).toEqual(['Error: no space']);
  expect(await idsIn(store)).toEqual(events.map(({ id }) => id));
});
