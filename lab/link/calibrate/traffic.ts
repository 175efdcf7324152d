/**
 * What a process inside a namespace can send, receive and tell. Times are ms of the kernel's monotonic clock, which all
 * processes of a machine share. Sizes are IP packets: payload and 28 bytes of IP and UDP header.
 */
export interface Traffic {
  /** Answers every UDP packet on a port. */
  echo(port: number): Promise<void>;
  /** Round trips of small packets to `echo`, one after the other; a lost one is null. */
  ping(options: Target & { readonly count: number; readonly intervalMs: number }): Promise<(number | null)[]>;
  /** Begins to take down what `flow` sends to a port. */
  listen(port: number): Promise<void>;
  /** What came since `listen`, which ends. */
  arrivals(port: number): Promise<Arrivals>;
  /** Sends numbered UDP packets at an even pace. Time that the machine lost is not made up for by a burst. */
  flow(options: Target & FlowOptions): Promise<Sent>;
  /** Accepts TCP connections and sends on each for as long as it lives. */
  pour(port: number): Promise<void>;
  /** Opens one and reads it. */
  drink(options: Target & { readonly durationMs: number }): Promise<Drunk>;
}

export interface Target {
  readonly host: string;
  readonly port: number;
}

export interface FlowOptions {
  readonly kbps: number;
  readonly ipBytes: number;
  readonly count: number;
}

export interface Sent {
  readonly packets: number;
  /** By number. */
  readonly atMs: readonly number[];
}

/** In the order of arrival; the two lists have the same length. */
export interface Arrivals {
  readonly numbers: readonly number[];
  readonly atMs: readonly number[];
  readonly ipBytes: number;
  /** Lost in the receiver's own socket: the machine's fault, not the link's. */
  readonly socketDrops: number;
}

/** Bytes of the stream read until each moment. */
export interface Drunk {
  readonly atMs: readonly number[];
  readonly totalBytes: readonly number[];
}
