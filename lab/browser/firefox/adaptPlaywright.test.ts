import { setImmediate as turn } from 'node:timers/promises';
import { firefox } from '@playwright/test';
import { describe, expect, it, test } from 'vitest';
import { adaptPlaywright, adaptTransport } from './adaptPlaywright.ts';

describe('a command of Playwright', () => {
  const sent: object[] = [];
  const received: object[] = [];
  const transport = adaptTransport({
    send: (command) => void sent.push(command),
    onmessage: (message) => void received.push(message),
  });
  const ask = async (command: Parameters<typeof transport.send>[0]) => {
    sent.length = received.length = 0;
    transport.send(command);
    await turn();
    return { sent: [...sent], received: [...received] };
  };

  it('that Firefox does not know is answered here', async () =>
    expect(await ask({ id: 7, method: 'emulation.setMediaFeaturesOverride' })).toEqual({
      sent: [],
      received: [{ type: 'success', id: 7, result: {} }],
    }));

  it('that asks for events of requests asks for the others only', async () => {
    const { sent: passed } = await ask({
      id: 8,
      method: 'session.subscribe',
      params: { events: ['browsingContext', 'network', 'log'] },
    });
    expect(passed).toEqual([
      { id: 8, method: 'session.subscribe', params: { events: ['browsingContext', 'log'] } },
    ]);
  });

  it('of another kind passes as it is', async () => {
    const command = { id: 9, method: 'browsingContext.navigate', params: {} };
    expect(await ask(command)).toEqual({ sent: [command], received: [] });
  });
});

test('the pinned Playwright has the driver that is adapted, and it is adapted once', () => {
  adaptPlaywright(firefox);
  adaptPlaywright(firefox);
});

test('another Playwright is refused in a sentence', () =>
  expect(() => adaptPlaywright({} as typeof firefox)).toThrow(
    'Playwright has changed inside: its driver of Firefox cannot be adapted.',
  ));
