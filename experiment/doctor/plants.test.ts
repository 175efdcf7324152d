import { expect, test } from 'vitest';
import { checks } from '../../src/doctor/registry.ts';
import { filePlants, manifestPlants } from './filePlants.testing.ts';
import { crossOriginPlants, http3Plants } from './plants.testing.ts';

test('every check has a plant, or is named here with the reason', () => {
  const plants = [...http3Plants, ...crossOriginPlants, ...filePlants, ...manifestPlants];
  const planted = new Set(plants.flatMap(({ finds }) => Object.keys(finds)));
  const others = checks.map(({ id }) => id).filter((id) => !planted.has(id));
  expect(others.sort()).toEqual(
    [
      // Planted in doctor.test.ts.
      ...[
        'certificate-ends',
        'certificate-name',
        'certificate-time',
        'certificate-untrusted',
        'dead-address',
      ],
      ...['no-answer', 'no-tls13', 'udp-blocked'],
      // Evidence is made by hand in src/doctor/diagnose.test.ts: this machine has no public authority.
      ...['certificate-chain', 'h3-not-used'],
    ].sort(),
  );
});
