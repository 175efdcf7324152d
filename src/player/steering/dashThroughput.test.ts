import type { MediaPlayerClass } from 'dashjs';
import { expect, test, vi } from 'vitest';
import { keepThroughputByPathway } from './dashThroughput.ts';

type Samples = Record<string, number[]>;

/** dash.js' model as far as it matters: it writes into the objects that it hands out, and a reset makes new ones. */
function modelOf() {
  let histories: Samples[] = [];
  const reset = vi.fn(() => void (histories = [{}, {}, {}, {}]));
  reset();
  return {
    addEntry: vi.fn((mediaType: string, { kbps }: { kbps: number }) => {
      for (const history of histories) (history[mediaType] ??= []).push(kbps);
    }),
    getThroughputDict: () => histories[0]!,
    getLatencyDict: () => histories[1]!,
    getEwmaThroughputDict: () => histories[2]!,
    getEwmaLatencyDict: () => histories[3]!,
    reset,
  };
}

const pathwayOf = (url: string): string | null =>
  url.startsWith('https://tcp.') ? 'tcp' : url.startsWith('https://main.') ? 'main' : null;

function extended() {
  const extend = vi.fn<(name: string, child: object, override: boolean) => void>();
  const throughput = keepThroughputByPathway({ extend } as unknown as MediaPlayerClass, pathwayOf, 'main');
  const [name, child, override] = extend.mock.calls[0]!;
  expect([name, override]).toEqual(['ThroughputModel', true]);
  const model = modelOf();
  const parent = { ...model };
  const own = (child as (this: { parent: object }) => Partial<typeof model>).call({ parent });
  const add = (url: string, kbps: number): void =>
    own.addEntry!('video', { actualurl: url, kbps } as unknown as { kbps: number });
  const use = (pathway: string, keepsHistory = false): void => throughput.use({ pathway, keepsHistory });
  return { throughput, use, model, add, reset: own.reset! };
}

test('after a change dash.js knows only what the pathway carried, and after the return what it knew before', () => {
  const { use, model, add } = extended();
  const dictionary = model.getThroughputDict();
  add('https://main.example/1', 100);
  use('tcp');
  expect(model.getThroughputDict()).toEqual({});
  add('https://tcp.example/2', 900);
  add('https://tcp.example/3', 950);
  use('main');
  expect(model.getThroughputDict()).toEqual({ video: [100] });
  use('tcp');
  expect([
    dictionary,
    model.getLatencyDict(),
    model.getEwmaThroughputDict(),
    model.getEwmaLatencyDict(),
  ]).toEqual(Array.from({ length: 4 }, () => ({ video: [900, 950] })));
  // The very object that dash.js holds.
  expect(model.getThroughputDict()).toBe(dictionary);
});

test('a pathway that is tried again begins with what the other one gave, which stays as it was', () => {
  const { use, model, add } = extended();
  add('https://main.example/1', 60);
  use('tcp');
  add('https://tcp.example/2', 900);
  use('main', true);
  expect(model.getThroughputDict()).toEqual({ video: [900] });
  add('https://main.example/3', 70);
  // It began before the change.
  add('https://tcp.example/4', 950);
  expect(model.getEwmaThroughputDict()).toEqual({ video: [900, 70] });
  use('tcp');
  expect(model.getThroughputDict()).toEqual({ video: [900, 950] });
  expect(model.getLatencyDict()).toEqual({ video: [900, 950] });
});

test('a request that ends after the change counts for its own pathway', () => {
  const { use, model, add } = extended();
  use('tcp');
  add('https://main.example/1', 70);
  expect(model.getThroughputDict()).toEqual({});
  use('main');
  expect(model.getThroughputDict()).toEqual({ video: [70] });
});

test('a request that two pathways carried measures neither', () => {
  const { throughput, use, model, add } = extended();
  throughput.leaveOut('https://tcp.example/1');
  use('tcp');
  add('https://tcp.example/1', 300);
  expect(model.getThroughputDict()).toEqual({});
  add('https://tcp.example/1', 400);
  expect(model.getThroughputDict()).toEqual({ video: [400] });
});

test('a file of another server counts for the pathway in use', () => {
  const { model, add } = extended();
  add('https://ads.example/1', 5);
  expect(model.getThroughputDict()).toEqual({ video: [5] });
});

test('a reset forgets all', () => {
  const { use, model, add, reset } = extended();
  add('https://main.example/1', 100);
  use('tcp');
  reset();
  use('main');
  expect(model.getThroughputDict()).toEqual({});
});
