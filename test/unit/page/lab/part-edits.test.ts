import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type FieldEdit, fieldOf, PartEdits } from "../../../../page/src/lab/part-edits.ts";

interface Part {
  readonly name: string;
  readonly filters: Readonly<Record<string, readonly number[]>>;
  readonly suspend: boolean;
}
type Body = Partial<Part>;

interface Request {
  readonly body: Body;
  readonly resolve: (part: Part) => void;
  readonly reject: (error: unknown) => void;
}

const AWAY = new Error("away");
const REFUSED = new Error("refused");

/** A service of one part, and a page that shows it. */
class Rig {
  server: Part = { name: "a", filters: {}, suspend: false };
  shown: Part = this.server;
  readonly requests: Request[] = [];
  readonly edits = new PartEdits<Part>({
    send: (_id, fields) =>
      new Promise((resolve, reject) => this.requests.push({ body: fields as Body, resolve, reject })),
    show: (_id, part) => {
      this.shown = part;
    },
    isAway: (error) => error === AWAY,
  });

  edit = (path: readonly string[], value: unknown) => this.edits.edit("a", this.shown, { path, value });

  /** The service carries out the oldest request. */
  async carryOut(): Promise<Body> {
    const { body, resolve } = this.requests.shift()!;
    this.server = { ...this.server, ...body };
    resolve(this.server);
    await settled();
    return body;
  }

  async fail(error: Error): Promise<void> {
    this.requests.shift()!.reject(error);
    await settled();
  }

  arrives(part: Part): void {
    this.shown = this.edits.arrived("a", part);
  }
}

/** Waits for what promises cause. */
const settled = async () => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
};

afterEach(() => {
  vi.useRealTimers();
});

describe("edits of a part", () => {
  test("are shown at once, and sent together", async () => {
    const rig = new Rig();
    const done = Promise.all([rig.edit(["name"], "b"), rig.edit(["suspend"], true)]);
    expect(rig.shown).toMatchObject({ name: "b", suspend: true });
    await settled();
    expect(await rig.carryOut()).toEqual({ name: "b", suspend: true });
    await done;
    expect(rig.requests).toEqual([]);
  });

  test("of a field that are made while a request is under way are one request with the last value", async () => {
    const rig = new Rig();
    const all = [1, 2, 3].map((loss) => rig.edit(["filters", "packet_loss"], [loss]));
    await settled();
    const later = [4, 5].map((loss) => rig.edit(["filters", "packet_loss"], [loss]));
    expect(await rig.carryOut()).toEqual({ filters: { packet_loss: [3] } });
    await Promise.all(all);
    expect(rig.shown.filters).toEqual({ packet_loss: [5] });
    expect(await rig.carryOut()).toEqual({ filters: { packet_loss: [5] } });
    await Promise.all(later);
  });

  test("of two fields of one object keep each other, and what another user sets in it", async () => {
    const rig = new Rig();
    void rig.edit(["filters", "packet_loss"], [10]);
    await settled();
    void rig.edit(["filters", "corrupt"], [20]);
    await rig.carryOut();
    rig.server = { ...rig.server, filters: { ...rig.server.filters, delay: [30, 0] } };
    await rig.carryOut();
    rig.arrives({ ...rig.server, filters: { ...rig.server.filters, bpf: [1] } });
    void rig.edit(["filters", "packet_loss"], undefined);
    await settled();
    expect(await rig.carryOut()).toEqual({ filters: { corrupt: [20], bpf: [1] } });
  });

  test("hide older values of the service while they are under way", async () => {
    const rig = new Rig();
    void rig.edit(["filters", "delay"], [50, 0]);
    await settled();
    rig.arrives({ ...rig.server, name: "renamed" });
    expect(rig.shown).toEqual({ name: "renamed", filters: { delay: [50, 0] }, suspend: false });
  });

  test("that the service refuses are undone, and later ones are sent", async () => {
    const rig = new Rig();
    const refused = rig.edit(["name"], "bad name");
    await settled();
    const later = rig.edit(["suspend"], true);
    const outcome = expect(refused).rejects.toBe(REFUSED);
    await rig.fail(REFUSED);
    await outcome;
    expect(rig.shown).toMatchObject({ name: "a", suspend: true });
    expect(await rig.carryOut()).toEqual({ suspend: true });
    await later;
  });

  test("that do not reach the service stay, and are sent again, without those that were replaced", async () => {
    vi.useFakeTimers();
    const rig = new Rig();
    const first = rig.edit(["filters", "delay"], [50, 0]);
    const renamed = rig.edit(["name"], "b");
    await settled();
    const second = rig.edit(["filters", "delay"], [60, 0]);
    await rig.fail(AWAY);
    expect(rig.shown).toMatchObject({ name: "b", filters: { delay: [60, 0] } });
    expect(rig.requests).toEqual([]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await rig.carryOut()).toEqual({ name: "b", filters: { delay: [60, 0] } });
    await Promise.all([first, renamed, second]);
  });

  test("are sent as soon as the service can be reached", async () => {
    vi.useFakeTimers();
    const rig = new Rig();
    const done = rig.edit(["name"], "b");
    await settled();
    await rig.fail(AWAY);
    rig.edits.resume();
    expect(await rig.carryOut()).toEqual({ name: "b" });
    await done;
  });

  test("of a value that the part has already need no request", async () => {
    const rig = new Rig();
    await rig.edit(["name"], "a");
    expect(rig.requests).toEqual([]);
  });

  test("of a part that is gone are forgotten", async () => {
    const rig = new Rig();
    void rig.edit(["name"], "b");
    await settled();
    const waiting = rig.edit(["name"], "c");
    rig.edits.forget("a");
    await waiting;
    rig.shown = rig.server;
    await rig.carryOut();
    expect(rig.shown.name).toBe("a");
    expect(rig.requests).toEqual([]);
  });
});

test("a few requests are under way at once, and each part has at most one", async () => {
  const sent: string[] = [];
  let answer: (() => void)[] = [];
  const edits = new PartEdits<{ x: number }>({
    send: (id, fields) => {
      sent.push(id);
      return new Promise((resolve) => answer.push(() => resolve({ x: Number(fields.x) })));
    },
    show: () => {},
    isAway: () => false,
  });
  const ids = Array.from({ length: 20 }, (_, index) => `n${index}`);
  const all = ids.map((id) => edits.edit(id, { x: 0 }, { path: ["x"], value: 1 }));
  await settled();
  expect(sent).toEqual(ids.slice(0, 6));
  while (answer.length > 0) {
    const now = answer;
    answer = [];
    for (const each of now) each();
    await settled();
  }
  await Promise.all(all);
  expect(sent).toEqual(ids);
});

const PATHS = [["name"], ["suspend"], ["filters", "delay"], ["filters", "packet_loss"]] as const;

test("any interleaving of edits, responses, failures and events ends in what the user did last", async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant("edit"), path: fc.constantFrom(...PATHS), value: fc.nat(5) }),
    fc.record({ kind: fc.constantFrom("answer", "away", "event", "resume") }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const rig = new Rig();
      const last = new Map<string, FieldEdit>();
      for (const each of steps) {
        if ("path" in each) {
          const value = each.path[0] === "filters" ? [each.value] : each.value;
          last.set(each.path.join(), { path: each.path, value });
          void rig.edit(each.path, value);
          await settled();
        } else if (each.kind === "event") rig.arrives(rig.server);
        else if (each.kind === "resume") rig.edits.resume();
        else if (rig.requests.length > 0) await (each.kind === "answer" ? rig.carryOut() : rig.fail(AWAY));
        for (const { path, value } of last.values()) expect(fieldOf(rig.shown, path)).toEqual(value);
      }
      rig.edits.resume();
      await settled();
      while (rig.requests.length > 0) await rig.carryOut();
      for (const { path, value } of last.values()) expect(fieldOf(rig.server, path)).toEqual(value);
      expect(rig.shown).toEqual(rig.server);
    }),
  );
});
