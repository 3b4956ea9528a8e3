import { beforeEach, expect, test, vi } from "vitest";

interface Facts {
  readonly nodes: number;
  readonly links: number;
  readonly started?: number;
  readonly sketch?: { readonly nodes: readonly object[]; readonly links: readonly unknown[] };
}

interface LabFacts {
  askFacts(projectId: string, signal: AbortSignal, onFacts: (facts: Facts) => void): void;
  knownFacts(projectId: string): Facts | undefined;
}

vi.stubGlobal("sessionStorage", { getItem: () => null });
/** Loads a module that is written for browsers, whose types these tests do not have. */
const load = (name: string) => import(`../../../../page/src/labs/${name}.ts`);
const { askFacts, knownFacts }: LabFacts = await load("lab-facts");

const asked: string[] = [];
let answers: Record<string, unknown>;
let open = 0;
let most = 0;

beforeEach(() => {
  asked.length = 0;
  [open, most] = [0, 0];
  answers = {
    stats: { nodes: 2, links: 1 },
    nodes: [
      { node_id: "a", x: 1, y: 2, status: "started" },
      { node_id: "b", x: 3, y: 4, status: "stopped" },
    ],
    links: [{ nodes: [{ node_id: "a" }, { node_id: "b" }] }],
  };
  vi.stubGlobal("fetch", async (address: string) => {
    const [, , , id, what] = address.split("/");
    asked.push(`${id} ${what}`);
    if (what === "stats") most = Math.max(most, ++open);
    await new Promise((resolve) => setTimeout(resolve));
    if (what === "links") open -= 1;
    return Response.json(answers[what!] ?? {});
  });
});

const ask = (id: string, signal = new AbortController().signal) =>
  new Promise<Facts>((resolve) => askFacts(id, signal, resolve));

test("reads the size, the state and the picture of a lab, and keeps them", async () => {
  const facts = await ask("1");
  expect(facts).toEqual({
    nodes: 2,
    links: 1,
    started: 1,
    sketch: {
      nodes: [
        { id: "a", x: 1, y: 2 },
        { id: "b", x: 3, y: 4 },
      ],
      links: [["a", "b"]],
    },
  });
  expect(knownFacts("1")).toBe(facts);
  expect(knownFacts("2")).toBeUndefined();
});

test("reads two labs at once, and none whose row is gone", async () => {
  const ending = new AbortController();
  const all = [ask("3"), ask("4"), ask("5")];
  askFacts("6", ending.signal, () => expect.unreachable());
  ending.abort();
  await Promise.all([...all, ask("7")]);
  expect(most).toBe(2);
  expect(asked.filter((each) => each.startsWith("6"))).toEqual([]);
});

test("does not read the devices of a large lab, nor those of an empty one", async () => {
  answers.stats = { nodes: 121, links: 120 };
  expect(await ask("8")).toEqual({ nodes: 121, links: 120 });
  answers.stats = { nodes: 0, links: 0 };
  expect(await ask("9")).toEqual({ nodes: 0, links: 0, started: 0, sketch: { nodes: [], links: [] } });
  expect(asked).toEqual(["8 stats", "9 stats"]);
});

test("goes on after a lab that cannot be read", async () => {
  const fetchAll = fetch;
  vi.stubGlobal("fetch", (address: string) =>
    address.includes("/10/")
      ? Promise.resolve(Response.json({ message: "gone" }, { status: 404 }))
      : fetchAll(address),
  );
  askFacts("10", new AbortController().signal, () => expect.unreachable());
  expect((await ask("11")).nodes).toBe(2);
});
