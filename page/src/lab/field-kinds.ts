/**
 * What a change of fields can change. Each kind is a row: how a field is read, set, and read again before an undo. Nodes, links and drawings
 * (lab.ts) change by PUT; the kinds of this file have routes of their own.
 */
import type { Signal } from "@preact/signals";
import { ApiProblem, call } from "../api/call.ts";
import type { Impairments, Node } from "../api/types.ts";
import { type FieldEdit, withField } from "./part-edits.ts";
import { projectFile } from "./tests-file.ts";
import { Together } from "./together.ts";

export interface FieldKind {
  /** The part as the page shows it; undefined if there is none. */
  readonly shown: (id: string) => object | undefined;
  /** Sets one field. Edits of a part that are made together are sent together. */
  readonly edit: (id: string, edit: FieldEdit) => Promise<void>;
  /** Reads parts as the service has them now. */
  readonly refresh: (ids: readonly string[]) => Promise<void>;
}

type ById<T> = ReadonlyMap<string, T>;

interface ImpairmentsOfLab {
  readonly path: string;
  readonly hasLink: (id: string) => boolean;
  readonly impairments: Signal<ById<Impairments>>;
  readonly note: (id: string, settings: Impairments) => void;
  readonly noteOwn: (id: string, settings: Impairments, before: Impairments) => void;
}

/** The impairments of links; the id is the link's. */
export function impairmentsKind({ path, hasLink, impairments, note, noteOwn }: ImpairmentsOfLab): FieldKind {
  const urlOf = (id: string) => `${path}/links/${id}/impairments`;
  const together = new Together(async (id, edits) => {
    const url = urlOf(id);
    // Another client may have changed other fields.
    const before = await call<Impairments>("GET", url);
    const after = withoutEmpty(edits.reduce((set, edit) => withField(set, edit.path, edit.value), before));
    if (Object.keys(after).length === 0) await call("DELETE", url);
    else await call("PUT", url, { body: after });
    noteOwn(id, after, before);
  });
  return {
    shown: (id) => (hasLink(id) ? (impairments.peek().get(id) ?? {}) : undefined),
    edit: (id, edit) => together.edit(id, edit),
    async refresh(ids) {
      for (const id of ids) if (hasLink(id)) note(id, await call<Impairments>("GET", urlOf(id)));
    },
  };
}

/** A direction whose last field was removed is removed, too. */
const withoutEmpty = (set: Impairments): Impairments =>
  Object.fromEntries(
    Object.entries(set).filter(
      ([, value]) => typeof value !== "object" || value === null || Object.keys(value).length > 0,
    ),
  );

interface PowerOfLab {
  readonly path: string;
  readonly nodes: Signal<ById<Node>>;
  readonly put: (node: Node) => void;
  readonly read: () => Promise<void>;
  readonly refresh: (ids: readonly string[]) => Promise<void>;
}

const ACTIONS = { started: "start", stopped: "stop", suspended: "suspend" } as const;

/** The power of nodes: the field `status`. Several nodes at once are one request if that gives all nodes of the lab this status. */
export function powerKind({ path, nodes, put, read, refresh }: PowerOfLab): FieldKind {
  const isEnough = (ids: ReadonlySet<string>, status: unknown): boolean =>
    [...nodes.peek().values()].every((node) => ids.has(node.node_id) || node.status === status);
  const setOne = async (id: string, status: Node["status"]) => {
    const node = await call<Node | undefined>("POST", `${path}/nodes/${id}/${ACTIONS[status]}`, { body: {} });
    if (node?.node_id !== undefined) put(node);
    else await refresh([id]);
  };
  let open: Map<string, { readonly status: Node["status"]; readonly settled: PromiseWithResolvers<void> }> =
    new Map();
  const sendOpen = async () => {
    const wanted = [...open];
    open = new Map();
    const status = wanted[0]![1].status;
    const isOne = wanted.every(([, each]) => each.status === status);
    if (wanted.length > 1 && isOne && isEnough(new Set(wanted.map(([id]) => id)), status)) {
      const all = call("POST", `${path}/nodes/${ACTIONS[status]}`, { body: {} }).then(read);
      for (const [, { settled }] of wanted) all.then(settled.resolve, settled.reject);
      return;
    }
    // One after another: the order in which devices start decides about their packets.
    for (const [id, { status, settled }] of wanted)
      await setOne(id, status).then(settled.resolve, settled.reject);
  };
  return {
    shown: (id) => nodes.peek().get(id),
    edit(id, { value }) {
      if (open.size === 0) queueMicrotask(sendOpen);
      const settled = Promise.withResolvers<void>();
      open.set(id, { status: value as Node["status"], settled });
      return settled.promise;
    },
    refresh,
  };
}

/** The text of the lab's tests: the field `text` of the one file. */
export function testsKind(path: string, text: Signal<string | undefined>): FieldKind {
  const file = projectFile(path);
  return {
    // An undo of the first text leaves an empty one.
    shown: () => ({ text: text.peek() || undefined }),
    async edit(_id, { value }) {
      const next = typeof value === "string" ? value : "";
      await file.write(next);
      text.value = next;
    },
    async refresh() {
      text.value = await file.read();
    },
  };
}

/** @returns whether an error means that the part is gone. */
export const isGone = (error: unknown): boolean => error instanceof ApiProblem && error.status === 404;
