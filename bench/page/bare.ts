import { playStream } from './playStream.ts';

playStream(() => undefined);
