import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath, pathToFileURL } from "node:url";
import { App, Stack } from "aws-cdk-lib";
import { Function as LambdaFunction, Runtime } from "aws-cdk-lib/aws-lambda";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GROUPS } from "../../../functions/routes.ts";
import { ownNames, readBarrel, splitBarrel, spreadImport } from "../../../infra/bundle/barrels.ts";
import { bundle, inputsOf, sizeOf } from "../../../infra/bundle/bundle.ts";
import { bundledCode } from "../../../infra/bundle/code.ts";
import { REPLACED } from "../../../infra/bundle/packages.ts";
import { forgetErrors, forgetRegions, spellOutKeys } from "../../../infra/bundle/sdk-tables.ts";
import { startRuntime } from "../../helpers/runtime.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const ENTRIES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(GROUPS.map(({ name }) => [name, `functions/${name}/handler.ts`])),
  basic: "functions/authorizer/basic.ts",
  jwt: "functions/authorizer/jwt.ts",
  sweeper: "functions/sweeper/handler.ts",
};

/** Most that a function loads when it starts, in bytes; KB is 1,000. */
const AT_START = 410_000;
/** All files of the functions that have more: S3's client, the engine, what reads packets. */
const IN_ALL: Readonly<Record<string, number>> = {
  captures: 615_000,
  follow: 495_000,
  links: 645_000,
  nodes: 565_000,
  projects: 790_000,
  runs: 790_000,
  statistics: 460_000,
  sweeper: 495_000,
  symbols: 505_000,
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

  test("is at most 410 KB at the start, and in all as small as it is known to be", () => {
    const { initBytes, totalBytes } = sizeOf(bundles[name]!.metafile);
    expect(initBytes).toBeLessThanOrEqual(AT_START);
    expect(totalBytes).toBeLessThanOrEqual(IN_ALL[name] ?? AT_START);
  });
});

/** The functions of the other bundles are called in test/integration: they need the stores. */
test("the bundle of jwt refuses a caller without a token under Lambda's runtime client", async () => {
  const folder = join(scratch, "jwt");
  await bundle(`${ROOT}${ENTRIES.jwt}`, folder);
  const settings = { JWT_ISSUER: "https://issuer.example/", JWT_AUDIENCE: "wirelab" };
  const runtime = await startRuntime(folder, "index.handler", settings);
  const { body, error } = await runtime.invoke({
    methodArn: "arn:aws:execute-api:us-east-1:000000000000:local/v2/GET/projects",
    headers: {},
    requestContext: { requestId: "request-1", identity: { sourceIp: "192.0.2.1" } },
  });
  await runtime.stop();
  expect(error).toBeUndefined();
  expect(JSON.parse(body.toString())).toMatchObject({ principalId: "nobody" });
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

  test("lose the errors of operations that are not called", () => {
    const of = (name: string): string => `registry.registerError(${name}$, ${name});\n`;
    const kept = of("TransactionCanceledException");
    expect(forgetErrors(`${of("BackupInUseException")}${kept}${of("ReplicaNotFoundException")}`).trim()).toBe(
      kept.trim(),
    );
  });

  test("lose the names of regions", () => {
    const source = '{"regionRegex": "^x$",\n"regions": {\n"x-1": {\n"description": "X"\n}\n}}';
    expect(forgetRegions(source)).toBe('{"regionRegex": "^x$",\n"regions": {}}');
    expect(() => forgetRegions("{}")).toThrow(/no regions were found/);
  });

  test("without an error still let it be told, and without a region let its endpoint be found", async () => {
    const entry = entryOf(
      "client",
      `import { DynamoDBClient, GetItemCommand } from "${ROOT}node_modules/@aws-sdk/client-dynamodb/dist-es/index.js";
      export const handler = (settings) =>
        new DynamoDBClient(settings).send(new GetItemCommand({ TableName: "table", Key: { id: { S: "1" } } }));`,
    );
    await bundle(entry, scratch);
    const { handler } = await import(pathToFileURL(join(scratch, "index.mjs")).href);
    let hostname = "";
    const requestHandler = {
      handle: async (request: { hostname: string }) => {
        ({ hostname } = request);
        const text = JSON.stringify({
          __type: "com.amazonaws.dynamodb.v20120810#BackupInUseException",
          message: "busy",
        });
        return { response: { statusCode: 400, headers: {}, body: Readable.from([Buffer.from(text)]) } };
      },
    };
    const credentials = { accessKeyId: "a", secretAccessKey: "b" };
    const told = handler({ region: "cn-north-1", credentials, requestHandler });
    await expect(told).rejects.toMatchObject({ name: "BackupInUseException", message: "busy" });
    expect(hostname).toBe("dynamodb.cn-north-1.amazonaws.com.cn");
  });
});

describe("Node's own modules", () => {
  test("are not imported", () => {
    for (const { outputFiles = [] } of Object.values(bundles)) {
      for (const { path, text } of outputFiles) expect(text.match(/\bfrom"(?!\.\/)[^"]+"/g), path).toBeNull();
    }
  });

  test("have all their names", async () => {
    const entry = entryOf(
      "builtin",
      'import fs, { readFileSync } from "fs"; import { setTimeout } from "node:timers/promises";\n' +
        "export const handler = [fs, readFileSync, setTimeout];",
    );
    await bundle(entry, scratch);
    // Another address than that of the module that another test has imported from there.
    const { handler } = await import(`${pathToFileURL(join(scratch, "index.mjs")).href}?builtin`);
    const timers = process.getBuiltinModule("node:timers/promises");
    const fs = process.getBuiltinModule("node:fs");
    expect(handler).toEqual([fs, fs.readFileSync, timers.setTimeout]);
  });
});

describe("barrels", () => {
  const gathered = 'export { A, B as C } from "./one/a";\nexport {\n  D,\n} from "@sdk/other";\n';
  const own = 'import { F, G as H } from "./two";\nexport { F, H as I };\nexport class E {}\n';
  const barrel = readBarrel("/sdk/index.js", gathered + own);

  test("say where their names are declared", () => {
    expect(Object.fromEntries(barrel)).toEqual({
      A: { module: "/sdk/one/a", name: "A" },
      C: { module: "/sdk/one/a", name: "B" },
      D: { module: "@sdk/other", name: "D" },
      F: { module: "/sdk/two", name: "F" },
      I: { module: "/sdk/two", name: "G" },
    });
  });

  test("are parted into what they gather and what they declare themselves", () => {
    expect(ownNames(own)).toEqual(["E"]);
    const parts = splitBarrel("/sdk/index.js", gathered + own);
    expect(parts.own.trim()).toBe(own.trim());
    expect(parts.rest).toBe(`${gathered}export * from "/sdk/index.js?own";`);
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
