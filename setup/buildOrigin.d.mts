interface Place {
  readonly root: string;
  readonly cache: string;
  readonly say: (line: string) => void;
}

export declare function buildOrigin(
  place: Place,
  options?: { mayBuild?: boolean },
): { path: string; how: string } | { path: null; why: string };

export declare function originTargetFolder(cache: string): string;

export declare function originCargo(
  cache: string,
  command: 'build' | 'test',
): { program: string; args: string[]; env: NodeJS.ProcessEnv };
