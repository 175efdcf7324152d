import type { OriginName } from './originStarts.ts';
import type { CongestionController } from '../../lab/origin/startInstrumentedOrigin.ts';

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
