interface Found {
  readonly path: string | null;
}
/** The programs of network namespaces, each with its path or the reason why it is missing. */
export function findNetwork(
  say: (line: string) => void,
  options?: { readonly forImage?: boolean },
): { readonly ip: Found; readonly nft: Found; readonly tc: Found };
