import type { OriginName } from './originStarts.ts';

/** What `pitwall serve` was asked for. */
export interface ServeOptions {
  readonly port: number;
  readonly httpsPort: number;
  readonly open: boolean;
  readonly origin: OriginName;
}
