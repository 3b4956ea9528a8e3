import { beforeAll, expect, test, vi } from "vitest";

interface Sketch {
  readonly nodes: readonly { readonly id: string; readonly x: number; readonly y: number }[];
  readonly links: readonly (readonly [string, string])[];
}

interface Example {
  readonly file: string;
  readonly title: string;
  readonly description: string;
}

interface Examples {
  readonly EXAMPLES: readonly Example[];
  sketchExample(example: Example): Promise<Sketch>;
}

/** Loads a module that is written for browsers, whose types these tests do not have. */
const load = (name: string) => import(`../../../../page/src/labs/${name}.ts`);
let examples: Examples;

beforeAll(async () => {
  vi.stubGlobal("sessionStorage", { getItem: () => null });
  vi.stubGlobal("location", { hash: "" });
  vi.stubGlobal("addEventListener", () => {});
  examples = await load("examples");
});

test("each example has a title of its own and sentences that say what it shows", () => {
  const { EXAMPLES } = examples;
  expect(EXAMPLES.length).toBeGreaterThan(20);
  expect(new Set(EXAMPLES.map(({ title }) => title)).size).toBe(EXAMPLES.length);
  for (const { file, title, description } of EXAMPLES) {
    expect(title, file).toMatch(/^[A-Z]/);
    expect(description, file).toMatch(/^\w.*[.)]$/);
    expect(description, file).not.toContain("#");
  }
  const nat = EXAMPLES.find(({ file }) => file === "nat.lab.yaml");
  expect(nat).toMatchObject({
    title: "NAT",
    description: expect.stringMatching(/^A gateway with one outside address\./),
  });
});

test("each example has a picture of its devices, apart from each other, and its links", async () => {
  for (const example of examples.EXAMPLES) {
    const { nodes, links } = await examples.sketchExample(example);
    expect(nodes.length, example.file).toBeGreaterThan(1);
    expect(links.length, example.file).toBeGreaterThan(0);
    expect(new Set(nodes.map(({ x, y }) => `${x} ${y}`)).size, example.file).toBe(nodes.length);
    const ids = new Set(nodes.map(({ id }) => id));
    expect(
      links.flat().every((id) => ids.has(id)),
      example.file,
    ).toBe(true);
  }
});
