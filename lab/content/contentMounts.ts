import { contentFolder } from './contentFolder.ts';

/** Where an origin serves the demo and the test streams. */
export function contentMounts(): Record<'/media/demo' | '/media/test', string> {
  return { ...demoMounts(), '/media/test': contentFolder('test') };
}

/** The demo alone. */
export function demoMounts(): Record<'/media/demo', string> {
  return { '/media/demo': contentFolder('demo') };
}
