import { accessNetwork } from './accessNetwork.ts';

/** 5.9 Mbit/s, 69 ms, no loss. What the thesis leaves open: `accessNetwork.ts`. */
export const wifi = accessNetwork('WiFi');
