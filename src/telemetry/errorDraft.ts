import type { Draft, ErrorEvent } from './event.ts';

type Fault = Pick<ErrorEvent, 'atMs' | 'source' | 'code' | 'message'> & { readonly fatal?: boolean };

/** A fault that belongs to no request. A message is cut to what a log can hold. */
export const errorDraft = ({ atMs, source, code, message, fatal = false }: Fault): Draft<ErrorEvent> => ({
  kind: 'error',
  atMs,
  source,
  code,
  message: message.slice(0, 4000),
  requestId: null,
  fatal,
  missing: { requestId: 'not-applicable' },
});
