/** The properties of one device in a form: what is stored, what is typed, and what is wrong with it. */
import { type Signal, signal } from "@preact/signals";
import { ApiProblem } from "../api/call.ts";
import type { Node } from "../api/types.ts";
import { changeParts } from "../edit/change.ts";
import type { Lab } from "../lab/lab.ts";
import { type Edit, keyOf, type Problem, problemsOf, readyKeys, refusalOf, withEdits } from "./draft.ts";
import type { Shapes } from "./shapes.ts";
import type { Path, Properties } from "./values.ts";

interface Draft {
  readonly edits: readonly Edit[];
  /** By the key of the property: what the service has said against its last value. */
  readonly refusals: ReadonlyMap<string, readonly Problem[]>;
}

/** An edit is sent with those before it that the service has not answered: a refusal puts all of them back. */
interface Sent {
  readonly edits: readonly Edit[];
  readonly ticket: number;
}

interface Held {
  readonly draft: Signal<Draft>;
  readonly sent: Map<string, Sent>;
}

/** What is typed stays while another device is selected. */
const held = new WeakMap<Lab, Map<string, Held>>();
let tickets = 0;

function heldOf(lab: Lab, id: string): Held {
  const nodes = held.get(lab) ?? new Map<string, Held>();
  held.set(lab, nodes);
  const own = nodes.get(id) ?? { draft: signal<Draft>({ edits: [], refusals: new Map() }), sent: new Map() };
  nodes.set(id, own);
  return own;
}

/** A node whose ports were never set has as many as the service made. */
export const propertiesOf = ({ properties, ports }: Pick<Node, "properties" | "ports">): Properties => {
  const given = Object.entries(properties).filter(([, value]) => value !== null);
  return { ports: ports.map(({ name }) => ({ name })), ...Object.fromEntries(given) };
};

export function useSettings(lab: Lab, node: Node, { rows, check, warnings }: Shapes) {
  const { node_id: id } = node;
  const { draft, sent } = heldOf(lab, id);
  const stored = propertiesOf(node);
  const { edits, refusals } = draft.value;

  const send = async (keys: readonly string[], own: readonly Edit[], properties: Properties) => {
    const ticket = ++tickets;
    for (const key of keys) {
      const before = sent.get(key)?.edits ?? [];
      sent.set(key, { ticket, edits: [...before, ...own.filter((edit) => keyOf(edit) === key)] });
    }
    const label = keys.map((key) => rows.find((row) => row.key === key)?.label ?? key).join(", ");
    const error = await changeParts(
      lab,
      keys.map((key) => ({ kind: "node", id, path: ["properties", key], value: properties[key] })),
      `change ${label} of a device`,
      true,
    );
    const last = keys.filter((key) => sent.get(key)?.ticket === ticket);
    const back = error === undefined ? [] : last.flatMap((key) => sent.get(key)?.edits ?? []);
    for (const key of last) sent.delete(key);
    if (error === undefined) return;
    const problems = error instanceof ApiProblem ? error.problems : [];
    const message = error instanceof Error ? error.message : String(error);
    const refused = refusalOf(problems, keys, message);
    const now = draft.peek();
    draft.value = {
      // What was typed since comes after it.
      edits: [...back, ...now.edits],
      refusals: new Map([
        ...now.refusals,
        ...last.map((key) => [key, refused.filter(({ path }) => path.split(".")[0] === key)] as const),
      ]),
    };
  };

  const change = (path: Path, value: unknown): void => {
    const part = lab.shown("node", id) as Node | undefined;
    if (part === undefined) return;
    const base = propertiesOf(part);
    const all = [...draft.peek().edits, { path, value }];
    const ready = readyKeys(base, all, check);
    const isReady = (edit: Edit): boolean => ready.includes(keyOf(edit));
    draft.value = {
      edits: all.filter((edit) => !isReady(edit)),
      refusals: new Map([...draft.peek().refusals].filter(([key]) => key !== String(path[0]))),
    };
    const own = all.filter(isReady);
    if (ready.length > 0) void send(ready, own, withEdits(base, own));
  };

  const shown = withEdits(stored, edits);
  return {
    shown,
    problems: [...problemsOf(stored, edits, check), ...[...refusals.values()].flat(), ...warnings(shown)],
    isHeld: edits.length > 0,
    change,
    /** Takes back what is typed and not stored. */
    revert(): void {
      draft.value = { edits: [], refusals: new Map() };
    },
  };
}
