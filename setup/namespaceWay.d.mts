/** Way in which a process can make network namespaces; `why` is a sentence without its full stop. */
export type NamespaceWay =
  { readonly kind: 'root' | 'user-namespace' } | { readonly kind: 'none'; readonly why: string };

/** Facts of a process and its machine that decide how it can make network namespaces. */
export interface NamespaceMachine {
  readonly platform: string;
  /** Returns the id of the user; null where the system has no user ids. */
  userId(): number | null;
  /** Returns the capabilities in effect, a bit each, as in capabilities(7). */
  capabilities(): bigint;
  /** Tries to make and use a user namespace. Returns null when that works, else why it does not. */
  tryUserNamespace(): string | null;
  /** Reads a setting of the kernel; null where the kernel does not have it. */
  readSetting(file: string): string | null;
}

/** Makes a user namespace in passing to see whether it works, where this process is not root. */
export function namespaceWay(machine?: NamespaceMachine): NamespaceWay;

/** Arguments of `unshare`: its program is root in a user namespace, with networks and mounts of its own. */
export const USER_NAMESPACE: readonly string[];
