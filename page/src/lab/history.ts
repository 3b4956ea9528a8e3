/** Undo and redo of the changes that were made on this page. */
import { computed, signal } from "@preact/signals";

export interface Change {
  /** In words, for the button's description: `move 3 devices`. */
  readonly name: string;
  readonly undo: () => Promise<unknown>;
  readonly redo: () => Promise<unknown>;
}

const KEPT = 200;

export function makeHistory() {
  const done = signal<readonly Change[]>([]);
  const undone = signal<readonly Change[]>([]);
  /** Changes run one after another, also when the user presses the keys faster than the service answers. */
  let running: Promise<unknown> = Promise.resolve();
  const queue = (action: () => Promise<unknown>): Promise<unknown> => {
    running = running.catch(() => {}).then(action);
    return running;
  };
  return {
    lastDone: computed(() => done.value.at(-1)),
    lastUndone: computed(() => undone.value.at(-1)),
    /** Notes a change that has been made. */
    note(change: Change): void {
      done.value = [...done.value, change].slice(-KEPT);
      undone.value = [];
    },
    /** Notes a change that goes on with the last one. */
    replaceLast(change: Change): void {
      done.value = [...done.value.slice(0, -1), change];
      undone.value = [];
    },
    /** Undo and redo wait for a change that is being made, so that they come after its note. */
    follow(change: unknown): unknown {
      running = Promise.allSettled([running, change]);
      return change;
    },
    undo: () =>
      queue(async () => {
        const change = done.value.at(-1);
        if (change === undefined) return;
        done.value = done.value.slice(0, -1);
        await change.undo();
        undone.value = [...undone.value, change];
      }),
    redo: () =>
      queue(async () => {
        const change = undone.value.at(-1);
        if (change === undefined) return;
        undone.value = undone.value.slice(0, -1);
        await change.redo();
        done.value = [...done.value, change];
      }),
  };
}
