import { accessNetwork } from './accessNetwork.ts';

/** 5.4 Mbit/s, 128 ms, no loss. What the thesis leaves open: `accessNetwork.ts`. */
export const lte = accessNetwork('LTE');
