/** The package of the construct as its users get it: packed, installed in an empty folder, synthesized there by the example app. */
import { execFile } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildConstruct } from "../../infra/construct/build.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const execute = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "wirelab-construct-"));
const modules = join(folder, "node_modules");
const inFolder = (program: string, args: readonly string[], env: object = {}) =>
  execute(program, args, { cwd: folder, env: { ...process.env, ...env } });

interface Resource {
  readonly Type: string;
  readonly DeletionPolicy?: string;
  readonly Properties: Readonly<Record<string, unknown>>;
}
interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs: Readonly<Record<string, object>>;
}

const templateOf = (stack: string): Template =>
  JSON.parse(readFileSync(join(folder, `cdk.out/${stack}.template.json`), "utf8"));

beforeAll(async () => {
  const archive = await buildConstruct(folder);
  writeFileSync(join(folder, "package.json"), '{"name": "fresh", "type": "module", "private": true}');
  // Without the registry: the package has no dependencies, and its peers are those of the project.
  await inFolder("npm", ["install", "--offline", "--legacy-peer-deps", "--no-audit", "--no-fund", archive]);
  for (const peer of ["aws-cdk-lib", "constructs"])
    symlinkSync(join(ROOT, "node_modules", peer), join(modules, peer));
  cpSync(join(ROOT, "examples/cdk-app/app.js"), join(folder, "app.js"));
  await inFolder(process.execPath, ["app.js"], { CDK_OUTDIR: join(folder, "cdk.out") });
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the manifest can be published and has no dependencies besides the CDK's", () => {
  const manifest = JSON.parse(readFileSync(join(modules, "wirelab-construct/package.json"), "utf8"));
  expect(manifest).not.toHaveProperty("private");
  expect(manifest).not.toHaveProperty("dependencies");
  expect(Object.keys(manifest.peerDependencies)).toEqual(["aws-cdk-lib", "constructs"]);
});

/** Digests of the CDK: eight digits at the end of a logical id. */
const withoutDigests = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(/(?<=[A-Za-z])[0-9A-F]{8}(?=")/g, ""));

test("the example's stacks have what others build on: data and outputs", () => {
  const found = ["School", "PullRequest"].map((stack) => {
    const { Resources, Outputs } = templateOf(stack);
    const data = Object.entries(Resources).filter(([, { Type }]) =>
      ["AWS::DynamoDB::Table", "AWS::S3::Bucket"].includes(Type),
    );
    const names = data.map(([id, { DeletionPolicy }]) => [id, DeletionPolicy]);
    return withoutDigests({
      names,
      // The CDK's own output of an API.
      outputs: Object.keys(Outputs).filter((name) => !name.includes("ApiOpenApiEndpoint")),
    });
  });
  const outputs = ["LabsApiUrl", "LabsSocketsUrl", "LabsTableName", "LabsBucketName"];
  expect(found).toEqual([
    {
      names: [
        ["LabsTableState", "Retain"],
        ["LabsBucketAccessLog", "RetainExceptOnCreate"],
        ["LabsBucketData", "RetainExceptOnCreate"],
      ],
      outputs: ["LabsAlarmTopic", ...outputs, "Address"],
    },
    {
      names: [
        ["LabsTableState", "Delete"],
        ["LabsBucketData", "Delete"],
      ],
      outputs: ["LabsFirstUserCommand", ...outputs],
    },
  ]);
});

test("each function has the bundle of its name, with a handler", () => {
  const { Resources } = templateOf("School");
  const functions = Object.values(Resources).filter(
    ({ Type, Properties }) =>
      Type === "AWS::Lambda::Function" &&
      Properties.Handler === "index.handler" &&
      "Environment" in Properties,
  );
  expect(functions.length).toBeGreaterThan(15);
  for (const { Properties } of functions) {
    const { S3Key } = Properties.Code as { S3Key: string };
    const asset = join(folder, "cdk.out", `asset.${S3Key.replace(".zip", "")}`);
    expect(existsSync(join(asset, "index.mjs")), S3Key).toBe(true);
  }
  const bundles = readdirSync(join(modules, "wirelab-construct/bundles"));
  expect(bundles).toEqual(
    expect.arrayContaining(["runs-handler", "runs-guests", "authorizer-basic", "authorizer-jwt"]),
  );
  expect(existsSync(join(modules, "wirelab-construct/bundles/page-handler/page/index.html"))).toBe(true);
});

test("the package's types accept the example, and refuse a mistyped property", async () => {
  writeFileSync(
    join(folder, "typed.ts"),
    `import { Stack } from "aws-cdk-lib";
     import { Auth, Wirelab } from "wirelab-construct";
     const labs = new Wirelab(new Stack(), "Labs", { auth: Auth.jwt({ issuer: "https://a.example", audience: "b" }), quotas: { nodes: 5 }, wafRate: 500, gatewayLog: "none", concurrency: { runs: 3 } });
     export const name: string = labs.table.tableName + labs.bucket.bucketName + labs.api.url;
     // @ts-expect-error no such property
     new Wirelab(new Stack(), "Labs", { wafRat: 5 });
     // @ts-expect-error no such value
     new Wirelab(new Stack(), "Labs", { gatewayLog: "all" });
     // @ts-expect-error no such quota
     new Wirelab(new Stack(), "Labs", { quotas: { nodez: 5 } });`,
  );
  const tsc = join(ROOT, "node_modules/.bin/tsc");
  const flags = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2024"];
  const types = ["--typeRoots", join(ROOT, "node_modules/@types"), "--types", "node"];
  await inFolder(tsc, [...flags, ...types, "typed.ts"]);
}, 600_000);
