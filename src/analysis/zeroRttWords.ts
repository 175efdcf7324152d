/** Chromium's words for the end of a QUIC handshake (`QUIC_SESSION_ZERO_RTT_STATE`); others, as `sent`, leave it open. */
export const ZERO_RTT_SUCCEEDED = 'AttemptedAndSucceeded';
export const ZERO_RTT_DENIED: readonly string[] = ['AttemptedAndRejected', 'NotAttempted'];
