/** What a progress event of XMLHttpRequest tells, and dash.js reads. */
export interface LoadProgress {
  /** Body bytes so far, after content decoding. */
  readonly loaded: number;
  /** Bytes of the whole body; 0 where it is not known. */
  readonly total: number;
  readonly lengthComputable: boolean;
}

/** dash.js' CommonMediaRequest (streaming/vo/CommonMediaRequest.js), as far as a loader reads it. */
export interface MediaRequest {
  readonly url: string;
  readonly method: string;
  readonly responseType?: string;
  readonly headers?: Readonly<Record<string, string | null | undefined>>;
  readonly credentials?: string;
  /** ms; 0 for none. */
  readonly timeout?: number;
  readonly customData: LoadCallbacks;
}

/**
 * The callbacks of dash.js' HTTPLoader. It takes `onloadend` and `onprogress` away before it calls `abort`, and its
 * telemetry takes the moment at which `abort` is set for the moment of sending.
 */
export interface LoadCallbacks {
  onloadend?: (() => void) | undefined;
  onprogress?: ((event: LoadProgress) => void) | undefined;
  onabort?: (() => void) | undefined;
  ontimeout?: ((event: LoadProgress) => void) | undefined;
  abort?: () => void;
}

/** dash.js' CommonMediaResponse. A status of 0 is a network error. */
export interface MediaResponse {
  url?: string;
  status?: number;
  statusText?: string;
  headers?: Readonly<Record<string, string>>;
  data?: unknown;
}

/** The public methods of dash.js' XHRLoader (streaming/net/XHRLoader.js). */
export interface DashLoader {
  load(request: MediaRequest, response: MediaResponse): boolean;
  abort(request?: MediaRequest): void;
  reset(): void;
  resetInitialSettings(): void;
}
