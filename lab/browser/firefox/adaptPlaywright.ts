import type { BrowserType } from '@playwright/test';

interface Command {
  readonly id: number;
  readonly method: string;
  readonly params?: { readonly events?: readonly string[] };
}

/** A connection to a browser, as Playwright has it. */
interface Transport {
  send(command: Command): void;
  onmessage?: (message: object) => void;
}

interface PlaywrightsHalf {
  _bidiFirefox?: { connectToTransport(transport: Transport, options: object): Promise<object> };
}

/**
 * Commands of WebDriver BiDi that Firefox is not sent, with the answer that Playwright gets instead. Firefox 153 does not know
 * the first one, and Playwright sends it to every context. The others make it keep every body that a page receives, and
 * report every request: work for the browser while it plays (docs/decisions/0011-netlog-is-the-source-for-races.md).
 */
const ANSWERS: Readonly<Record<string, object>> = {
  'emulation.setMediaFeaturesOverride': {},
  'network.addDataCollector': { collector: 'none' },
  'network.addIntercept': { intercept: 'none' },
};

/** Events of these modules stay in the browser. */
const UNSUBSCRIBED = ['network'];

const adapted = new WeakSet();

/**
 * Makes Playwright's driver of stock Firefox one that Firefox understands, and that receives no events of requests: the
 * page's `request` and `response` events do not come. Its public interface has no way to.
 *
 * @throws Error when Playwright is built in another way than the version that we have pinned
 */
export function adaptPlaywright(firefox: BrowserType): void {
  const { _connection } = firefox as unknown as {
    _connection?: { toImpl?(type: BrowserType): PlaywrightsHalf };
  };
  const driver = _connection?.toImpl?.(firefox)._bidiFirefox;
  if (!driver) throw new Error('Playwright has changed inside: its driver of Firefox cannot be adapted.');
  if (adapted.has(driver)) return;
  adapted.add(driver);
  const connect = driver.connectToTransport.bind(driver);
  driver.connectToTransport = (transport, options) => connect(adaptTransport(transport), options);
}

/** In place: Playwright keeps the transport to close the browser with. */
export function adaptTransport(transport: Transport): Transport {
  const send = transport.send.bind(transport);
  transport.send = (command) => {
    const result = ANSWERS[command.method];
    if (result === undefined) return send(withoutEvents(command));
    setImmediate(() => transport.onmessage?.({ type: 'success', id: command.id, result }));
  };
  return transport;
}

function withoutEvents(command: Command): Command {
  const { method, params } = command;
  if (method !== 'session.subscribe' || !params?.events) return command;
  return {
    ...command,
    params: { ...params, events: params.events.filter((each) => !UNSUBSCRIBED.includes(each)) },
  };
}
