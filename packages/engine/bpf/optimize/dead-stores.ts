/**
 * Removes writes that are overwritten or never read. Also removes an unused load from the packet; the program then no longer
 * rejects packets that are too short for that load.
 */
import { REMOVED } from "../assemble.ts";
import type { Statement } from "../flow.ts";
import { A_ATOM, ATOMS, type FlowNode, lowestAtom, X_ATOM } from "./graph.ts";
import type { Progress } from "./progress.ts";
import { A_AND_X, atomRead, atomWritten, NO_ATOM } from "./uses.ts";

export class DeadStores {
  /** Per atom, the last write that no instruction has read. All null between blocks. */
  readonly #unread: (Statement | null)[] = new Array<Statement | null>(ATOMS).fill(null);
  readonly #progress: Progress;

  constructor(progress: Progress) {
    this.#progress = progress;
  }

  removeFrom(node: FlowNode): void {
    const { statements, usedAfter } = node;
    let written = 0;
    for (let at = 0; at < statements.length; at += 1) {
      const item = statements[at]!;
      this.#markRead(atomRead(item));
      const atom = atomWritten(item);
      if (atom === NO_ATOM) continue;
      this.#removeIfUnread(atom);
      this.#unread[atom] = item;
      written |= 1 << atom;
    }
    if (written === 0) return;
    this.#markRead(atomRead(node));
    for (let rest = written; rest !== 0; rest &= rest - 1) {
      const atom = lowestAtom(rest);
      if ((usedAfter & (1 << atom)) === 0) this.#removeIfUnread(atom);
      this.#unread[atom] = null;
    }
  }

  #markRead(atom: number): void {
    if (atom === A_AND_X) {
      this.#unread[A_ATOM] = null;
      this.#unread[X_ATOM] = null;
    } else if (atom !== NO_ATOM) {
      this.#unread[atom] = null;
    }
  }

  #removeIfUnread(atom: number): void {
    const item = this.#unread[atom] ?? null;
    if (item === null) return;
    item.code = REMOVED;
    this.#progress.markStatements();
  }
}
