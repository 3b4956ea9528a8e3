/** docs/settings.md has every setting that the code reads, and no other. */
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { QUOTAS, RUN_LIMITS, SWEEPS } from "../../functions/shared/edge/figures.ts";
import { SETTINGS } from "../../infra/settings.ts";

const ROOT = new URL("../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), "utf8");
const PAGE = read("docs/settings.md");

const sources = (folder: string): string[] =>
  readdirSync(new URL(folder, ROOT), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => read(`${folder}/${file}`));

const INFRA = readdirSync(new URL("infra", ROOT), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.startsWith("settings"))
  .map((file) => read(`infra/${file}`))
  .join();

test("every setting is read: by the stack, or by functions", () => {
  const functions = sources("functions")
    .filter((text) => !text.includes("export const QUOTAS"))
    .join();
  for (const key of Object.keys(SETTINGS)) {
    // Throttles, concurrencies and quotas of followers are read by the prefix of their keys.
    const prefix = /^(throttle(_\w+)?|concurrency|quota_followed)_/.exec(key)?.[1];
    const names = prefix === undefined ? [`"${key}"`] : [`"${prefix}"`, `\`${prefix}_$`];
    const readers =
      key in { ...QUOTAS, ...RUN_LIMITS, ...SWEEPS } || /^linux_max_(guests|memory|state)/.test(key)
        ? functions
        : INFRA;
    expect(
      names.some((name) => readers.includes(name)),
      key,
    ).toBe(true);
  }
});

/** Variables of functions: the stack sets them, or Lambda does. */
const OF_THE_STACK =
  /^(SWEEPS_METRIC|HELPER_(STACK|TYPE|TEMPLATE|HIBERNATION)|TABLE_NAME|PROJECTS_INDEX|BUCKET_NAME|METRICS_NAMESPACE|SOCKETS_(ENDPOINT|URL)|PAGE_HOST|COMPUTE_LOOPBACK|COMPUTE_SECRETS(_KEY)?|CONSOLE_PACE|AUTH_MODE|INTERFACE_VERSION|CORS_ORIGINS|IAM_ROLE|JWT_\w+|QUOTA_\w+|RUNS?_\w+|ABANDONED_CAPTURE_DAYS|(AWS_)?LAMBDA_\w+)$/;
/** The SDK's own, of which the page speaks as such. */
const OF_THE_SDK = /^AWS_(ACCESS_KEY_ID|SECRET_ACCESS_KEY|REGION|ENDPOINT_URL_EC2)$/;
const OTHERS = /^(PATH|GITHUB_RUN_ID|GITHUB_ACTIONS|npm_\w+)$/;

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

test("links between the pages, and into them, lead somewhere", () => {
  const slug = (heading: string): string =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, "")
      .replaceAll(" ", "-");
  const files = globSync(
    ["*.md", "docs/**/*.md", "{functions,infra,packages,page,test,examples}/**/README.md"],
    { cwd: ROOT.pathname, exclude: ["**/node_modules/**"] },
  );
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
