/**
 * What we read of a `PerformanceResourceTiming` (Resource Timing Level 2), as plain data. Times are ms on the page's
 * `performance.now()` clock; 0 is "did not happen or is hidden", '' is "hidden".
 */
export interface TimingEntry {
  /** The URL that was asked for, without fragment; redirects do not change it. */
  readonly name: string;
  readonly startTime: number;
  readonly redirectStart: number;
  readonly redirectEnd: number;
  readonly fetchStart: number;
  readonly domainLookupStart: number;
  readonly domainLookupEnd: number;
  readonly connectStart: number;
  readonly secureConnectionStart: number;
  readonly connectEnd: number;
  readonly requestStart: number;
  readonly responseStart: number;
  readonly responseEnd: number;
  readonly nextHopProtocol: string;
  readonly transferSize: number;
  readonly encodedBodySize: number;
  readonly decodedBodySize: number;
  readonly responseStatus?: number;
  readonly serverTiming?: readonly {
    readonly name: string;
    readonly duration: number;
    readonly description: string;
  }[];
}
