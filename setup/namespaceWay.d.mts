/** How a process can make network namespaces; `why` is a sentence without its full stop. */
export type NamespaceWay =
  { readonly kind: 'root' | 'user-namespace' } | { readonly kind: 'none'; readonly why: string };

/** What decides about it. */
export interface NamespaceMachine {
  readonly platform: string;
  /** null where there is no such thing. */
  userId(): number | null;
  /** In effect, a bit each, as in capabilities(7). */
  capabilities(): bigint;
  /** null when one could be made and used, else why not. */
  tryUserNamespace(): string | null;
  /** Of the kernel; null where it does not have it. */
  readSetting(file: string): string | null;
}

/** Makes a user namespace in passing to see whether it works, where this process is not root. */
export function namespaceWay(machine?: NamespaceMachine): NamespaceWay;

/** Arguments of `unshare`: its program is root in a user namespace, with networks and mounts of its own. */
export const USER_NAMESPACE: readonly string[];
