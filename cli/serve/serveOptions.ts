import {
  type CongestionController,
  startInstrumentedOrigin,
  type InstrumentedOptions,
} from '../../lab/origin/startInstrumentedOrigin.ts';
import path from 'node:path';
import type { Origin, OriginOptions } from '../../lab/caddy/origin.ts';
import { startCaddy } from '../../lab/caddy/startCaddy.ts';

/** What `pitwall serve` was asked for. */
export interface ServeOptions {
  readonly port: number;
  readonly httpsPort: number;
  readonly open: boolean;
  readonly origin: OriginName;
  /** The rest is for the instrumented origin only. */
  readonly cc?: CongestionController;
  readonly emulatedConnections?: number;
  readonly initialWindow?: number;
  readonly maxWindow?: number;
  readonly zeroRtt?: boolean;
  readonly transportLog?: string;
}

export type OriginName = 'caddy' | 'instrumented';

/** What can serve, by the name that people give to `--origin`. */
export const originStarts: Readonly<
  Record<OriginName, (serving: OriginOptions, asked: ServeOptions) => Promise<Origin>>
> = {
  caddy: (serving, asked) => {
    const [flag] = Object.entries(flagsOf(asked)).find(([, value]) => value !== undefined) ?? [];
    if (flag !== undefined) throw new Error(`${flag} needs --origin instrumented.`);
    return startCaddy(serving);
  },
  instrumented: (serving, asked) => startInstrumentedOrigin({ ...serving, ...instrumented(asked) }),
};

const flagsOf = (asked: ServeOptions): Record<string, unknown> => ({
  '--cc': asked.cc,
  '--emulated-connections': asked.emulatedConnections,
  '--initial-window': asked.initialWindow,
  '--max-window': asked.maxWindow,
  '--zero-rtt': asked.zeroRtt,
  '--transport-log': asked.transportLog,
});

/** One name for both transports: equal controllers are what makes them comparable. */
function instrumented(asked: ServeOptions): Omit<InstrumentedOptions, 'mounts'> {
  return {
    ...(asked.cc && { tcpController: asked.cc, quicController: asked.cc }),
    ...(asked.emulatedConnections && { emulatedConnections: asked.emulatedConnections }),
    ...(asked.initialWindow && { initialWindowPackets: asked.initialWindow }),
    ...(asked.maxWindow && { maxWindowPackets: asked.maxWindow }),
    ...(asked.zeroRtt && { zeroRtt: true }),
    ...(asked.transportLog && { transportLogFile: path.resolve(asked.transportLog) }),
  };
}
