export { bitrate } from './bitrate.ts';
export { buffer } from './buffer.ts';
export { racing } from './racing.ts';
export { transport } from './transport.ts';
export { requests } from './requests.ts';
export { latency } from './latency.ts';
export { decisions } from './decisions.ts';
