/** Any order of edits, responses, refusals and events of other users ends in what was typed last. */
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { changedProperties } from "../../../../page/src/lab/changed-properties.ts";
import { makeHistory } from "../../../../page/src/lab/history.ts";
import { type FieldEdit, PartEdits } from "../../../../page/src/lab/part-edits.ts";
import type { Check, Problem } from "../../../../page/src/settings/draft.ts";
import { shapesOf } from "../../../../page/src/settings/shapes.ts";
import { type Path, valueAt } from "../../../../page/src/settings/values.ts";

interface Part {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly ports: readonly { readonly name: string }[];
}

interface Queue {
  readonly isHeld: boolean;
  shown(part: Part): Readonly<Record<string, unknown>>;
  problems(part: Part, check: Check): readonly Problem[];
  change(path: Path, value: unknown, check: Check, name: (key: string) => string): Promise<void>;
}

vi.stubGlobal("sessionStorage", { getItem: () => null });
// Notices are hidden after a frame has shown them.
vi.stubGlobal("requestAnimationFrame", () => 0);
/** Load modules that are written for browsers, whose types these tests do not have. */
const loadSettings = (name: string) => import(`../../../../page/src/settings/${name}.ts`);
const loadApi = (name: string) => import(`../../../../page/src/api/${name}.ts`);
const { SettingsQueue } = await loadSettings("settings-queue");
const { ApiProblem } = await loadApi("call");

const { check } = shapesOf({ type: "ethernet_switch" });
const port = (name: string) => ({ name, port_number: 0, type: "access", vlan: 1 });

/** What the service refuses, and the reader does not. */
const REFUSED = 666;
const TOO_LARGE = 5_000;

interface Request {
  readonly body: Partial<Part>;
  readonly resolve: (part: Part) => void;
  readonly reject: (error: unknown) => void;
}

/** A service of one switch, and the form of a page that has it open. */
class Rig {
  server: Part = { properties: { ports_mapping: [port("a"), port("b"), port("c")] }, ports: [] };
  part = this.server;
  readonly requests: Request[] = [];
  readonly edits = new PartEdits<Part>({
    request: changedProperties,
    send: (_id, body) =>
      new Promise((resolve, reject) => this.requests.push({ body: body as Partial<Part>, resolve, reject })),
    show: (_id, part) => {
      this.part = part;
    },
    isAway: () => false,
  });
  readonly queue: Queue = new SettingsQueue(
    {
      history: makeHistory(),
      remove: () => {},
      shown: () => this.part,
      edit: (_kind: string, id: string, edit: FieldEdit) => this.edits.edit(id, this.part, edit),
    },
    "s",
  );

  type = (path: Path, value: unknown) => this.queue.change(path, value, check, (key) => key);
  shown = (path: Path) => valueAt(this.queue.shown(this.part), path);

  /** Other users change what this one does not. */
  event(vlan: number): void {
    const { ports_mapping } = this.server.properties as { ports_mapping: readonly object[] };
    const properties = {
      ...this.server.properties,
      ageing_time: 10 + vlan,
      ports_mapping: ports_mapping.map((each, index) => (index === 2 ? { ...each, vlan } : each)),
    };
    this.server = { ...this.server, properties };
    this.part = this.edits.arrived("s", this.server);
  }

  async respond(): Promise<void> {
    const request = this.requests.shift();
    if (request === undefined) return;
    const all = { ...this.server.properties, ...request.body.properties };
    if (JSON.stringify(all).includes(String(REFUSED))) {
      const problems = [{ path: "body.properties.ports_mapping.0.vlan", message: "is taken" }];
      request.reject(new ApiProblem(400, "request.invalid", "no", problems));
    } else {
      const properties = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
      this.server = { ...this.server, properties };
      request.resolve(this.server);
    }
    await settled();
  }
}

const settled = async () => {
  for (let turn = 0; turn < 30; turn++) await Promise.resolve();
};

const PATHS: readonly Path[] = [["mtu"], ["ports_mapping", 0, "vlan"], ["ports_mapping", 1, "vlan"]];
const actions = fc.array(
  fc.oneof(
    fc.record({
      at: fc.nat(PATHS.length - 1),
      value: fc.constantFrom(100, 200, 300, REFUSED, TOO_LARGE, "x"),
    }),
    fc.constant("respond" as const),
    fc.record({ vlan: fc.integer({ min: 1, max: 99 }) }),
  ),
  { maxLength: 25 },
);

test("shows what was typed last, and stores all that is right", async () => {
  await fc.assert(
    fc.asyncProperty(actions, async (all) => {
      const rig = new Rig();
      const typed = new Map<number, unknown>();
      for (const action of all) {
        if (action === "respond") await rig.respond();
        else if ("vlan" in action) rig.event(action.vlan);
        else {
          void rig.type(PATHS[action.at]!, action.value);
          typed.set(action.at, action.value);
        }
        for (const [at, value] of typed) expect(rig.shown(PATHS[at]!)).toBe(value);
        if (action !== "respond") await settled();
      }
      while (rig.requests.length > 0) await rig.respond();
      for (const [at, value] of typed) expect(rig.shown(PATHS[at]!)).toBe(value);
      const isRefused = all.some(
        (action) => typeof action === "object" && "value" in action && action.value === REFUSED,
      );
      const isRight = [...typed.values()].every((value) => typeof value === "number" && value < REFUSED);
      // A request with a value that the service refuses stores none of its other values.
      if (isRefused || !isRight) return;
      for (const [at, value] of typed) expect(valueAt(rig.server.properties, PATHS[at]!)).toBe(value);
      expect(rig.queue.isHeld).toBe(false);
      expect(rig.queue.problems(rig.part, check)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test("stores another setting while the service refuses one", async () => {
  const rig = new Rig();
  void rig.type(["ports_mapping", 0, "vlan"], REFUSED);
  await settled();
  await rig.respond();
  void rig.type(["mtu"], 1_400);
  await settled();
  await rig.respond();
  expect(rig.server.properties.mtu).toBe(1_400);
  expect(rig.shown(["ports_mapping", 0, "vlan"])).toBe(REFUSED);
});

test("keeps what the service refuses, with its words, until it is corrected", async () => {
  const rig = new Rig();
  void rig.type(["ports_mapping", 0, "vlan"], REFUSED);
  await settled();
  await rig.respond();
  expect(rig.shown(["ports_mapping", 0, "vlan"])).toBe(REFUSED);
  expect(rig.queue.problems(rig.part, check)).toEqual([
    { path: "ports_mapping.0.vlan", message: "is taken" },
  ]);
  void rig.type(["ports_mapping", 0, "vlan"], 5);
  expect(rig.queue.problems(rig.part, check)).toEqual([]);
  await settled();
  await rig.respond();
  expect(valueAt(rig.server.properties, ["ports_mapping", 0, "vlan"])).toBe(5);
});
