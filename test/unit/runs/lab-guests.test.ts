/** The guests of a run in the service: their images, their states, and how many there may be. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { World } from "@wirelab/engine/devices/device";
import type { LinuxSpec } from "@wirelab/engine/devices/linux/spec";
import { BUILDER, type ImageFacts, imagesFolder, readFacts, writeImage } from "@wirelab/linux/image/image";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { NodeChange } from "../../../functions/shared/store/commit/run-changes.ts";
import type { NodeItem } from "../../../functions/shared/store/lab/node.ts";

const objects = new Map<string, Uint8Array>();
vi.mock("../../../functions/shared/store/base/objects.ts", () => ({
  putObject: async (key: string, bytes: Uint8Array) => void objects.set(key, bytes),
  readObject: async (key: string) => objects.get(key),
  discardObjects: async (keys: readonly string[]) => {
    for (const key of keys) objects.delete(key);
  },
  deletePrefix: async (prefix: string) => {
    for (const key of objects.keys()) if (key.startsWith(prefix)) objects.delete(key);
  },
  listObjects: async (prefix: string) => ({
    objects: [...objects.keys()].filter((key) => key.startsWith(prefix)).map((key) => ({ key })),
    isLast: true,
  }),
}));

const { LabGuests } = await import("../../../functions/runs/lab-guests.ts");
const images = await import("../../../functions/shared/store/lab/linux-images.ts");
const states = await import("../../../functions/shared/store/lab/guest-state.ts");

let folder = "";
beforeEach(() => {
  objects.clear();
  const cache = mkdtempSync(join(tmpdir(), "wirelab-guests-"));
  vi.stubEnv("WIRELAB_CACHE", cache);
  folder = imagesFolder(cache);
});
afterEach(() => vi.unstubAllEnvs());

const FACTS: ImageFacts = {
  name: "frr",
  builder: BUILDER,
  digest: "first",
  memoryMiB: 128,
  nowNs: 0,
  epochMs: 0,
  configure: [],
  packages: [],
};
const FILES = { bios: new Uint8Array(1), vgaBios: new Uint8Array(2), state: new Uint8Array(3) };

const nodeOf = (name: string, fields: Partial<NodeItem> = {}) =>
  ({
    node_id: `id-${name}`,
    name,
    status: "stopped",
    document: { node_type: "linux", properties: { image: "wirelab/linux:frr" } },
    ...fields,
  }) as unknown as NodeItem;

async function begin(...nodes: NodeItem[]) {
  const guests = new LabGuests("p");
  await guests.prepare(nodes);
  return guests;
}

const make = (guests: InstanceType<typeof LabGuests>, name: string) =>
  guests.makeDevice({ name, image: "frr" } as LinuxSpec, {} as World, undefined);

describe("the guests of a run", () => {
  test("need an image in the folder or in the bucket, where a newer one replaces that of the folder", async () => {
    const guests = await begin(nodeOf("L1"));
    expect(() => make(guests, "L1")).toThrow(expect.objectContaining({ code: "node.no-linux-image" }));
    writeImage(folder, FACTS, FILES);
    await begin(nodeOf("L1"));
    expect(readFacts(folder, "frr")?.digest).toBe("first");
    await images.storeImage({ ...FACTS, digest: "second" }, FILES);
    await begin(nodeOf("L1"));
    expect(readFacts(folder, "frr")?.digest).toBe("second");
  });

  test("do not start from an image in the bucket that another builder has made", async () => {
    const old: ImageFacts = { ...FACTS, builder: BUILDER - 1 };
    await images.storeImage(old, FILES);
    const guests = await begin(nodeOf("L1"));
    expect(() => make(guests, "L1")).toThrow(expect.objectContaining({ code: "node.no-linux-image" }));
    expect(readFacts(folder, "frr")).toBeUndefined();
  });

  test("are as many as the stack's setting at most", async () => {
    writeImage(folder, FACTS, FILES);
    vi.stubEnv("LINUX_MAX_GUESTS", "0");
    const guests = await begin(nodeOf("L1"));
    expect(() => make(guests, "L1")).toThrow(
      "A run has at most 0 Linux nodes that are on; stop others, or raise linux_max_guests",
    );
  });

  test("have as much memory as the stack's setting at most", async () => {
    writeImage(folder, FACTS, FILES);
    vi.stubEnv("LINUX_MAX_MEMORY_MB", "127");
    const guests = await begin(nodeOf("L1"));
    expect(() => make(guests, "L1")).toThrow(
      "The Linux nodes that are on have 128 MiB of memory, and those of a run have at most 127; stop others, or raise linux_max_memory_mb",
    );
  });

  test("have states as large as the stack's setting at most, together, of which none is stored otherwise", async () => {
    writeImage(folder, FACTS, FILES);
    vi.stubEnv("LINUX_MAX_STATE_MB", "1");
    const nodes = ["a", "b"].map((name) =>
      nodeOf(name, { status: "started", state: { device: { guest: `state-${name}` } } as NodeItem["state"] }),
    );
    const difference = new Uint8Array(600_000);
    for (const { node_id, name } of nodes)
      await states.storeGuest("p", node_id, `state-${name}`, { image: "first", nowNs: 0, difference });
    const guests = await begin(...nodes);
    const [a, b] = nodes.map(
      ({ node_id, state }) => ({ kind: "node", node_id, status: "started", state }) as unknown as NodeChange,
    );
    expect(await guests.store([a!])).toEqual({ keys: [], changes: [a] });
    await expect(guests.store([a!, b!])).rejects.toThrow(
      "The states of the Linux nodes that are on have 2 MiB after the run, and they may have 1",
    );
    expect(objects.size).toBe(2);
  });

  test("do not go on with another version of their image", async () => {
    writeImage(folder, FACTS, FILES);
    const on = nodeOf("L1", {
      status: "started",
      state: { device: { guest: "saved" } } as NodeItem["state"],
    });
    const saved = { image: "first", nowNs: 7, difference: new Uint8Array([10, 1, 10]) };
    await states.storeGuest("p", on.node_id, "saved", saved);
    expect(await states.readGuest("p", on.node_id, "saved")).toEqual({
      ...saved,
      difference: Buffer.from(saved.difference),
    });
    await begin(on);
    await images.storeImage({ ...FACTS, digest: "second" }, FILES);
    await expect(begin(on)).rejects.toMatchObject({ code: "node.linux-image-changed" });
  });

  test("begin again when a state is gone, as another run has replaced it; one that stays away is damage", async () => {
    writeImage(folder, FACTS, FILES);
    const on = (guest: string) =>
      nodeOf("L1", { status: "started", state: { device: { guest } } as NodeItem["state"] });
    const guests = new LabGuests("p");
    expect(await guests.prepare([on("replaced")])).toBe(false);
    await states.storeGuest("p", "id-L1", "later", {
      image: "first",
      nowNs: 0,
      difference: new Uint8Array(),
    });
    expect(await guests.prepare([on("later")])).toBe(true);
    await expect(guests.prepare([on("replaced")])).rejects.toMatchObject({
      code: "store.damaged",
      facts: { detail: expect.stringContaining("close the project, open it and start the node again") },
    });
  });

  test("delete the states that a committed run has replaced", async () => {
    const on = nodeOf("L1", { status: "started", state: { device: { guest: "old" } } as NodeItem["state"] });
    await states.storeGuest("p", on.node_id, "old", {
      image: "first",
      nowNs: 0,
      difference: new Uint8Array(),
    });
    const guests = await begin(on);
    const change = { kind: "node", node_id: on.node_id, status: "stopped", state: {} } as const;
    await guests.discard([change]);
    expect([...objects.keys()]).toEqual([]);
  });
});

describe("images in the bucket", () => {
  test("are listed and removed, and one of which a file is missing is not used", async () => {
    await images.storeImage(FACTS, FILES);
    expect(await images.listStoredImages()).toEqual(["frr"]);
    expect(await images.readStoredImage(FACTS)).toEqual(FILES);
    objects.delete("images/frr/first/state");
    await expect(images.readStoredImage(FACTS)).rejects.toThrow(
      "The image frr has no file state; push it again",
    );
    expect(await images.removeStoredImage("frr")).toBe(true);
    expect(await images.removeStoredImage("frr")).toBe(false);
    expect(objects.size).toBe(0);
  });
});

test("a key of a state names its project and the state", () => {
  expect(states.placeOfGuestKey("guests/p/n/s")).toEqual({ projectId: "p", guest: "s" });
  expect(states.placeOfGuestKey("files/p/n/s")).toBeUndefined();
});
