import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { App, Stack } from "aws-cdk-lib";
import { Function as LambdaFunction, Runtime } from "aws-cdk-lib/aws-lambda";
import type { Metafile } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GROUPS } from "../../../functions/routes.ts";
import { bundle, bundledCode, STAND_INS, sizeOf } from "../../../infra/bundle.ts";
import { startRuntime } from "../../helpers/runtime/runtime.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const ENTRIES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(GROUPS.map(({ name }) => [name, `functions/${name}/handler.ts`])),
  basic: "functions/authorizer/basic.ts",
  jwt: "functions/authorizer/jwt.ts",
  sockets: "functions/sockets/handler.ts",
  sweeper: "functions/sweeper/handler.ts",
  publisher: "functions/publisher/handler.ts",
  watcher: "functions/watcher/handler.ts",
  helper: "functions/helper/handler.ts",
  probe: "functions/helper/probe.ts",
  labcases: "functions/labs/batch.ts",
  guests: "functions/runs/guests.ts",
};

/** The maximum that a function loads at its start, in bytes; KB is 1,000. */
const AT_START = 500_000;
/** The maximum of all files, for functions that have more: S3's client, the engine, packet readers. */
const IN_ALL: Readonly<Record<string, number>> = {
  // Decoders of bzip2 and LZMA, which are loaded with the first import.
  archives: 1_080_000,
  actions: 850_000,
  captures: 850_000,
  copies: 650_000,
  drawings: 650_000,
  // Swagger UI in base64, which is loaded with the first request for one of its files.
  docs: 3_100_000,
  files: 830_000,
  follow: 735_000,
  labs: 1_806_000,
  labcases: 1_577_000,
  links: 880_000,
  nodes: 940_000,
  projects: 1_673_000,
  // Without the emulator and the threads of guests, which are files beside it: infra/guest-files.ts.
  guests: 2_022_000,
  // The states and counters of large runs are objects: S3's client.
  publisher: 600_000,
  runs: 1_704_000,
  snapshots: 650_000,
  sockets: 1_646_000,
  statistics: 640_000,
  sweeper: 670_000,
  symbols: 650_000,
  templates: 870_000,
};

type Bundle = ReturnType<typeof bundle>;
const bundles: Record<string, Bundle> = {};
const scratch = mkdtempSync(join(tmpdir(), "wirelab-bundle-"));

beforeAll(() => {
  for (const [name, entry] of Object.entries(ENTRIES)) bundles[name] = bundle(`${ROOT}${entry}`);
}, 300_000);
afterAll(() => rmSync(scratch, { recursive: true }));

/** Paths of the modules that a bundle has code of. */
const inputsOf = ({ outputs }: Metafile): string[] =>
  Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );

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
      // Text that the console prints, and the documentation's page, have line breaks of their own.
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

  test("is at most 500 KB at the start, and in all within its recorded size", () => {
    const { initBytes, totalBytes } = sizeOf(bundles[name]!.metafile);
    expect(initBytes).toBeLessThanOrEqual(AT_START);
    expect(totalBytes).toBeLessThanOrEqual(IN_ALL[name] ?? AT_START);
  });
});

/** test/integration calls the functions of the other bundles, because they need the stores. */
test("the bundle of jwt rejects a caller without a token under Lambda's runtime client", async () => {
  const folder = join(scratch, "jwt");
  bundle(`${ROOT}${ENTRIES.jwt}`, folder);
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

describe("excluded modules", () => {
  const inputs = () => Object.values(bundles).flatMap(({ metafile }) => inputsOf(metafile));

  test("are each replaced in some bundle", () => {
    for (const path of Object.values(STAND_INS)) expect(inputs()).toContain(path.slice(ROOT.length));
  });

  test("are in no bundle", () => {
    const readers =
      /node_modules\/(@aws-sdk\/(credential-provider-(?!env\/)|token-providers|nested-clients)|bowser)/;
    expect(inputs().filter((path) => readers.test(path))).toEqual([]);
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

  test("reports a missing bundle", () => {
    entryOf("broken", 'import "./not-there.ts";');
    expect(() => synthesize(scratch, "broken")).toThrow(
      /broken\.ts could not be bundled: .*Could not resolve "\.\/not-there\.ts"/s,
    );
  });
});
