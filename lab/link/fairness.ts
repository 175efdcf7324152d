import type { Controller } from './linkEnd.ts';

/**
 * What TCP sends with at both ends of a session's link: the kernel's Reno with the first window of quic-go's, which is the
 * nearest to the sender that Caddy has for QUIC.
 */
export const tcpSender: Controller = { name: 'reno', initialWindowPackets: 32 };

/** Senders of TCP and QUIC in words, with the values that the logs have. */
export const TCP_WORDS = `${tcpSender.name}, initial window ${tcpSender.initialWindowPackets} packets, not paced, beta 0.5`;
export const QUIC_WORDS = 'reno of quic-go (Caddy), initial window 32 packets, paced, beta 0.7';

/** For every output that compares transports over links: what is alike, and what is not. */
export const FAIRNESS = `like for like: TCP and QUIC both send by Reno from a window of ${tcpSender.initialWindowPackets} packets; what still differs: QUIC (quic-go in Caddy) paces and keeps 0.7 of its window at a loss, TCP (the kernel) does not pace and keeps 0.5`;
