export { cooked } from './cooked.ts';
export { pairs } from './pairs.ts';
export { mahimahi } from './mahimahi.ts';
export { sabre } from './sabre.ts';
export { csv } from './csv.ts';
export { fcc } from './fcc.ts';
export { pitwallTrace } from './pitwallTrace.ts';
