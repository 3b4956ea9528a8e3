import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { App, Stack } from "aws-cdk-lib";
import { Function as LambdaFunction, Runtime } from "aws-cdk-lib/aws-lambda";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GROUPS } from "../../../functions/routes.ts";
import { readBarrel, spreadImport } from "../../../infra/bundle/barrels.ts";
import { bundle, inputsOf, sizeOf } from "../../../infra/bundle/bundle.ts";
import { bundledCode } from "../../../infra/bundle/code.ts";
import { REPLACED } from "../../../infra/bundle/packages.ts";
import { spellOutKeys } from "../../../infra/bundle/sdk-tables.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const ENTRIES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(GROUPS.map(({ name }) => [name, `functions/${name}/handler.ts`])),
  basic: "functions/authorizer/basic.ts",
  jwt: "functions/authorizer/jwt.ts",
  sweeper: "functions/sweeper/handler.ts",
};

/** What we want of every function, in bytes; KB is 1,000. */
const WANTED = 400_000;
/** What is loaded at the start of the functions that have more: they hold both what a request needs and the rules of many routes. */
const AT_START: Readonly<Record<string, number>> = {
  captures: 408_000,
  links: 450_000,
  nodes: 450_000,
  projects: 450_000,
  runs: 440_000,
  symbols: 415_000,
};
/** All files of the functions that have more: S3's client, the engine, what reads packets. */
const IN_ALL: Readonly<Record<string, number>> = {
  captures: 635_000,
  links: 665_000,
  nodes: 590_000,
  projects: 795_000,
  runs: 795_000,
  statistics: 475_000,
  sweeper: 515_000,
  symbols: 520_000,
};

type Bundle = Awaited<ReturnType<typeof bundle>>;
const bundles: Record<string, Bundle> = {};
const scratch = mkdtempSync(join(tmpdir(), "wirelab-bundle-"));

beforeAll(async () => {
  for (const [name, entry] of Object.entries(ENTRIES)) bundles[name] = await bundle(`${ROOT}${entry}`);
}, 300_000);
afterAll(() => rmSync(scratch, { recursive: true }));

const entryOf = (name: string, source: string): string => {
  const file = join(scratch, `${name}.ts`);
  writeFileSync(file, source);
  return file;
};

describe.each(Object.keys(ENTRIES))("the bundle of %s", (name) => {
  test("is of ES modules, without source maps", () => {
    const { outputFiles = [], metafile } = bundles[name]!;
    expect(outputFiles.map(({ path }) => path)).toEqual(
      outputFiles.map(({ path }) => expect.stringMatching(/\.mjs$/) && path),
    );
    for (const { path, text } of outputFiles) {
      expect(path).toMatch(/\.mjs$/);
      expect(text).toMatch(/\bexport\{|\bimport/);
      expect(text).not.toContain("sourceMappingURL");
    }
    const index = Object.entries(metafile.outputs).find(([path]) => path.endsWith("index.mjs"))?.[1];
    expect(index?.exports).toEqual(["handler"]);
  });

  test("is minified", () => {
    for (const { path, text } of bundles[name]!.outputFiles ?? []) {
      // Text that the console prints, and the documentation's page, have lines of their own.
      const lines = text.split("\n").filter((line) => /^\s+(const|let|return|if|import|export)\b/.test(line));
      expect(lines, path).toEqual([]);
    }
  });

  test("holds one copy of each package", () => {
    const copies = new Map<string, Set<string>>();
    for (const path of inputsOf(bundles[name]!.metafile)) {
      const [, root, packageName] = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(path) ?? [];
      if (packageName === undefined) continue;
      copies.set(packageName, (copies.get(packageName) ?? new Set()).add(root!));
    }
    expect([...copies].filter(([, roots]) => roots.size > 1)).toEqual([]);
  });

  test("is as small as it is known to be", () => {
    const { initBytes, totalBytes } = sizeOf(bundles[name]!.metafile);
    expect(initBytes).toBeLessThanOrEqual(AT_START[name] ?? WANTED);
    expect(totalBytes).toBeLessThanOrEqual(IN_ALL[name] ?? WANTED);
  });
});

describe("what stays out", () => {
  test("is found where a stand-in says that it is", () => {
    const used = new Set(Object.values(bundles).flatMap(({ metafile }) => Object.keys(metafile.inputs)));
    for (const { by } of REPLACED) expect([...used]).toContain(by.slice(ROOT.length));
  });

  test("fails the build when it gets in by another way", async () => {
    const intruder = `${ROOT}node_modules/bowser/es5.js`;
    const entry = entryOf(
      "intruder",
      `import it from ${JSON.stringify(intruder)};\nexport const handler = it;`,
    );
    await expect(bundle(entry)).rejects.toThrow(/bowser\/es5\.js is to be left out of the bundles/);
  });

  test("fails the build when a package loads what nobody has thought of", async () => {
    const folder = join(scratch, "node_modules", "late");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "index.js"), 'export const load = () => import("./older.js");\n');
    writeFileSync(join(folder, "older.js"), "export const it = 1;\n");
    writeFileSync(join(folder, "package.json"), '{"name": "late", "module": "index.js"}');
    const entry = entryOf("late", 'export { load as handler } from "late";');
    await expect(bundle(entry)).rejects.toThrow(
      /nobody has said whether what .*late\/index\.js loads later, .*older\.js, is ever needed/,
    );
  });

  test("fails the build when it has more to give than its stand-in", async () => {
    const entry = entryOf(
      "more",
      `import { getEndpointDiscoveryPlugin } from "${ROOT}node_modules/@aws-sdk/middleware-endpoint-discovery/dist-es/index.js";\nexport const handler = getEndpointDiscoveryPlugin;`,
    );
    await expect(bundle(entry)).rejects.toThrow(/No matching export .* "getEndpointDiscoveryPlugin"/);
  });
});

describe("the SDK's tables", () => {
  test("get the texts of their keys", () => {
    expect(spellOutKeys('const _a = "x";\nconst _b = "y-z";\nvar A$ = [0, { [_a]: 1, [_b]: _a }];')).toBe(
      'const _a = "x";\nconst _b = "y-z";\nvar A$ = [0, { "x": 1, "y-z": _a }];',
    );
  });

  test.each([
    ['const _a = "x";\nvar A$ = [_a];', /no computed key was found/],
    ['const _a = "x";\nvar A$ = { [_b]: 1 };', /_b is no constant with a text/],
    ['const _a = "x";\nvar A$ = { [_a]: 1,[_a]: 2 };', /a computed key is left/],
  ])("that are written otherwise fail the build: %j", (source, message) => {
    expect(() => spellOutKeys(source)).toThrow(message);
  });
});

describe("barrels", () => {
  const barrel = readBarrel(
    "/sdk/index.js",
    'export { A, B as C } from "./one/a";\nexport {\n  D,\n} from "@sdk/other";\nexport class E {}\n',
  );

  test("say where their names are declared", () => {
    expect(Object.fromEntries(barrel)).toEqual({
      A: { module: "/sdk/one/a", name: "A" },
      C: { module: "/sdk/one/a", name: "B" },
      D: { module: "@sdk/other", name: "D" },
    });
  });

  test("are passed by, but for what they declare themselves", () => {
    expect(spreadImport(" C as X, D, E, ", barrel, "sdk")).toBe(
      'import { B as X } from "/sdk/one/a"; import { D as D } from "@sdk/other"; import { E as E } from "sdk";',
    );
  });
});

describe("code for the CDK", () => {
  const synthesize = (folder: string, entry: string): string => {
    const app = new App({ outdir: join(scratch, `cdk-${entry}`) });
    const stack = new Stack(app, "Stack");
    new LambdaFunction(stack, "Function", {
      code: bundledCode(folder, entry),
      handler: "index.handler",
      runtime: Runtime.NODEJS_24_X,
    });
    return app.synth().directory;
  };

  test("is a folder with the modules of the bundle and nothing else", () => {
    const assembly = synthesize(`${ROOT}functions/version`, "handler");
    const asset = readdirSync(assembly).find((name) => name.startsWith("asset."));
    expect(readdirSync(join(assembly, asset!))).toEqual(["index.mjs"]);
  });

  test("says why there is none", () => {
    entryOf("broken", 'import "./not-there.ts";');
    expect(() => synthesize(scratch, "broken")).toThrow(
      /broken\.ts could not be bundled: .*Could not resolve "\.\/not-there\.ts"/s,
    );
  });
});
