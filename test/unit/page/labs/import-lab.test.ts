import { beforeEach, expect, test, vi } from "vitest";

interface Imported {
  readonly file: string;
  readonly state: string;
  readonly words: string;
  readonly lab?: { readonly project_id: string };
}

interface ImportLab {
  importFiles(files: readonly File[]): Promise<void>;

  importFromLab(files: readonly File[]): Promise<void>;
  readonly imported: { readonly value: readonly Imported[] };
}

const place = { href: "http://127.0.0.1/v2/page/", pathname: "/v2/page/", hash: "#/", search: "" };
vi.stubGlobal("location", place);
vi.stubGlobal("addEventListener", () => {});
const storage = { getItem: () => null, setItem() {}, removeItem() {} };
vi.stubGlobal("sessionStorage", storage);
vi.stubGlobal("localStorage", storage);
/** Loads a module that is written for browsers, whose types these tests do not have. */
const loadLabs = (name: string) => import(`../../../../page/src/labs/${name}.ts`);
const notices: string[] = [];
vi.doMock("../../../../page/src/ui/notices.tsx", () => ({ notify: (text: string) => notices.push(text) }));
const { importFiles, importFromLab, imported }: ImportLab = await loadLabs("import-lab");

const LAB = "nodes: {a: 10.0.0.1/24, b: 10.0.0.2/24}\nlinks: [a -- b]\nexpect: [{reach: all}]\n";

beforeEach(() => {
  vi.useFakeTimers();
  place.hash = "#/";
  notices.length = 0;
  vi.stubGlobal("fetch", async (address: string, { method, body }: { method: string; body?: unknown }) => {
    if (address.includes("broken")) return Response.json({ message: "it is no archive" }, { status: 400 });
    if (method === "GET") return Response.json([]);
    if (address.includes("/import")) return Response.json({ project_id: "archive" });
    const given = typeof body === "string" ? JSON.parse(body) : {};
    const ports = [{ adapter_number: 0, port_number: 0 }];
    return Response.json({ ...given, project_id: "built", node_id: given.name, link_id: "l", ports });
  });
});

test("opens the lab of one file, and says what was made", async () => {
  await importFiles([new File([LAB], "two.lab.yaml")]);
  expect(place.hash).toBe("#/labs/built");
  expect(imported.value).toEqual([]);
  expect(notices.at(-1)).toBe("two.lab.yaml: 2 devices, 1 link, and its tests");
});

test("reports a file that is dropped onto an open lab and is none, and lists several", async () => {
  place.hash = "#/labs/open";
  await importFromLab([new File(["x"], "broken.gns3project")]);
  expect(notices).toEqual(["it is no archive"]);
  expect([place.hash, imported.value]).toEqual(["#/labs/open", []]);
  await importFromLab([new File(["x"], "broken.gns3project"), new File([LAB], "two.lab.yaml")]);
  expect(place.hash).toBe("#/");
  expect(imported.value).toHaveLength(2);
});

test("says what became of each of several files, and tries all", async () => {
  await importFiles([
    new File(["x"], "broken.gns3project"),
    new File([LAB.replace(/expect.*/, "")], "two.lab.yaml"),
    new File(["x"], "notes.txt"),
    new File(["x"], "office.gns3project"),
  ]);
  expect(place.hash).toBe("#/");
  expect(imported.value.map(({ file, state, words, lab }) => [file, state, words, lab?.project_id])).toEqual([
    ["broken.gns3project", "failed", "it is no archive", undefined],
    ["two.lab.yaml", "done", "2 devices, 1 link", "built"],
    ["notes.txt", "failed", expect.stringContaining("notes.txt is no lab"), undefined],
    ["office.gns3project", "done", "imported with everything in it", "archive"],
  ]);
});

test("keeps the reason when the only file is refused", async () => {
  await importFiles([new File(["x"], "broken.gns3project")]);
  expect(imported.value).toMatchObject([{ state: "failed", words: "it is no archive" }]);
  expect(place.hash).toBe("#/");
});
