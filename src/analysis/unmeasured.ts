import type { Measured } from './metric.ts';

/** What a metric answers when the log lacks its data; `why` is a sentence. */
export const unmeasured = (why: string): Measured => ({ value: null, why });
