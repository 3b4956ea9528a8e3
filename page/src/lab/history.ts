/** Undo and redo of the changes that were made on this page. */
import { computed, signal } from "@preact/signals";

export interface Change {
  /** In words, for the button's description: `move 3 devices`. */
  readonly name: string;
  readonly undo: () => Promise<unknown>;
  readonly redo: () => Promise<unknown>;
}

const KEPT = 200;

/** Whether the service could not be reached, or was too busy: the same may succeed later. */
function isPassing(error: unknown): boolean {
  const status = error instanceof Error && "status" in error ? error.status : undefined;
  return status === 0 || status === 429 || Number(status) >= 500;
}

export function makeHistory() {
  const done = signal<readonly Change[]>([]);
  const undone = signal<readonly Change[]>([]);
  /** Changes run one after another, also when the user presses the keys faster than the service answers. */
  let running: Promise<unknown> = Promise.resolve();
  const queue = (action: () => Promise<unknown>): Promise<unknown> => {
    running = running.catch(() => {}).then(action);
    return running;
  };
  /** Moves the last change from one list to the other. A change that only could not be made now stays where it is. */
  const move = async (from: typeof done, to: typeof done, make: (change: Change) => Promise<unknown>) => {
    const change = from.value.at(-1);
    if (change === undefined) return;
    from.value = from.value.slice(0, -1);
    try {
      await make(change);
    } catch (error) {
      if (isPassing(error)) from.value = [...from.value, change];
      throw error;
    }
    to.value = [...to.value, change];
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
    undo: () => queue(() => move(done, undone, ({ undo }) => undo())),
    redo: () => queue(() => move(undone, done, ({ redo }) => redo())),
  };
}
