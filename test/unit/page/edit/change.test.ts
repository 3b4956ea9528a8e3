import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { makeHistory } from "../../../../page/src/lab/history.ts";
import type { FieldEdit } from "../../../../page/src/lab/part-edits.ts";

type Edit = FieldEdit & { readonly kind: "node"; readonly id: string };

interface Change {
  changeParts(lab: FakeLab, edits: readonly Edit[], name: string, isStep: boolean): Promise<unknown>;
  fieldEdits(kind: "node", changes: ReadonlyMap<string, object>): readonly Edit[];
}

/** Load modules that are written for browsers, whose types these tests do not have. */
const loadEdit = (name: string) => import(`../../../../page/src/edit/${name}.ts`);
const loadApi = (name: string) => import(`../../../../page/src/api/${name}.ts`);

vi.stubGlobal("sessionStorage", { getItem: () => null });
const notify = vi.fn();
vi.doMock("../../../../page/src/ui/notices.tsx", () => ({ notify }));
const { changeParts, fieldEdits }: Change = await loadEdit("change");
const { ApiProblem } = await loadApi("call");

/** A lab whose service stores each edit at once, but refuses some parts. */
class FakeLab {
  readonly parts = new Map<string, Record<string, unknown>>();
  readonly history = makeHistory();
  readonly refusals = new Map<string, Error>();
  readonly edited: string[] = [];
  normalize = (value: unknown): unknown => value;

  /** What the service has, and this page has no event of yet. */
  unseen: readonly (readonly [string, Record<string, unknown>])[] = [];
  refresh = async () => {
    for (const [id, fields] of this.unseen) this.parts.set(id, { ...this.parts.get(id), ...fields });
    this.unseen = [];
  };

  shown = (_kind: "node", id: string) => this.parts.get(id);
  remove = (id: string) => void this.parts.delete(id);
  edit = async (_kind: "node", id: string, { path, value }: FieldEdit): Promise<void> => {
    const refusal = this.refusals.get(id);
    if (refusal) throw refusal;
    this.edited.push(id);
    this.parts.set(id, { ...this.parts.get(id), [path[0]!]: this.normalize(value) });
    // The response comes later.
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  };
}

let lab: FakeLab;

beforeEach(() => {
  vi.useFakeTimers();
  lab = new FakeLab();
  notify.mockClear();
  lab.parts.set("a", { x: 0, name: "A" }).set("b", { x: 10 });
});

afterEach(() => {
  vi.useRealTimers();
});

const change = (changes: Record<string, object>, name = "change it", isStep = false) =>
  changeParts(lab, fieldEdits("node", new Map(Object.entries(changes))), name, isStep);
const valuesOfX = () => [...lab.parts.values()].map(({ x }) => x);

describe("a change of parts", () => {
  test("is undone and done again as one", async () => {
    expect(await change({ a: { x: 1 }, b: { x: 2 } })).toBeUndefined();
    expect(lab.history.lastDone.value?.name).toBe("change it");
    await lab.history.undo();
    expect(valuesOfX()).toEqual([0, 10]);
    await lab.history.redo();
    expect(valuesOfX()).toEqual([1, 2]);
  });

  test("that changes nothing is not noted", async () => {
    await change({ a: { x: 0 } });
    expect(lab.history.lastDone.value).toBeUndefined();
  });

  test("that is a step goes on with the one before, if it follows it at once in the same field", async () => {
    for (const x of [1, 2, 3]) await change({ a: { x } }, "step", true);
    await lab.history.undo();
    expect(lab.parts.get("a")!.x).toBe(0);
    expect(lab.history.lastDone.value).toBeUndefined();
    await lab.history.redo();
    expect(lab.parts.get("a")!.x).toBe(3);
  });

  test("is one of its own in another field, or later", async () => {
    await change({ a: { x: 1 } }, "first", true);
    await change({ a: { name: "B" } }, "second", true);
    vi.advanceTimersByTime(5_000);
    await change({ a: { name: "C" } }, "third", true);
    await change({ a: { name: "D" } }, "fourth");
    for (const name of ["fourth", "third", "second", "first"]) {
      expect(lab.history.lastDone.value?.name).toBe(name);
      await lab.history.undo();
    }
    expect(lab.parts.get("a")).toEqual({ x: 0, name: "A" });
  });

  test("is not undone where another user has changed the same field since", async () => {
    await change({ a: { x: 1 }, b: { x: 2 } });
    lab.parts.set("a", { x: 77, name: "A" });
    await lab.history.undo();
    expect(valuesOfX()).toEqual([77, 10]);
  });

  test("is not undone where the event of another user's change has not arrived, and a notice names the field", async () => {
    await change({ a: { x: 1, name: "B" } });
    lab.unseen = [["a", { x: 77 }]];
    await lab.history.undo();
    expect(lab.parts.get("a")).toEqual({ x: 77, name: "A" });
    expect(notify).toHaveBeenCalledExactlyOnceWith(
      "Changed since by another user, and left as it is: the place of B.",
      true,
    );
  });

  test("of a name is undone with the place of the label, which the service centres anew", async () => {
    lab.parts.set("a", { name: "A", label: { text: "A", x: 5 } });
    const edit = lab.edit;
    lab.edit = async (kind, id, change) => {
      await edit(kind, id, change);
      if (change.path[0] === "name")
        lab.parts.set(id, { ...lab.parts.get(id), label: { text: change.value, x: null } });
    };
    await change({ a: { name: "B" } });
    await lab.history.undo();
    expect(lab.parts.get("a")).toEqual({ name: "A", label: { text: "A", x: 5 } });
    await lab.history.redo();
    expect(lab.parts.get("a")).toEqual({ name: "B", label: { text: "B", x: null } });
  });

  test("that cannot be undone now can be undone later", async () => {
    await change({ a: { x: 1 } });
    lab.refusals.set("a", new ApiProblem(503, "store.busy", "Retry"));
    await expect(lab.history.undo()).rejects.toThrow("Retry");
    lab.refusals.clear();
    await lab.history.undo();
    expect(lab.parts.get("a")!.x).toBe(0);
  });

  test("is undone if the service has brought its value into another form", async () => {
    lab.normalize = (value) => String(value).trim();
    await change({ a: { name: " B " } });
    expect(lab.parts.get("a")!.name).toBe("B");
    await lab.history.undo();
    expect(lab.parts.get("a")!.name).toBe("A");
  });

  test("is undone step by step, also if they were made before the first was stored", async () => {
    await Promise.all([1, 2, 3].map((x) => change({ a: { x } })));
    for (const x of [2, 1, 0]) {
      await lab.history.undo();
      expect(lab.parts.get("a")!.x).toBe(x);
    }
  });

  test("that is refused in part notes the others, and returns the reason", async () => {
    const refusal = new ApiProblem(409, "node.locked", "It is locked");
    lab.refusals.set("a", refusal);
    expect(await change({ a: { x: 1 }, b: { x: 2 } })).toBe(refusal);
    lab.refusals.clear();
    lab.edited.length = 0;
    await lab.history.undo();
    expect(lab.edited).toEqual(["b"]);
  });

  test("of a part that another client has deleted removes it", async () => {
    lab.refusals.set("a", new ApiProblem(404, "node.not-found", "There is no such node"));
    expect(await change({ a: { x: 1 } })).toBeUndefined();
    expect(lab.parts.has("a")).toBe(false);
    expect(lab.history.lastDone.value).toBeUndefined();
  });
});
