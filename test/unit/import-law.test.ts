/** Imports point down only (docs/design.md): this test reads every import and holds them to it. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = new URL("../..", import.meta.url).pathname;
const FILES = globSync(["functions/**/*.ts", "infra/**/*.ts"], { cwd: ROOT });

interface Import {
  readonly from: string;
  /** A path below the root, or the name of a package. */
  readonly target: string;
  readonly typeOnly: boolean;
}

const IMPORTS = FILES.flatMap(importsOf);

/** Static and dynamic imports and re-exports, as they are written. */
function importsOf(file: string): Import[] {
  const text = readFileSync(join(ROOT, file), "utf8").replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  const statements = text.matchAll(
    /\b(import|export)\b(\s+type)?[^"';]*?\bfrom\s*"([^"]+)"|\bimport\s*\(?\s*"([^"]+)"/g,
  );
  return [...statements].map(([, , type, from, bare]) => {
    const specifier = (from ?? bare)!;
    const target = specifier.startsWith(".")
      ? relative(ROOT, join(ROOT, dirname(file), specifier))
      : specifier;
    return { from: file, target, typeOnly: type !== undefined };
  });
}

/** The room of a file: `engine`, `store`, `api`, `infra`, or the route group. */
function roomOf(path: string): string {
  const [top, second] = path.split("/");
  if (top === "functions") return second!.endsWith(".ts") ? "functions" : second!;
  return top!;
}

const isLocal = ({ target }: Import): boolean => /^(functions|infra|test)\//.test(target);
const GROUPS = globSync("functions/*/routes.ts", { cwd: ROOT }).map((file) => file.split("/")[1]!);
const shown = (imports: readonly Import[]): string[] =>
  imports.map(({ from, target }) => `${from} imports ${target}`);

describe("the import law", () => {
  test("there are imports to look at, in every room", () => {
    const rooms = new Set(IMPORTS.map(({ from }) => roomOf(from)));
    for (const room of ["engine", "store", "api", "infra", ...GROUPS]) expect(rooms).toContain(room);
  });

  test("the engine imports nothing outside itself", () => {
    const outside = IMPORTS.filter(
      ({ from, target }) => roomOf(from) === "engine" && roomOf(target) !== "engine",
    );
    expect(shown(outside)).toEqual([]);
  });

  test("the engine has no clock, no chance of its own and nothing of Node's", () => {
    const impure = /\b(Date|Math\.random|performance|process|Buffer|crypto|setTimeout|setInterval|fetch)\b/;
    const found = FILES.filter((file) => roomOf(file) === "engine").flatMap((file) => {
      const code = readFileSync(join(ROOT, file), "utf8").replaceAll(
        /\/\*[\s\S]*?\*\/|\/\/.*$|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/gm,
        "",
      );
      const match = impure.exec(code);
      return match ? [`${file} uses ${match[0]}`] : [];
    });
    expect(found).toEqual([]);
  });

  test("only the store imports the SDK", () => {
    const sdk = IMPORTS.filter(({ from, target }) => {
      const room = roomOf(from);
      return (
        /^(@aws-sdk|dynamodb-toolbox)/.test(target) &&
        room !== "store" &&
        !/^infra\/(local\/|stand-ins\/|copy-table\.ts$)/.test(from)
      );
    });
    expect(shown(sdk)).toEqual([]);
  });

  test("api imports no group, no store and no engine", () => {
    const wrong = IMPORTS.filter(isLocal).filter(
      ({ from, target }) => roomOf(from) === "api" && roomOf(target) !== "api",
    );
    expect(shown(wrong)).toEqual([]);
  });

  test("the store imports api and itself only, and the engine's types", () => {
    const wrong = IMPORTS.filter(isLocal)
      .filter(({ from, target }) => roomOf(from) === "store" && !["api", "store"].includes(roomOf(target)))
      .filter(({ target, typeOnly }) => !(roomOf(target) === "engine" && typeOnly));
    expect(shown(wrong)).toEqual([]);
  });

  test("the lab, which runs labs for the groups, imports api, store, engine and itself only", () => {
    const own = IMPORTS.filter(({ from }) => roomOf(from) === "lab");
    expect(own.length).toBeGreaterThan(0);
    const wrong = own
      .filter(isLocal)
      .filter(({ target }) => !["lab", "api", "store", "engine"].includes(roomOf(target)));
    expect(shown(wrong)).toEqual([]);
  });

  test("a group never imports another group; the docs alone see all declarations", () => {
    const wrong = IMPORTS.filter(isLocal).filter(({ from, target }) => {
      const room = roomOf(from);
      if (!GROUPS.includes(room)) return false;
      if (room === "docs" && target === "functions/routes.ts") return false;
      return ![room, "api", "store", "lab", "engine"].includes(roomOf(target));
    });
    expect(shown(wrong)).toEqual([]);
  });

  test("the sweeper, which no route calls, imports api, store, engine and itself only", () => {
    const own = IMPORTS.filter(({ from }) => roomOf(from) === "sweeper");
    expect(own.length).toBeGreaterThan(0);
    const wrong = own
      .filter(isLocal)
      .filter(({ target }) => !["sweeper", "api", "store", "engine"].includes(roomOf(target)));
    expect(shown(wrong)).toEqual([]);
  });

  test("the command line imports the engine and itself only; its command for users alone has the store", () => {
    const own = IMPORTS.filter(({ from }) => roomOf(from) === "cli");
    expect(own.length).toBeGreaterThan(0);
    const users = [
      "functions/store/user.ts",
      "functions/store/password.ts",
      "functions/store/sign-in.ts",
      "functions/store/stack-outputs.ts",
    ];
    const wrong = own
      .filter(isLocal)
      .filter(({ target }) => !["cli", "engine"].includes(roomOf(target)))
      .filter(
        ({ from, target }) =>
          from !== "functions/cli/users.ts" ||
          ![...users, "functions/api/principal.ts", "functions/api/password-rules.ts"].includes(target),
      );
    expect(shown(wrong)).toEqual([]);
  });

  test("no other command loads the one for users, and the SDK with it", () => {
    const users = IMPORTS.filter(({ target }) => target === "functions/cli/users.ts");
    expect(shown(users)).toEqual(["functions/cli/main.ts imports functions/cli/users.ts"]);
    expect(readFileSync(join(ROOT, "functions/cli/main.ts"), "utf8")).toContain('import("./users.ts")');
  });

  test("the authorizer imports api, store and itself only, and nobody imports it", () => {
    const own = IMPORTS.filter(({ from }) => roomOf(from) === "authorizer");
    expect(own.length).toBeGreaterThan(0);
    const wrong = own
      .filter(isLocal)
      .filter(({ target }) => !["authorizer", "api", "store"].includes(roomOf(target)));
    expect(shown(wrong)).toEqual([]);
    const strangers = IMPORTS.filter(isLocal).filter(
      ({ from, target }) => roomOf(target) === "authorizer" && roomOf(from) !== "authorizer",
    );
    expect(shown(strangers)).toEqual([]);
  });

  test("only the authorizer reads tokens, and only the users of the store see to passwords", () => {
    const tokens = IMPORTS.filter(({ from, target }) => target === "jose" && roomOf(from) !== "authorizer");
    expect(shown(tokens)).toEqual([]);
    const passwords = IMPORTS.filter(({ target }) => target === "functions/store/password.ts").filter(
      ({ from }) => !["authorizer", "store", "cli"].includes(roomOf(from)),
    );
    expect(shown(passwords)).toEqual([]);
  });

  test("declarations of routes import schemas only", () => {
    const wrong = IMPORTS.filter(({ from }) => /^functions\/\w+\/routes\.ts$/.test(from)).filter(
      ({ target }) => target !== "zod/mini" && roomOf(target) !== "api",
    );
    expect(shown(wrong)).toEqual([]);
  });

  test("infra imports of the functions only declarations of routes, examples, and the rules for the first password", () => {
    const wrong = IMPORTS.filter(isLocal).filter(
      ({ from, target }) =>
        from.startsWith("infra/") &&
        target.startsWith("functions/") &&
        ![
          "functions/routes.ts",
          "functions/api/route.ts",
          "functions/api/openapi.ts",
          "functions/api/password-rules.ts",
          "functions/docs/examples.ts",
        ].includes(target),
    );
    expect(shown(wrong)).toEqual([]);
  });

  test("no file imports itself by way of others", () => {
    expect(circles(IMPORTS.filter(isLocal))).toEqual([]);
  });

  test("nothing imports a test", () => {
    expect(shown(IMPORTS.filter(({ target }) => target.startsWith("test/")))).toEqual([]);
  });
});

/** Circles among files, each as its sorted members (Tarjan's strongly connected components). */
function circles(imports: readonly Import[]): string[][] {
  const next = Map.groupBy(imports, ({ from }) => from);
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): void => {
    index.set(file, index.size);
    low.set(file, index.get(file)!);
    stack.push(file);
    for (const { target } of next.get(file) ?? []) {
      if (!index.has(target)) visit(target);
      if (stack.includes(target)) low.set(file, Math.min(low.get(file)!, low.get(target)!));
    }
    if (low.get(file) !== index.get(file)) return;
    const members = stack.splice(stack.indexOf(file));
    if (members.length > 1) found.push(members.sort());
  };
  for (const file of next.keys()) if (!index.has(file)) visit(file);
  return found;
}
