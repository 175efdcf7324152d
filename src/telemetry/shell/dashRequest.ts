/**
 * dash.js' FragmentRequest (streaming/vo/FragmentRequest.js), as far as we read it. `index.d.ts` types several of
 * these as always there; at run time they are NaN or null where they mean nothing.
 */
export interface DashRequest {
  readonly type?: string | null;
  readonly mediaType?: string | null;
  readonly index?: number | null;
  /** s */
  readonly startTime?: number | null;
  /** s */
  readonly duration?: number | null;
  readonly range?: string | null;
  readonly retryAttempts?: number;
  readonly serviceLocation?: string | null;
  readonly fileLoaderType?: string;
  readonly representation?: DashRepresentation | null;
}

export interface DashRepresentation {
  readonly id: string;
  /** bit/s */
  readonly bandwidth: number;
  readonly mediaInfo?: { readonly streamInfo?: { readonly id?: string | null } | null } | null;
}

/** The request that dash.js' HTTPLoader hands to interceptors (CommonMediaRequest). */
export interface LoaderRequest {
  url: string;
  method?: string;
  customData?: LoaderData;
}

export interface LoaderData {
  request?: DashRequest;
}

/** The same for the response. */
export interface LoaderResponse {
  readonly request: LoaderRequest;
  readonly url?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly data?: unknown;
}
