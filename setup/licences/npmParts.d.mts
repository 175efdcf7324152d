export interface Part {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly use: string;
}
export interface NpmPart extends Part {
  readonly isShipped: boolean;
}
export function npmParts(
  lock: { readonly packages: Readonly<Record<string, object>> },
  options: {
    readonly uses: Readonly<Record<string, string>>;
    readonly unstated: Readonly<Record<string, string>>;
  },
): NpmPart[];
