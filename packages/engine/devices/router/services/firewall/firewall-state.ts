/** What the filtering of a router keeps between runs: present if it has access lists or translates addresses. */
import type { SavedConnection4, SavedConnection6 } from "./saved-connections.ts";

export interface FirewallState {
  readonly acls?: AclState;
  readonly connections4?: readonly SavedConnection4[];
  readonly connections6?: readonly SavedConnection6[];
}

export interface AclState {
  /** By list: how many packets each rule decided, and those that no rule matched. */
  readonly hits: Readonly<Record<string, readonly number[]>>;
  readonly log: readonly string[];
  /** Lines since the log was last cleared, including those that it no longer has. */
  readonly logged: number;
}
