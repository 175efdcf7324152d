import { expect, it } from 'vitest';
import { codeOf } from './registry.ts';

it.each([
  ['throughput', 'THR'],
  ['dashjs-throughput', 'DTH'],
  ['bb', 'BBB'],
  ['bba-0', 'BB0'],
  ['bola-e', 'BOE'],
  ['mpc-robust', 'MRO'],
])('the letters of %s are %s', (id, code) => expect(codeOf(id)).toBe(code));
