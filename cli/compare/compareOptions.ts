/** What `pitwall compare` was asked for. */
export interface CompareOptions {
  readonly seconds: number;
  readonly rules: readonly string[];
  readonly transports: readonly string[];
  readonly preset: string;
  readonly mpd?: string;
  readonly out?: string;
  readonly workers: number;
  readonly shard?: string;
  readonly retries: number;
}
