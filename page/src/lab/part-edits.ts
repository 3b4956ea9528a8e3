/**
 * Edits of parts (devices, links, drawings) that the service has not stored yet. The page shows a part as it will be: as the service has it,
 * with these edits. For each part one request is under way; edits that are made meanwhile wait for the next one, and an edit replaces an
 * unsent one of the same field. So the last edit wins, whatever the order of responses and events.
 */
import { type Fields, isSame } from "./own-changes.ts";

/** One field of a part, or of an object in it: `["filters", "delay"]`. */
export interface FieldEdit {
  readonly path: readonly string[];
  /** Undefined removes the field. */
  readonly value: unknown;
}

interface Owner<T> {
  /** Sends the fields that differ. @returns the part as the service has it now. */
  readonly send: (id: string, fields: Fields) => Promise<T>;
  /** What a request has for fields that differ; absent: the fields. */
  readonly request?: (base: T, fields: Fields) => Fields;
  readonly show: (id: string, part: T) => void;
  /** Whether the request has not reached the service. */
  readonly isAway: (error: unknown) => boolean;
}

interface Settle {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

interface Waiting {
  readonly edit: FieldEdit;
  readonly settle: readonly Settle[];
}

interface Edited<T> {
  /** The part as the service has it, as far as the page knows. */
  base: T;
  /** In the request that is under way. */
  sending: ReadonlyMap<string, Waiting>;
  waiting: Map<string, Waiting>;
}

/** As many requests at once as browsers send over HTTP/1.1. */
const AT_ONCE = 6;
const AGAIN_AFTER_MS = 2_000;

export class PartEdits<T extends object> {
  readonly #owner: Owner<T>;
  readonly #parts = new Map<string, Edited<T>>();
  #underWay = 0;
  #isAway = false;

  constructor(owner: Owner<T>) {
    this.#owner = owner;
  }

  /**
   * Shows the edit at once.
   * @param part as the page shows it.
   * @returns a promise that resolves when the service has stored this edit, or a later one of the same field, and rejects when it refuses.
   */
  edit(id: string, part: T, edit: FieldEdit): Promise<void> {
    return new Promise((resolve, reject) => {
      const edited = this.#parts.get(id) ?? { base: part, sending: new Map(), waiting: new Map() };
      this.#parts.set(id, edited);
      const key = JSON.stringify(edit.path);
      const { settle = [] } = edited.waiting.get(key) ?? {};
      edited.waiting.delete(key);
      edited.waiting.set(key, { edit, settle: [...settle, { resolve, reject }] });
      this.#show(id, edited);
      // Edits that are made together are sent together.
      queueMicrotask(() => this.#sendNext());
    });
  }

  /** @param part as the service has it. @returns the part with the edits. */
  arrived(id: string, part: T): T {
    const edited = this.#parts.get(id);
    if (edited === undefined) return part;
    edited.base = part;
    return shownOf(edited);
  }

  /** @param part as the page shows it. @returns the part as the service has it. */
  withoutEdits(id: string, part: T | undefined): T | undefined {
    return this.#parts.get(id)?.base ?? part;
  }

  /** The part is gone: its edits have nothing to change. */
  forget(id: string): void {
    const edited = this.#parts.get(id);
    this.#parts.delete(id);
    if (edited !== undefined) for (const { resolve } of settlesOf(edited.waiting)) resolve();
  }

  /** Sends what waits since a request has not reached the service. */
  resume(): void {
    this.#isAway = false;
    this.#sendNext();
  }

  #show(id: string, edited: Edited<T>): void {
    this.#owner.show(id, shownOf(edited));
  }

  #sendNext(): void {
    for (const [id, edited] of this.#parts) {
      if (this.#isAway || this.#underWay >= AT_ONCE) return;
      if (edited.sending.size === 0 && edited.waiting.size > 0) void this.#send(id, edited);
    }
  }

  async #send(id: string, edited: Edited<T>): Promise<void> {
    const sent = edited.waiting;
    edited.sending = sent;
    edited.waiting = new Map();
    this.#underWay += 1;
    let settle = (_each: Settle): void => {};
    try {
      const fields = differing(edited.base, withEdits(edited.base, sent));
      const request = this.#owner.request?.(edited.base, fields) ?? fields;
      if (Object.keys(fields).length > 0) edited.base = await this.#owner.send(id, request);
      settle = ({ resolve }) => resolve();
    } catch (error) {
      if (this.#owner.isAway(error)) this.#keep(edited, sent);
      else settle = ({ reject }) => reject(error);
    }
    edited.sending = new Map();
    this.#underWay -= 1;
    if (this.#parts.get(id) === edited) {
      if (edited.waiting.size === 0) this.#parts.delete(id);
      this.#show(id, edited);
    }
    for (const each of settlesOf(sent)) settle(each);
    this.#sendNext();
  }

  /** Puts edits back before those that were made since. */
  #keep(edited: Edited<T>, sent: ReadonlyMap<string, Waiting>): void {
    const kept = new Map(sent);
    for (const [key, { edit, settle }] of edited.waiting) {
      const earlier = kept.get(key)?.settle ?? [];
      kept.delete(key);
      kept.set(key, { edit, settle: [...earlier, ...settle] });
    }
    edited.waiting = kept;
    this.#isAway = true;
    setTimeout(() => this.resume(), AGAIN_AFTER_MS);
  }
}

const settlesOf = (edits: ReadonlyMap<string, Waiting>) =>
  [...edits.values()].flatMap(({ settle }) => settle);

const shownOf = <T extends object>({ base, sending, waiting }: Edited<T>): T =>
  withEdits(withEdits(base, sending), waiting);

const withEdits = <T extends object>(part: T, edits: ReadonlyMap<string, Waiting>): T =>
  [...edits.values()].reduce<T>((before, { edit }) => withField(before, edit.path, edit.value), part);

/** The value of a field, or undefined. */
export const fieldOf = (part: object, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (isFields(value) ? value[name] : undefined), part);

export function withField<T extends object>(part: T, [name, ...rest]: readonly string[], value: unknown): T {
  if (name === undefined) return part;
  const before = fieldOf(part, [name]);
  const after = rest.length === 0 ? value : withField(isFields(before) ? before : {}, rest, value);
  const copy = { ...part, [name]: after };
  if (after === undefined) delete copy[name as keyof typeof copy];
  return copy;
}

const differing = (base: object, wanted: object): Fields =>
  Object.fromEntries(Object.entries(wanted).filter(([name, value]) => !isSame(fieldOf(base, [name]), value)));

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;
