import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

interface FakeNode {
  readonly node_id: string;
  readonly node_type: string;
  readonly properties: object;
  status: string;
}

interface Progress {
  readonly done: number;
  readonly total: number;
}

interface Power {
  setPowerOfAll(lab: object, action: string): Promise<void>;
  cancelBatches(): void;
  readonly progress: { value: Progress | null };
}

/** Loads a module that is written for browsers, whose types these tests do not have. */
const loadEdit = (name: string) => import(`../../../../page/src/edit/${name}.ts`);

const BATCH = 100;
const notices: string[] = [];
vi.doMock("../../../../page/src/ui/notices.tsx", () => ({ notify: (text: string) => notices.push(text) }));

vi.stubGlobal("sessionStorage", { getItem: () => null });
const { setPowerOfAll, cancelBatches, progress }: Power = await loadEdit("power");

/** A lab whose service switches what a request names. */
class FakeLab {
  readonly path = "/projects/1";
  readonly stored = new Map<string, FakeNode>();
  readonly nodes = { value: this.stored };
  readonly batches: (readonly string[] | undefined)[] = [];
  readonly shown: (Progress | null)[] = [];
  onBatch: (count: number) => Response | undefined = () => undefined;

  constructor(pcs: number) {
    const add = (node_id: string, node_type: string, status: string) =>
      this.stored.set(node_id, { node_id, node_type, properties: {}, status });
    add("SW", "ethernet_switch", "started");
    for (let index = 0; index < pcs; index += 1) add(`PC${index}`, "vpcs", "stopped");
  }

  read = async () => {};

  fetch = async (address: string, { body }: { body: string }): Promise<Response> => {
    const action = address.split("/").at(-1)!;
    const { nodes }: { nodes?: string[] } = JSON.parse(body);
    this.batches.push(nodes);
    this.shown.push(progress.value);
    const refusal = this.onBatch(this.batches.length);
    if (refusal) return refusal;
    const status = action === "stop" ? "stopped" : action === "suspend" ? "suspended" : "started";
    for (const id of nodes ?? this.stored.keys()) this.stored.get(id)!.status = status;
    return new Response(null, { status: 204 });
  };

  get sizes() {
    return this.batches.map((nodes) => nodes?.length);
  }

  count = (status: string) => [...this.stored.values()].filter((node) => node.status === status).length;
}

const LARGE = 250;
let lab: FakeLab;
const use = (pcs: number) => {
  lab = new FakeLab(pcs);
  vi.stubGlobal("fetch", lab.fetch);
};
const lastNotice = () => notices.at(-1);
const refusal = (status: number, message: string) => Response.json({ message, code: "x" }, { status });

beforeEach(() => {
  vi.useFakeTimers();
  notices.length = 0;
});

afterEach(() => {
  vi.useRealTimers();
  expect(progress.value).toBeNull();
});

describe("an action on all nodes", () => {
  test("is one request for a lab that fits a batch", async () => {
    use(BATCH);
    await setPowerOfAll(lab, "start");
    expect(lab.batches).toEqual([undefined]);
    expect(lastNotice()).toBeUndefined();
  });

  test("goes in batches, with its progress, in a larger lab", async () => {
    use(LARGE);
    await setPowerOfAll(lab, "start");
    expect(lab.sizes).toEqual([100, 100, 50]);
    expect(new Set(lab.batches.flat()).size).toBe(LARGE);
    expect(lab.shown.map((shown) => [shown?.done, shown?.total])).toEqual([
      [0, LARGE],
      [100, LARGE],
      [200, LARGE],
    ]);
    expect(lastNotice()).toBe("250 of 250 devices were started.");
    await setPowerOfAll(lab, "suspend");
    await setPowerOfAll(lab, "stop");
    expect(lab.sizes.slice(3)).toEqual([100, 100, 50, 100, 100, 50]);
    expect(lab.batches.flat()).not.toContain("SW");
  });

  test("ends after the batch in which it is cancelled, and says what was started", async () => {
    use(LARGE);
    lab.onBatch = (count) => {
      if (count === 2) cancelBatches();
      return undefined;
    };
    await setPowerOfAll(lab, "start");
    expect(lab.sizes).toEqual([100, 100]);
    expect(lab.count("started")).toBe(201);
    expect(lastNotice()).toBe("200 of 250 devices were started.");
    lab.onBatch = () => undefined;
    await setPowerOfAll(lab, "start");
    expect(lab.batches.at(-1)).toBeUndefined();
    expect(lab.count("started")).toBe(LARGE + 1);
  });

  test("tries the other batches when the service refuses a node, and reports the first refusal", async () => {
    use(LARGE);
    lab.onBatch = (count) => (count < 3 ? refusal(409, `refused ${count}`) : undefined);
    await expect(setPowerOfAll(lab, "start")).rejects.toThrow("refused 1");
    expect(lab.sizes).toEqual([100, 100, 50]);
    expect(lastNotice()).toBe("50 of 250 devices were started.");
  });

  test("ends when the service fails", async () => {
    use(LARGE);
    lab.onBatch = (count) => (count === 2 ? refusal(504, "too late") : undefined);
    await expect(setPowerOfAll(lab, "start")).rejects.toThrow("too late");
    expect(lab.sizes).toEqual([100, 100]);
    expect(lastNotice()).toBe("100 of 250 devices were started.");
  });

  test("leaves out a node that another user has deleted meanwhile, and does not begin twice", async () => {
    use(LARGE);
    lab.onBatch = (count) => {
      if (count === 1) lab.stored.delete("PC249");
      return undefined;
    };
    const first = setPowerOfAll(lab, "start");
    await setPowerOfAll(lab, "stop");
    await first;
    expect(lab.sizes).toEqual([100, 100, 49]);
  });
});
