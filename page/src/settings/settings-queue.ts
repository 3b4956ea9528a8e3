/**
 * What is typed into the form of one device, until the service has stored it. A value that the readers take is sent at once; others wait in
 * the form, above what the service has. So the last edit wins, whatever the order of responses and events.
 */
import { signal } from "@preact/signals";
import { ApiProblem } from "../api/call.ts";
import type { Node } from "../api/types.ts";
import { changeParts, type EditedLab } from "../edit/change.ts";
import type { Lab } from "../lab/lab.ts";
import {
  type Check,
  type Edit,
  keyOf,
  type Problem,
  problemsOf,
  readyKeys,
  refusalOf,
  withEdits,
} from "./draft.ts";
import type { Path, Properties } from "./values.ts";

/** Edits that the service has not answered: a refusal of the last request puts all of them back. */
interface Sent {
  readonly edits: readonly Edit[];
  readonly ticket: number;
}

/** A node whose ports were never set has as many as the service made. */
const propertiesOf = ({ properties, ports }: Pick<Node, "properties" | "ports">): Properties => {
  const given = Object.entries(properties).filter(([, value]) => value !== null);
  return { ports: ports.map(({ name }) => ({ name })), ...Object.fromEntries(given) };
};

const NONE = { edits: [] as readonly Edit[], refusals: new Map<string, readonly Problem[]>() };

export class SettingsQueue {
  readonly #lab: EditedLab;
  readonly #id: string;
  /** Edits that are not sent, and by property what the service has said against its last value. */
  readonly #draft = signal(NONE);
  readonly #sent = new Map<string, Sent>();
  #tickets = 0;

  constructor(lab: EditedLab, id: string) {
    this.#lab = lab;
    this.#id = id;
  }

  get isHeld(): boolean {
    return this.#draft.value.edits.length > 0;
  }

  /** @param node as the lab shows it. */
  shown(node: Node): Properties {
    return withEdits(propertiesOf(node), this.#draft.value.edits);
  }

  problems(node: Node, check: Check): readonly Problem[] {
    const { edits, refusals } = this.#draft.value;
    return [...problemsOf(propertiesOf(node), edits, check), ...[...refusals.values()].flat()];
  }

  /**
   * @param value undefined removes it.
   * @param name what the history calls a property.
   * @returns a promise that resolves when the service has answered, or at once if nothing is sent.
   */
  async change(path: Path, value: unknown, check: Check, name: (key: string) => string): Promise<void> {
    const part = this.#lab.shown("node", this.#id) as Node | undefined;
    if (part === undefined) return;
    const base = propertiesOf(part);
    const { edits, refusals } = this.#draft.peek();
    const all = [...edits, { path, value }];
    // What the service has refused is sent again when it is changed, and keeps no other setting from being stored.
    const isFree = (edit: Edit): boolean => keyOf(edit) === String(path[0]) || !refusals.has(keyOf(edit));
    const ready = readyKeys(base, all.filter(isFree), check);
    const isReady = (edit: Edit): boolean => ready.includes(keyOf(edit));
    this.#draft.value = {
      edits: all.filter((edit) => !isReady(edit)),
      refusals: new Map([...refusals].filter(([key]) => key !== String(path[0]))),
    };
    const own = all.filter(isReady);
    if (ready.length > 0) await this.#send(ready, own, withEdits(base, own), name);
  }

  /** Takes back what is typed and not stored. */
  revert(): void {
    this.#draft.value = NONE;
  }

  async #send(
    keys: readonly string[],
    own: readonly Edit[],
    properties: Properties,
    name: (key: string) => string,
  ): Promise<void> {
    const ticket = ++this.#tickets;
    for (const key of keys) {
      const before = this.#sent.get(key)?.edits ?? [];
      this.#sent.set(key, { ticket, edits: [...before, ...own.filter((edit) => keyOf(edit) === key)] });
    }
    const error = await changeParts(
      this.#lab,
      keys.map((key) => ({
        kind: "node",
        id: this.#id,
        path: ["properties", key],
        value: properties[key],
      })),
      `change ${keys.map(name).join(", ")} of a device`,
      true,
    );
    const last = keys.filter((key) => this.#sent.get(key)?.ticket === ticket);
    const back = last.flatMap((key) => this.#sent.get(key)?.edits ?? []);
    for (const key of last) this.#sent.delete(key);
    if (error !== undefined) this.#putBack(last, back, error);
  }

  /** What was typed since comes after it. */
  #putBack(keys: readonly string[], edits: readonly Edit[], error: unknown): void {
    const problems = error instanceof ApiProblem ? error.problems : [];
    const refused = refusalOf(problems, keys, error instanceof Error ? error.message : String(error));
    const now = this.#draft.peek();
    this.#draft.value = {
      edits: [...edits, ...now.edits],
      refusals: new Map([
        ...now.refusals,
        ...keys.map((key) => [key, refused.filter(({ path }) => path.split(".")[0] === key)] as const),
      ]),
    };
  }
}

/** What is typed stays while another device is selected. */
const queues = new WeakMap<Lab, Map<string, SettingsQueue>>();

export function queueOf(lab: Lab, id: string): SettingsQueue {
  const nodes = queues.get(lab) ?? new Map<string, SettingsQueue>();
  queues.set(lab, nodes);
  const own = nodes.get(id) ?? new SettingsQueue(lab, id);
  nodes.set(id, own);
  return own;
}
