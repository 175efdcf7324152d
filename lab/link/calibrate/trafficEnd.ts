/** A process of its own inside a namespace: carries out each `Traffic` call that comes over IPC (`startTraffic.ts`). */
import { tcpTraffic } from './tcpTraffic.ts';
import { udpTraffic } from './udpTraffic.ts';

export interface TrafficCall {
  readonly id: number;
  readonly name: string;
  readonly argument: unknown;
}

export type TrafficAnswer = { readonly id: number } & (
  { readonly value: unknown } | { readonly error: string }
);

const calls = { ...udpTraffic, ...tcpTraffic } as Readonly<
  Record<string, (argument: never) => Promise<unknown>>
>;

process.on('message', ({ id, name, argument }: TrafficCall) => {
  void (calls[name]?.(argument as never) ?? Promise.reject(new Error(`no call ${name}`))).then(
    (value) => process.send?.({ id, value }),
    (error: unknown) => process.send?.({ id, error: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
