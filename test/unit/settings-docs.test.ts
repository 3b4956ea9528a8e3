/** docs/settings.md has every setting that the code reads, and no other. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ACCESS } from "../../infra/access.ts";
import { CONTEXT_KEYS } from "../../infra/known-context.ts";

const ROOT = new URL("../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), "utf8");
const PAGE = read("docs/settings.md");

const sources = (folder: string): string[] =>
  readdirSync(new URL(folder, ROOT), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => read(`${folder}/${file}`));

/** Calls with which context is read, by the name of the key or the prefix of it. */
const CONTEXT = /(?:tryGetContext\(|contextFigure\([\w.]+, |contextFlag\([\w.]+, |\bread\()(["'`])([\w]+)/g;
/** Rows of tables from keys to variables. */
const ROWS = /^\s+(\w+): "(?:QUOTA|RUN|RUNS)_[A-Z_]+",$/gm;
const THROTTLES = /readThrottle\(node, "(\w+)"/g;

/** `${name}` of a template is told in the page as `<function>`. */
function contextKeys(): string[] {
  const texts = readdirSync(new URL("infra", ROOT))
    .filter((file) => file.endsWith(".ts"))
    .map((file) => read(`infra/${file}`));
  const found = texts.flatMap((text) => [
    ...[...text.matchAll(CONTEXT)].map(([, , key]) => key!),
    ...[...text.matchAll(ROWS)].map(([, key]) => key!),
    ...[...text.matchAll(THROTTLES)].flatMap(([, prefix]) => [`${prefix}_rate`, `${prefix}_burst`]),
  ]);
  return [...new Set(found)].map((key) => (key.endsWith("_") ? `${key}<function>` : key));
}

/** Of the first column of all rows of a section. */
const documented = (section: string): string[] => {
  const text = PAGE.split(`## ${section}\n`)[1]!.split("\n## ")[0]!;
  return [...text.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`([\w<>]+)`/g)].map(([, key]) => key!),
  );
};

test("every key of the context is on the list and on the page, and every key on either is read", () => {
  const keys = contextKeys();
  expect(keys.length).toBeGreaterThan(30);
  expect([...CONTEXT_KEYS, "concurrency_<function>"].toSorted()).toEqual(keys.toSorted());
  expect(documented("The stack").toSorted()).toEqual(keys.toSorted());
  for (const key of ["concurrency_authorizer", "concurrency_sweeper", "concurrency_runs"]) {
    expect(PAGE).toContain(`\`${key}\``);
    expect(ACCESS).toHaveProperty(key.replace("concurrency_", ""));
  }
});

/** Of functions: the stack sets them, or Lambda does. */
const OF_THE_STACK =
  /^(ADMIN_SECRET|TABLE_NAME|PROJECTS_INDEX|BUCKET_NAME|METRICS_NAMESPACE|SOCKETS_ENDPOINT|CONSOLE_PACE|AUTH_MODE|INTERFACE_VERSION|CORS_ORIGINS|IAM_ROLE|JWT_\w+|QUOTA_\w+|RUNS?_\w+|ABANDONED_CAPTURE_DAYS|AWS_LAMBDA_\w+)$/;
/** The SDK's own, of which the page speaks as such. */
const OF_THE_SDK = /^AWS_(ACCESS_KEY_ID|SECRET_ACCESS_KEY|REGION)$/;
const OTHERS = /^(PATH|GITHUB_RUN_ID|npm_\w+)$/;

test("every variable of the environment that people may set is on the page", () => {
  const texts = [
    ...["infra", "functions", "test/bench"].flatMap(sources),
    read("vitest.config.ts"),
    read("examples/ci-lab.ts"),
  ];
  const direct = texts.flatMap((text) => [...text.matchAll(/process\.env\.(\w+)/g)].map(([, name]) => name!));
  const taken = texts.flatMap((text) =>
    [...text.matchAll(/const \{([^}]+)\} = process\.env/g)].flatMap(([, names]) =>
      [...names!.matchAll(/\b([A-Z][A-Z_\d]+)\b/g)].map(([, name]) => name!),
    ),
  );
  const ours = [...new Set([...direct, ...taken])].filter(
    (name) => ![OF_THE_STACK, OF_THE_SDK, OTHERS].some((pattern) => pattern.test(name)),
  );
  expect(ours).toEqual(
    expect.arrayContaining(["HOST", "PORT", "WIRELAB_AUTH", "WIRELAB_ADMIN_PASSWORD", "WIRELAB_PASSWORD"]),
  );
  const pages = PAGE + read("docs/ci.md");
  for (const name of ours) expect(pages, name).toContain(`\`${name}\``);
});

test("what functions hear of the context, they read", () => {
  const infra = readdirSync(new URL("infra", ROOT))
    .filter((file) => file.endsWith(".ts"))
    .map((file) => read(`infra/${file}`))
    .join();
  const functions = sources("functions").join();
  const told = [...infra.matchAll(/: "((?:QUOTA|RUN|RUNS)_[A-Z_]+)"/g)].map(([, name]) => name!);
  expect(told.length).toBeGreaterThan(10);
  for (const name of told) expect(functions, name).toContain(`"${name}"`);
});

test("links between the pages, and into them, lead somewhere", () => {
  const slug = (heading: string): string =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, "")
      .replaceAll(" ", "-");
  const files = [
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    ...readdirSync(new URL("docs", ROOT))
      .filter((file) => file.endsWith(".md"))
      .map((file) => `docs/${file}`),
  ];
  for (const file of files) {
    for (const [, target, anchor] of read(file).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)) {
      const place = new URL(target || file.split("/").at(-1)!, new URL(file, ROOT));
      expect(existsSync(place), `${file}: ${target}`).toBe(true);
      if (anchor === undefined) continue;
      const text = readFileSync(place, "utf8");
      const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => slug(heading!));
      expect(headings, `${file}: ${target}#${anchor}`).toContain(anchor);
    }
  }
});
