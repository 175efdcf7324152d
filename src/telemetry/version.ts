/** Of this recorder, written into every log; the same as in package.json (a test holds them together). */
export const PITWALL_VERSION = '0.1.0';
