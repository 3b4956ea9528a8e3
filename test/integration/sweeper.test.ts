/**
 * What the sweeper deletes, and what it must keep. It runs in the test's process, against the service's table and
 * bucket, and gets the time as an argument.
 */
import { DeleteItemCommand } from "dynamodb-toolbox/entity/actions/delete";
import { UpdateItemCommand } from "dynamodb-toolbox/entity/actions/update";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { Measured } from "../../functions/shared/edge/metrics.ts";
import type { SweepOptions } from "../../functions/sweeper/sweep.ts";
import { makeBulkyPcap, makePcap, parsePcap } from "../helpers/captures/pcap.ts";
import { client, freshName, makeLab, makePair, type Pair, uuid } from "../helpers/service/lab.ts";
import { startLab } from "../helpers/service/running-lab.ts";
import { localStack } from "../helpers/stack/this-stack.ts";
import { useLocalStores } from "../helpers/stores/local-stores.ts";
import { readPartition } from "../helpers/stores/raw-items.ts";
import { danglingReferences } from "../helpers/stores/store-checker.ts";

type Modules = {
  sweep: typeof import("../../functions/sweeper/sweep.ts");
  metrics: typeof import("../../functions/shared/edge/metrics.ts");
  access: typeof import("../../functions/shared/edge/access.ts");
  objects: typeof import("../../functions/shared/store/base/objects.ts");
  capture: typeof import("../../functions/shared/store/lab/capture.ts");
  project: typeof import("../../functions/shared/store/project/project.ts");
  read: typeof import("../../functions/shared/store/contents/read.ts");
  segment: typeof import("../../functions/shared/store/lab/segment.ts");
  state: typeof import("../../functions/shared/store/sweep/sweep-state.ts");
  transact: typeof import("../../functions/shared/store/base/transact.ts");
};
let modules: Modules;
/** Files that ran before in the same stack may damage what they test. */
let leftByOthers: ReadonlySet<string>;

beforeAll(async () => {
  useLocalStores();
  leftByOthers = new Set(await danglingReferences(localStack()));
  modules = {
    sweep: await import("../../functions/sweeper/sweep.ts"),
    metrics: await import("../../functions/shared/edge/metrics.ts"),
    access: await import("../../functions/shared/edge/access.ts"),
    objects: await import("../../functions/shared/store/base/objects.ts"),
    capture: await import("../../functions/shared/store/lab/capture.ts"),
    project: await import("../../functions/shared/store/project/project.ts"),
    read: await import("../../functions/shared/store/contents/read.ts"),
    segment: await import("../../functions/shared/store/lab/segment.ts"),
    state: await import("../../functions/shared/store/sweep/sweep-state.ts"),
    transact: await import("../../functions/shared/store/base/transact.ts"),
  };
});

const DAY_MS = 86_400_000;

/** Sweeps as if so many days had passed. @returns the counts. */
async function sweepIn(days: number, options: Partial<SweepOptions> = {}): Promise<Measured> {
  const counts: Measured = {};
  const whole: SweepOptions = {
    nowMs: Date.now() + days * DAY_MS,
    abandonedMs: 30 * DAY_MS,
    remainingTimeMs: () => 600_000,
    ...options,
  };
  await modules.metrics.countInto(counts, () => modules.sweep.sweep(whole));
  return counts;
}

const keys = async (prefix: string): Promise<string[]> =>
  (await modules.objects.listObjects(prefix, 1000)).objects.map(({ key }) => key);

/** @returns the key of an unreferenced object. */
async function leaveObject(key: string): Promise<string> {
  await modules.objects.putObject(key, new Uint8Array(10), "application/octet-stream");
  return key;
}

/** A pair with a capture of `runs` runs of three packets each, which are an object; with `makePcap` they are an item. */
async function capturing(runs: number, make = makeBulkyPcap): Promise<Pair> {
  const pair = await makePair();
  await client.post(`${pair.link}/start_capture`, {});
  for (let run = 0; run < runs; run++) await client.call("POST", `${pair.link}/replay`, { raw: make(3) });
  return pair;
}

const linkOf = async ({ projectId, linkId }: Pair) => {
  const { links } = await modules.read.readItems(modules.access.SERVICE, projectId, { links: [linkId] });
  return links.get(linkId)!;
};

const captureOf = async (pair: Pair) => (await client.get(`${pair.link}/captures`)).json[0];
const packetsOf = async (pair: Pair): Promise<number> => {
  const { capture_id } = await captureOf(pair);
  return parsePcap((await client.get(`${pair.link}/captures/${capture_id}/pcap`)).bytes).length;
};

describe("unreferenced objects", () => {
  test("of any kind are deleted when they are a day old", async () => {
    const pair = await capturing(1);
    const orphans = await Promise.all([
      leaveObject(`segments/${pair.projectId}/${uuid()}`),
      leaveObject(`segments/${uuid()}/${uuid()}`),
      leaveObject(`commits/${pair.projectId}/${uuid()}`),
      leaveObject(`commits/${uuid()}/${uuid()}`),
      leaveObject(`captures/${uuid()}/${uuid()}/lost.pcap`),
      leaveObject(`captures/${pair.projectId}/${uuid()}/lost.pcap`),
      leaveObject(`symbols/${uuid()}`),
      leaveObject(`files/${pair.projectId}/${uuid()}`),
      leaveObject(`files/${uuid()}/${uuid()}`),
      leaveObject(`snapshots/${pair.projectId}/${uuid()}/${uuid()}`),
      leaveObject(`snapshots/${uuid()}/${uuid()}/${uuid()}`),
    ]);
    const left = async () => (await Promise.all(orphans.map(keys))).flat();

    await sweepIn(0.9);
    expect(await left()).toHaveLength(orphans.length);

    const counts = await sweepIn(1.1);
    expect(await left()).toEqual([]);
    expect(counts.SweptObjects).toBeGreaterThanOrEqual(orphans.length);
    expect(counts.SweptBytes).toBeGreaterThanOrEqual(10 * orphans.length);
    expect(counts).not.toHaveProperty("SweepFailures");
  });

  test("are distinguished from referenced ones", async () => {
    const running = await capturing(2);
    const stopped = await capturing(2);
    await client.post(`${stopped.link}/stop_capture`);
    const symbol = `/symbols/${freshName()}.svg/raw`;
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="3" height="4"/>';
    await client.call("POST", symbol, { raw: svg });

    const counts = await sweepIn(2);
    expect([await packetsOf(running), await packetsOf(stopped)]).toEqual([6, 6]);
    expect((await client.get(symbol)).bytes.toString()).toBe(svg);
    expect(counts).not.toHaveProperty("StoppedCaptures");
  });

  test("do not include the segments of a capture that was not stored as one object because its stop died", async () => {
    const pair = await capturing(2);
    const link = await linkOf(pair);
    await modules.capture.stopCapture(link);

    await sweepIn(2);
    expect(await packetsOf(pair)).toBe(6);
  });

  test("include the segments of a capture that is stored as one object, or deleted", async () => {
    const stored = await capturing(1);
    const deleted = await capturing(9);
    for (const pair of [stored, deleted]) await client.post(`${pair.link}/stop_capture`);
    await client.delete(`${deleted.link}/captures/${(await captureOf(deleted)).capture_id}`);
    expect(await keys(`captures/${deleted.projectId}/`)).toEqual([]);

    await sweepIn(2);
    expect(await keys(`segments/${stored.projectId}/`)).toEqual([]);
    expect(await keys(`segments/${deleted.projectId}/`)).toEqual([]);
    expect(await packetsOf(stored)).toBe(3);
  });

  test("do not include those with segments of a running capture, in a page or recent", async () => {
    const pair = await capturing(9);
    const orphan = await leaveObject(`segments/${pair.projectId}/${uuid()}`);

    await sweepIn(2);
    expect(await keys(`segments/${pair.projectId}/`)).toHaveLength(9);
    expect(await keys(orphan)).toEqual([]);
    expect(await packetsOf(pair)).toBe(27);
  });

  test("do not include an object that two captures share while one of them needs it", async () => {
    const lab = await startLab("star");
    await lab.captureAll();
    await lab.console("PC1", "ping 10.0.0.2 -c 1");
    const prefix = `segments/${lab.built.projectId}/`;
    expect(await keys(prefix)).toHaveLength(1);
    const [first, ...others] = Object.keys(lab.built.links);
    const counts = async () =>
      Promise.all(
        others.map(async (ends) => {
          const [{ capture_id }] = (await client.get(`${lab.link(ends)}/captures`)).json;
          const { bytes } = await client.get(`${lab.link(ends)}/captures/${capture_id}/pcap`);
          return parsePcap(bytes).length;
        }),
      );
    const before = await counts();
    expect(Math.min(...before)).toBeGreaterThan(0);
    await client.post(`${lab.link(first!)}/stop_capture`);
    await client.delete(lab.link(first!));

    await sweepIn(2);
    expect(await keys(prefix)).toHaveLength(1);
    expect(await counts()).toEqual(before);

    for (const ends of others) await client.post(`${lab.link(ends)}/stop_capture`);
    await sweepIn(2);
    expect(await keys(prefix)).toEqual([]);
    expect(await counts()).toEqual(before);
  });

  test("do not include objects in the bucket that are not the service's", async () => {
    const other = await leaveObject(`other/${uuid()}`);
    await sweepIn(2);
    expect(await keys(other)).toEqual([other]);
    await modules.objects.deleteObjects([other]);
  });
});

describe("captures whose packets are missing", () => {
  /** Ids of the captures that a sweep reports as lost. Other tests in the same stack lose some, too. */
  async function reportedIn(days: number): Promise<readonly unknown[]> {
    const { logger } = await import("../../functions/shared/edge/log.ts");
    const spy = vi.spyOn(logger, "error");
    try {
      const counts = await sweepIn(days, { abandonedMs: 1e6 * DAY_MS });
      const reports = spy.mock.calls.filter(([message]) => message === "lost capture");
      expect(counts.LostCaptures ?? 0).toBe(reports.length);
      return reports.map(([, facts]) => (facts as unknown as { capture_id: string }).capture_id);
    } finally {
      spy.mockRestore();
    }
  }
  const lost = async (kind: "segments" | "captures", pair: Pair) => {
    await modules.objects.deletePrefix(`${kind}/${pair.projectId}/`);
    return (await captureOf(pair)).capture_id;
  };

  test("are reported once a day, running or stopped, and intact ones are not", async () => {
    const [whole, stored, interrupted, stopped, running] = await Promise.all(
      [2, 9, 2, 2, 9].map((runs) => capturing(runs)),
    );
    await client.post(`${stored!.link}/stop_capture`);
    await client.post(`${stopped!.link}/stop_capture`);
    await modules.capture.stopCapture(await linkOf(interrupted!));
    const gone = [await lost("captures", stopped!), await lost("segments", running!)];
    const sound = await Promise.all([whole!, stored!, interrupted!].map(captureOf));

    const reported = await reportedIn(500);
    expect(reported).toEqual(expect.arrayContaining(gone));
    for (const { capture_id } of sound) expect(reported).not.toContain(capture_id);
    expect(await reportedIn(500.9)).toEqual([]);
    expect(await reportedIn(501.1)).toEqual(expect.arrayContaining(gone));
    for (const { path } of [stopped!, running!]) await client.delete(path);
  });
});

describe("pages of segments", () => {
  /** More segments than the link's item keeps as recent ones. */
  const RUNS = 17;
  const pagesOf = ({ projectId }: Pair) => modules.segment.listPages(projectId);

  /** Deletes the capture's item alone, like a deletion that died after that step. */
  const forgetItem = async (pair: Pair): Promise<void> => {
    const { project_id, link_id, capture_id } = (await modules.capture.listCaptures(pair.projectId))[0]!;
    await modules.capture.CaptureEntity.build(DeleteItemCommand)
      .key({ project_id, link_id, capture_id })
      .send();
  };

  test("of a deleted capture are deleted with their objects", async () => {
    const pair = await capturing(RUNS);
    await modules.capture.stopCapture(await linkOf(pair));
    await forgetItem(pair);
    expect(await pagesOf(pair)).toHaveLength(2);

    await sweepIn(0.9);
    expect(await pagesOf(pair)).toHaveLength(2);
    const counts = await sweepIn(2);
    expect(await pagesOf(pair)).toEqual([]);
    expect(await keys(`segments/${pair.projectId}/`)).toEqual([]);
    expect(counts).not.toHaveProperty("SweepFailures");
    await client.delete(pair.path);
  });

  test("that remain beside the stored object are deleted", async () => {
    const pair = await capturing(RUNS);
    const pages = await pagesOf(pair);
    const { capture_id, recent } = (await linkOf(pair)).capture!;
    await client.post(`${pair.link}/stop_capture`);
    for (const { number, segments } of pages) {
      const next = number + segments.length;
      await modules.transact.holdsAll([
        modules.segment.writePage(pair.projectId, capture_id, next, segments),
      ]);
    }
    expect(await pagesOf(pair)).toEqual(pages);
    expect(recent).toHaveLength(1);

    await sweepIn(2);
    expect(await pagesOf(pair)).toEqual([]);
    expect(await keys(`segments/${pair.projectId}/`)).toEqual([]);
    expect(await packetsOf(pair)).toBe(3 * RUNS);
  });

  test("of a capture that runs, or is stopped and not stored as one object, stay", async () => {
    const running = await capturing(RUNS);
    const stopped = await capturing(RUNS);
    await modules.capture.stopCapture(await linkOf(stopped));

    await sweepIn(2);
    for (const pair of [running, stopped]) {
      expect(await pagesOf(pair)).toHaveLength(2);
      expect(await packetsOf(pair)).toBe(3 * RUNS);
    }
  });

  test("are deleted with their project", async () => {
    const pair = await capturing(RUNS);
    await client.delete(pair.path);
    expect(await pagesOf(pair)).toEqual([]);
    expect(await keys(`segments/${pair.projectId}/`)).toEqual([]);
  });
});

describe("packets in items", () => {
  const RUNS = 10;
  const small = () => capturing(RUNS, makePcap);
  const itemsOf = async ({ projectId }: Pair) =>
    (await readPartition(localStack(), `PROJECT#${projectId}`)).filter(({ sk }) =>
      String(sk).startsWith("PACKETS#"),
    );
  /** Removes the capture's item, or marks it stored, like a request that died after that step. */
  const interrupt = async (pair: Pair, step: "forget" | "mark"): Promise<void> => {
    await modules.capture.stopCapture(await linkOf(pair));
    const [capture] = await modules.capture.listCaptures(pair.projectId);
    const { project_id, link_id, capture_id } = capture!;
    const key = { project_id, link_id, capture_id };
    await (step === "forget"
      ? modules.capture.CaptureEntity.build(DeleteItemCommand).key(key).send()
      : modules.capture.CaptureEntity.build(UpdateItemCommand)
          .item({ ...key, stored: true })
          .send());
  };

  test("of captures that run, or are stopped and not stored as one object, stay", async () => {
    const running = await small();
    const stopped = await small();
    await modules.capture.stopCapture(await linkOf(stopped));
    await sweepIn(510, { abandonedMs: 1e6 * DAY_MS });
    for (const pair of [running, stopped]) {
      expect(await itemsOf(pair)).toHaveLength(RUNS);
      expect(await packetsOf(pair)).toBe(3 * RUNS);
    }
  });

  test.each(["forget", "mark"] as const)(
    "of a capture that is gone or stored are deleted once a day, without any object (%s)",
    async (step) => {
      const pair = await small();
      expect(await keys(`segments/${pair.projectId}/`)).toEqual([]);
      await interrupt(pair, step);
      await sweepIn(600 + (step === "mark" ? 10 : 0));
      expect(await itemsOf(pair)).toEqual([]);
      expect(await modules.segment.listPages(pair.projectId)).toEqual([]);
      await client.delete(pair.path);
    },
  );

  test("show when a capture has got its last packets", async () => {
    const pair = await small();
    const [capture] = await modules.capture.listCaptures(pair.projectId);
    await modules.capture.CaptureEntity.build(UpdateItemCommand)
      .item({ ...capture!, started_at: new Date(Date.now() - 40 * DAY_MS).toISOString() })
      .send();
    await sweepIn(0);
    expect((await client.get(pair.link)).json.capturing).toBe(true);
    await sweepIn(31);
    expect((await client.get(pair.link)).json.capturing).toBe(false);
    expect(await packetsOf(pair)).toBe(3 * RUNS);
    expect(await itemsOf(pair)).toEqual([]);
  });
});

describe("a capture that is never stopped", () => {
  test("is stopped after the configured time without packets, and keeps its packets", async () => {
    const pair = await capturing(2);
    expect(await sweepIn(29)).not.toHaveProperty("StoppedCaptures");
    expect((await client.get(pair.link)).json.capturing).toBe(true);

    const counts = await sweepIn(31);
    expect(counts.StoppedCaptures).toBeGreaterThanOrEqual(1);
    expect((await client.get(pair.link)).json.capturing).toBe(false);
    expect(await captureOf(pair)).toMatchObject({ status: "stopped", packets: 6 });
    expect(await packetsOf(pair)).toBe(6);
  });

  test("is stopped without any packets, too", async () => {
    const pair = await capturing(0);
    await sweepIn(31);
    expect(await captureOf(pair)).toMatchObject({ status: "stopped", packets: 0 });
  });

  test("continues if it is old and its last packets are recent", async () => {
    const pair = await capturing(1);
    const longAgo = new Date(Date.now() - 40 * DAY_MS).toISOString();
    const [capture] = await modules.capture.listCaptures(pair.projectId);
    await modules.capture.CaptureEntity.build(UpdateItemCommand)
      .item({ ...capture!, started_at: longAgo })
      .send();

    await sweepIn(0);
    expect((await client.get(pair.link)).json.capturing).toBe(true);
    await client.delete(pair.path);
  });
});

describe("a project with expires_at", () => {
  const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

  test("is deleted with everything in it at that time, and not before", async () => {
    const pair = await capturing(1);
    expect((await client.put(pair.path, { expires_at: inHours(2) })).json.expires_at).toMatch(/Z$/);
    await sweepIn(1 / 24);
    expect((await client.get(pair.path)).status).toBe(200);

    const counts = await sweepIn(3 / 24);
    expect(counts).toMatchObject({ ExpiredProjects: 1, Sweeps: 1 });
    expect((await client.get(pair.path)).status).toBe(404);
    expect(await keys(`segments/${pair.projectId}/`)).toEqual([]);
  });

  test("frees its name", async () => {
    const name = freshName();
    await client.post("/projects", { name, expires_at: inHours(1) });
    await sweepIn(1);
    expect((await client.post("/projects", { name })).status).toBe(201);
  });

  test("stays when expires_at is removed", async () => {
    const lab = await makeLab();
    await client.put(lab.path, { expires_at: inHours(1) });
    expect((await client.put(lab.path, { expires_at: null })).json.expires_at).toBeNull();
    await sweepIn(1);
    expect((await client.get(lab.path)).status).toBe(200);
  });

  test("stays when expires_at is postponed after the sweeper has read the list of projects", async () => {
    const { projectId, path } = await makeLab();
    const { json } = await client.put(path, { expires_at: inHours(-1) });
    const { sweepOneProject } = await import("../../functions/sweeper/sweep-project.ts");
    const listed = (await modules.project.getProject(modules.access.SERVICE, projectId))!;
    await client.put(path, { expires_at: inHours(1) });

    await sweepOneProject(listed, { nowMs: Date.now(), abandonedMs: DAY_MS });
    expect(json.expires_at).not.toBeNull();
    expect((await client.get(path)).status).toBe(200);
  });

  test.each(["tomorrow", "2026-01-01", 5])("takes an RFC 3339 time, and not %s", async (expires_at) => {
    expect((await client.post("/projects", { name: freshName(), expires_at })).status).toBe(400);
  });
});

describe("an interrupted deletion", () => {
  test("is finished by the sweeper", async () => {
    const pair = await capturing(1);
    const { getProject, markProjectDeleting } = modules.project;
    await markProjectDeleting((await getProject(modules.access.SERVICE, pair.projectId))!);
    expect(await keys(`segments/${pair.projectId}/`)).toHaveLength(1);

    expect((await sweepIn(0)).FinishedDeletions).toBe(1);
    expect(await keys(`segments/${pair.projectId}/`)).toEqual([]);
    expect(await getProject(modules.access.SERVICE, pair.projectId)).toBeUndefined();
  });
});

describe("one sweep", () => {
  test("does a bounded amount of work, and the next one continues from there", async () => {
    const orphans = await Promise.all([leaveObject(`symbols/${uuid()}`), leaveObject(`symbols/${uuid()}`)]);
    const seen = new Set<string | undefined>();
    let runs = 0;
    do {
      await sweepIn(2, { maxPages: 1, objectsAPage: 5, projectsAPage: 5 });
      seen.add((await modules.state.readSweepState()).object);
      runs += 1;
    } while ((await modules.state.readSweepState()).object !== undefined && runs < 200);
    expect(runs).toBeGreaterThan(1);
    expect(seen.size).toBe(runs);
    expect((await Promise.all(orphans.map(keys))).flat()).toEqual([]);
  });

  test("starts no work when its time is nearly over", async () => {
    const orphan = await leaveObject(`symbols/${uuid()}`);
    await sweepIn(2, { remainingTimeMs: () => 59_000 });
    expect(await keys(orphan)).toHaveLength(1);
    await sweepIn(2);
    expect(await keys(orphan)).toEqual([]);
  });
});

test("no sweep before has left a dangling reference", async () => {
  const left = await danglingReferences(localStack());
  expect(left.filter((line) => !leftByOthers.has(line))).toEqual([]);
});
