/** The page's own code, without a browser, makes random changes over HTTP: undone to the start, the lab is the same. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { takesAll } from "../helpers/cases/draw.ts";
import { addLink, addNode, client, end, makeLab } from "../helpers/service/lab.ts";
import { localStack } from "../helpers/stack/this-stack.ts";

/** Modules of the page, whose types these tests do not have. */
// biome-ignore lint/suspicious/noExplicitAny: written for browsers
type PageModule = Record<string, any>;
const loadLab = (name: string): Promise<PageModule> => import(`../../page/src/lab/${name}.ts`);
const loadEdit = (name: string): Promise<PageModule> => import(`../../page/src/edit/${name}.ts`);

const storage = { getItem: () => null, setItem() {}, removeItem() {} };
const { fetch } = globalThis;
const { origin } = new URL(localStack().baseUrl);

let page: PageModule;
beforeAll(async () => {
  vi.stubGlobal("sessionStorage", storage);
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
  });
  vi.stubGlobal("location", {
    href: `${origin}/v2/page/`,
    origin,
    pathname: "/v2/page/",
    hash: "",
    search: "",
  });
  vi.stubGlobal("addEventListener", () => {});
  vi.stubGlobal("requestAnimationFrame", () => 0);
  vi.stubGlobal("removeEventListener", () => {});
  vi.stubGlobal("fetch", (url: string, init: RequestInit) => fetch(new URL(url, origin), init));
  const names = [
    "change",
    "add-node",
    "remove",
    "connect",
    "drawings",
    "switch",
    "capture",
    "clipboard",
    "move",
  ];
  page = Object.assign({}, await loadLab("lab"), ...(await Promise.all(names.map(loadEdit))));
});
afterAll(() => vi.unstubAllGlobals());

/** Fields that are not as they were, and why. */
const OTHER: Readonly<Record<string, string>> = {
  capture_file_name: "the undo of the stop of a capture begins another one",
  capture_file_path: "it has the id of the capture",
};

/** Without these fields. Keys are sorted: their order has no meaning, and is that of the last request. */
const comparable = (_key: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([name]) => !Object.hasOwn(OTHER, name))
          .toSorted(([one], [another]) => (one < another ? -1 : 1)),
      )
    : value;

async function stateOf(path: string): Promise<string> {
  const read = async (suffix: string) => (await client.get(path + suffix)).json;
  const tests = await client.get(`${path}/files/tests.yaml`);
  const parts = {
    ...{ project: await read(""), nodes: await read("/nodes"), links: await read("/links") },
    ...{ drawings: await read("/drawings"), impairments: await read("/links/impairments") },
    // The undo of the first text leaves an empty file: files of projects cannot be deleted.
    tests: tests.status === 200 ? tests.bytes.toString() : "",
  };
  return JSON.stringify(parts, comparable, 1);
}

interface Draw {
  readonly kind: number;
  readonly one: number;
  readonly two: number;
  readonly value: number;
}

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"/>';
const TEMPLATES = ["19021f99-e36f-394d-b4a1-8aaa902ab9cc", "1966b864-93e7-32d5-965f-001384eec461"];

// biome-ignore lint/suspicious/noExplicitAny: the lab of the page
type Lab = any;

/** What the user does. Each may do nothing, when the lab has no such part. */
const ACTIONS: Readonly<Record<string, (lab: Lab, draw: Draw) => Promise<unknown>>> = {
  add: (lab, { value, one }) => page.addNode(lab, { template_id: TEMPLATES[one % 2] }, { x: value, y: one }),
  draw: (lab, { value }) => page.addDrawing(lab, SVG, { x: value, y: 5 }),
  connect: async (lab, draw) => {
    const [a, b] = [node(lab, draw.one), node(lab, draw.two)];
    if (a && b && a !== b && [a, b].every((each) => page.freePorts(lab, each).length > 0))
      await page.connect(lab, a.node_id, b.node_id);
  },
  delete: (lab, draw) => select(lab, draw, () => page.removeSelected(lab)),
  paste: (lab, draw) =>
    select(lab, draw, async () => {
      page.copySelected(lab);
      await page.paste(lab);
    }),
  move: async (lab, { one, value }) => {
    const found = node(lab, one);
    if (found) await page.moveNodes(lab, new Map([[found.node_id, { x: value, y: -value }]]));
  },
  "move a drawing": async (lab, { value }) => page.moveDrawings(lab, lab.drawings.value.keys(), value, 3),
  rename: (lab, { one, value }) => setNode(lab, one, ["name"], `renamed-${value}`),
  script: (lab, { one, value }) =>
    setNode(lab, one, ["properties", "startup_script"], `ip 10.0.0.${value % 250}/24`, "vpcs"),
  label: (lab, { one, value }) => setNode(lab, one, ["label", "rotation"], value % 360),
  symbol: (lab, { one }) => setNode(lab, one, ["symbol"], ":/symbols/computer.svg"),
  console: (lab, { one, two }) => setNode(lab, one, ["console_auto_start"], two % 2 === 0),
  filter: (lab, { one, value }) => setLink(lab, one, "link", ["filters", "packet_loss"], [value % 100]),
  suspend: (lab, { one, two }) => setLink(lab, one, "link", ["suspend"], two % 2 === 0),
  impair: (lab, { one, value }) => setLink(lab, one, "impairments", ["both", "loss"], `${value % 100}%`),
  unimpair: (lab, { one }) => setLink(lab, one, "impairments", ["both", "loss"], undefined),
  capture: async (lab, { one }) => {
    const link = at(lab.links, one);
    if (link) await page.setCapture(lab, link.link_id, !link.capturing);
  },
  power: async (lab, { one }) => {
    const found = node(lab, one);
    if (found) await page.switchNodes(lab, [found]);
  },
  "power of all": (lab, { two }) => page.switchAll(lab, two % 2 === 0 ? "start" : "stop"),
  tests: (lab, { value }) =>
    page.changeParts(
      lab,
      [{ kind: "tests", id: "tests.yaml", path: ["text"], value: `# ${value}\n` }],
      "tests",
    ),
};

// biome-ignore lint/suspicious/noExplicitAny: parts of the page's lab
const at = (parts: { value: ReadonlyMap<string, any> }, index: number): any =>
  [...parts.value.values()][index % Math.max(1, parts.value.size)];
const node = (lab: Lab, index: number) => at(lab.nodes, index);

async function select(lab: Lab, { one, two }: Draw, act: () => Promise<unknown>): Promise<void> {
  const chosen = [
    at(lab.nodes, one)?.node_id,
    two % 2 ? at(lab.links, two)?.link_id : at(lab.drawings, two)?.drawing_id,
  ];
  lab.selection.value = new Set(chosen.filter((id) => id !== undefined));
  await act();
}

const setNode = async (lab: Lab, index: number, path: string[], value: unknown, type?: string) => {
  const found = node(lab, index);
  if (found && (type === undefined || found.node_type === type))
    await page.changeParts(lab, [{ kind: "node", id: found.node_id, path, value }], "change");
};

const setLink = async (lab: Lab, index: number, kind: string, path: string[], value: unknown) => {
  const link = at(lab.links, index);
  if (link) await page.changeParts(lab, [{ kind, id: link.link_id, path, value }], "change");
};

const NAMES = Object.keys(ACTIONS);
const LENGTH = takesAll ? 200 : 40;
const draw = fc.record({
  kind: fc.nat(NAMES.length - 1),
  one: fc.nat(50),
  two: fc.nat(50),
  value: fc.nat(400),
});

test(`any ${LENGTH} changes, undone to the start, leave the lab as it was`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(draw, { minLength: LENGTH, maxLength: LENGTH }), async (draws) => {
      const made = await makeLab();
      const [a, b] = [await addNode(made), await addNode(made, { label: { text: "PC2", x: 7, y: 9 } })];
      const link = await addLink(made, [end(a), end(b)]);
      await client.put(`${made.path}/links/${link}/impairments`, { both: { delay: "2ms" } });
      const lab = await page.openLab(made.projectId);
      try {
        await lab.readConditions();
        const states = [await stateOf(made.path)];
        const done: string[] = [];
        for (const each of draws) {
          await ACTIONS[NAMES[each.kind]!]!(lab, each);
          done.push(NAMES[each.kind]!);
        }
        while (lab.history.lastDone.value) await lab.history.undo();
        expect(await stateOf(made.path), done.join(", ")).toBe(states[0]);
      } finally {
        lab.close();
        await client.delete(made.path);
      }
    }),
    { numRuns: 1, endOnFailure: true },
  );
}, 600_000);

/** A lab of two PCs that the page has open. */
async function openPair(): Promise<{ path: string; a: string; lab: Lab }> {
  const made = await makeLab();
  const [a, b] = [await addNode(made), await addNode(made)];
  await addLink(made, [end(a), end(b)]);
  return { path: made.path, a, lab: await page.openLab(made.projectId) };
}

test("an undo leaves what another user has changed since, and undoes the rest", async () => {
  const { path, a, lab } = await openPair();
  await page.moveNodes(lab, new Map([[a, { x: 5, y: 6 }]]));
  await client.put(`${path}/nodes/${a}`, { x: 99 });
  await lab.history.undo();
  expect((await client.get(`${path}/nodes/${a}`)).json).toMatchObject({ x: 99, y: 0 });
  lab.close();
});

test("what a page has deleted comes back in another page", async () => {
  const { path, a, lab } = await openPair();
  const before = await stateOf(path);
  lab.selection.value = new Set([a]);
  await page.removeSelected(lab);
  lab.close();
  const [deletion] = (await client.get(`${path}/deletions`)).json;
  const other = await page.openLab(path.split("/").at(-1)!);
  await page.bringBack(other, deletion.deletion_id);
  expect(await stateOf(path)).toBe(before);
  await other.history.undo();
  expect((await client.get(`${path}/nodes`)).json).toHaveLength(1);
  other.close();
});
