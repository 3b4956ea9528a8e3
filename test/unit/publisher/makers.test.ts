/** Which changes of items are events. */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { MAKERS } from "../../../functions/publisher/makers.ts";
import { LabStates } from "../../../functions/shared/store/commit/lab-states.ts";

const { findStates } = vi.hoisted(() => ({ findStates: vi.fn() }));
vi.mock("../../../functions/shared/store/commit/lab-states.ts", async (original) => ({
  ...(await original<object>()),
  findStates,
}));

beforeAll(() => void vi.stubEnv("BUCKET_NAME", "data"));
afterAll(() => void vi.unstubAllEnvs());

const PROJECT = "00000000-0000-4000-8000-000000000001";
const settings = { zoom: 100, shared_with: [], expires_at: null };
const settingsOf = async () => settings as never;

const node = {
  project_id: PROJECT,
  node_id: "n",
  name: "PC1",
  status: "stopped",
  document: { node_type: "vpcs", x: 0, properties: {} },
  links: {},
  wiring: 0,
  revision: 1,
  created_us: 1,
};
const link = {
  project_id: PROJECT,
  link_id: "l",
  link_type: "ethernet",
  document: { nodes: [], filters: {}, link_style: {}, suspend: false },
  revision: 1,
  created_us: 1,
};
const capture = { capture_id: "c", file_name: "c.pcap", segments: 0, recent: [], packets: 0, bytes: 0 };
const project = {
  project_id: PROJECT,
  name: "lab",
  filename: "lab.gns3",
  status: "opened",
  owner: "alice",
  shares: { x: "viewer" },
  settings_revision: 1,
  revision: 1,
  created_us: 1,
};

const make = async (source: keyof typeof MAKERS, before: object | undefined, after: object | undefined) =>
  (await MAKERS[source](before, after, settingsOf)).map(({ action }) => action);

describe("a node", () => {
  test.each([
    ["wiring", { wiring: 1, links: { "0_0": { link_id: "l" } } }],
    ["the state of its device", { state: { arp: [] }, state_run: 3 }],
    ["its revision", { revision: 2 }],
  ])("whose change is only %s makes no event", async (_what, change) => {
    expect(await make("node", node, { ...node, ...change })).toEqual([]);
  });

  test.each([
    ["created", undefined, node],
    ["updated", node, { ...node, status: "started" }],
    ["updated", node, { ...node, name: "PC2" }],
    ["updated", node, { ...node, document: { ...node.document, x: 5 } }],
    ["deleted", node, undefined],
  ])("that is %s makes node.%s", async (change, before, after) => {
    expect(await make("node", before, after)).toEqual([`node.${change}`]);
  });
});

describe("a link", () => {
  test.each([
    ["the state of its filters", {}, { state: {}, state_run: 2 }],
    ["the counts of its capture", { capture }, { capture: { ...capture, packets: 9, bytes: 900 } }],
  ])("whose change is only %s makes no event", async (_what, was, is) => {
    expect(await make("link", { ...link, ...was }, { ...link, ...is })).toEqual([]);
  });

  test("whose capture starts or stops makes link.updated", async () => {
    expect(await make("link", link, { ...link, capture })).toEqual(["link.updated"]);
    expect(await make("link", { ...link, capture }, link)).toEqual(["link.updated"]);
  });
});

describe("impairments of a link", () => {
  const since_us = 5;
  const impaired = (settings: object, changed = {}) => ({
    ...link,
    document: { ...link.document, impairments: { settings, since_us, ...changed } },
  });
  const slow = { both: { delay: "5ms" } };

  test.each([
    ["set", link, impaired(slow), slow],
    ["changed", impaired({ carrier: "down" }), impaired(slow), slow],
    ["removed", impaired(slow), link, {}],
  ])("that are %s make links.impairments", async (_what, before, after, impairments) => {
    expect(await MAKERS.link(before, after, settingsOf)).toEqual([
      {
        stream: PROJECT,
        action: "links.impairments",
        event: { project_id: PROJECT, link_id: "l", impairments },
      },
    ]);
  });

  test("follow the event of a link that is made with them", async () => {
    expect(await make("link", undefined, impaired(slow))).toEqual(["link.created", "links.impairments"]);
  });

  test("make no event when they stay, whatever else changes, nor with the deletion of their link", async () => {
    expect(await make("link", impaired(slow), impaired(slow, { since_us: 9 }))).toEqual([]);
    expect(await make("link", impaired(slow), undefined)).toEqual(["link.deleted"]);
  });
});

describe("counters", () => {
  const counters = (links: object) => ({ project_id: PROJECT, part: 0, revision: 1, links });
  const [still, moved] = [
    [7, [1, 60, 1, 60, 0, 0], [0, 0, 0, 0, 0, 0]],
    [7, [3, 180, 2, 120, 1, 60], [1, 60, 1, 60, 0, 0]],
  ];

  test("make one event with the links whose counters moved", async () => {
    const events = await MAKERS.counters(
      counters({ a: still, b: still }),
      counters({ a: still, b: moved }),
      settingsOf,
    );
    expect(events).toEqual([
      {
        stream: PROJECT,
        action: "links.counters",
        event: {
          project_id: PROJECT,
          links: [
            {
              link_id: "b",
              a_to_b: {
                in: { packets: 3, bytes: 180 },
                delivered: { packets: 2, bytes: 120 },
                dropped: { packets: 1, bytes: 60 },
              },
              b_to_a: {
                in: { packets: 1, bytes: 60 },
                delivered: { packets: 1, bytes: 60 },
                dropped: { packets: 0, bytes: 0 },
              },
            },
          ],
        },
      },
    ]);
  });

  test("make one when the first are stored, and none when those of deleted links go", async () => {
    expect(await make("counters", undefined, counters({ a: still }))).toEqual(["links.counters"]);
    expect(await make("counters", counters({ a: still, b: moved }), counters({ a: still }))).toEqual([]);
    expect(await make("counters", counters({ a: still }), undefined)).toEqual([]);
  });
});

describe("a project", () => {
  test.each([
    ["counters", { node_count: 3, stored_bytes: 5, run: 7 }],
    ["the clock", { clock_us: 12 }],
    ["a turn", { turn: { holder: "h", until_ms: 5 } }],
    ["a pending run", { pending: "p", pending_until_ms: 5 }],
  ])("whose change is only %s makes no event", async (_what, change) => {
    expect(await make("project", project, { ...project, ...change })).toEqual([]);
  });

  test.each([
    ["created", undefined, project],
    ["closed", project, { ...project, status: "closed" }],
    ["opened", { ...project, status: "closed" }, project],
    ["updated", project, { ...project, name: "other" }],
    ["updated", project, { ...project, settings_revision: 2 }],
    ["deleted", project, { ...project, deleting: true }],
  ])("that is %s makes project.%s", async (change, before, after) => {
    expect(await make("project", before, after)).toEqual([`project.${change}`]);
  });

  test("makes one event of its deletion, however many steps that takes", async () => {
    const leaving = { ...project, deleting: true };
    expect(await make("project", leaving, { ...leaving, node_count: 0 })).toEqual([]);
    expect(await make("project", leaving, undefined)).toEqual([]);
  });

  test("whose settings move to their own item, as they are, makes no event", async () => {
    const earlier = { ...project, settings_revision: undefined, settings };
    const later = { ...project, settings_revision: 1 };
    const of = async (each: object) => ("settings" in each ? each.settings : settings) as never;
    expect(await MAKERS.project(earlier, later, of)).toEqual([]);
  });

  test("is shown to those who may see it", async () => {
    const [event] = await MAKERS.project(project, { ...project, status: "closed" }, settingsOf);
    expect(event).toMatchObject({
      stream: "",
      audience: { owner: "alice", shares: { x: "viewer" } },
      event: { project_id: PROJECT, name: "lab", status: "closed", zoom: 100 },
    });
  });
});

describe("a restored snapshot", () => {
  const snapshot = { snapshot_id: "s", project_id: PROJECT, name: "before" };
  const restored = { ...project, run: 4, restored: { run: 4, snapshot } };
  const pending = { ...restored, pending: "p", pending_until_ms: 5 };

  test("makes one event, in the project's stream, when its commit is written out", async () => {
    expect(await MAKERS.project(pending, restored, settingsOf)).toEqual([
      { stream: PROJECT, action: "snapshot.restored", event: snapshot },
    ]);
  });

  test.each([
    ["is not written out", { ...project, run: 3 }, { ...pending, settings_revision: 1 }],
    ["is claimed by another request", pending, { ...pending, pending_until_ms: 9 }],
    ["was followed by a run", { ...pending, run: 5 }, { ...restored, run: 5 }],
    ["was restored before a small change", restored, { ...restored, node_count: 1 }],
    ["is in a project that is being deleted", pending, { ...restored, deleting: true }],
    ["is in a project that is gone", pending, undefined],
  ])("makes no such event if its commit %s", async (_what, before, after) => {
    expect(await make("project", before, after)).not.toContain("snapshot.restored");
  });
});

describe("a template", () => {
  const template = {
    template_id: "t",
    document: { template_id: "t", name: "T", builtin: false },
    revision: 1,
  };
  const builtin = { ...template, document: { ...template.document, builtin: true } };

  test.each([
    ["created", undefined, template],
    ["updated", template, { ...template, document: { ...template.document, name: "U" } }],
    ["updated", undefined, builtin],
    ["deleted", template, undefined],
  ])("that is %s makes template.%s", async (change, before, after) => {
    expect(await make("template", before, after)).toEqual([`template.${change}`]);
  });
});

describe("a large run", () => {
  const counts = [
    [1, 60, 1, 60, 0, 0],
    [0, 0, 0, 0, 0, 0],
  ] as const;
  const counted = (ids: readonly string[]) => ids.map((id) => ({ id, created_us: 1, value: counts }));
  const states = new LabStates()
    .after(3, [], counted(["old"]))
    .after(4, [], counted(Array.from({ length: 30 }, (_, i) => `l${i}`)));
  const before = { ...project, run: 3, states: "earlier" };
  const after = { ...project, run: 4, states: "later" };

  test("announces the counters that it has moved, some links in an event", async () => {
    findStates.mockResolvedValue(states);
    const events = await MAKERS.project(before, after, settingsOf);
    expect(events.map(({ action, stream }) => [action, stream])).toEqual([
      ["links.counters", PROJECT],
      ["links.counters", PROJECT],
    ]);
    const links = events.flatMap(({ event }) => (event as { links: { link_id: string }[] }).links);
    expect(links.map(({ link_id }) => link_id)).toEqual(Array.from({ length: 30 }, (_, i) => `l${i}`));
    expect(links[0]).toMatchObject({ a_to_b: { in: { packets: 1, bytes: 60 } } });
  });

  test("is no fault of the stream when its project was deleted before the publisher has read it", async () => {
    findStates.mockResolvedValue(undefined);
    const events = await MAKERS.project(before, after, settingsOf);
    expect(events.map(({ action }) => action)).not.toContain("links.counters");
  });

  test("is announced once, and not when its project is deleted", async () => {
    findStates.mockReset();
    expect(await MAKERS.project(after, { ...after, run: 5 }, settingsOf)).toEqual([]);
    const marked = await MAKERS.project(before, { ...after, deleting: true }, settingsOf);
    expect(marked.filter(({ action }) => action === "links.counters")).toEqual([]);
    expect(findStates).not.toHaveBeenCalled();
  });
});
