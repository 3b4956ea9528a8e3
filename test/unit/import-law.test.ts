/** Imports point down only (docs/design.md): this test reads every import and holds each room to it, down to files. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { APART, GROUP, GROUPS, ORDERS, ROOMS } from "../helpers/rooms/law.ts";

const ROOT = new URL("../..", import.meta.url).pathname;
const FILES = globSync(["functions/**/*.ts", "infra/**/*.ts", "packages/**/*.ts", "page/src/**/*.{ts,tsx}"], {
  cwd: ROOT,
  exclude: ["**/node_modules/**"],
});

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
    return { from: file, target: targetOf(file, specifier), typeOnly: type !== undefined };
  });
}

function targetOf(file: string, specifier: string): string {
  if (specifier.startsWith(".")) return relative(ROOT, join(ROOT, dirname(file), specifier));
  const [, room, path] = /^@wirelab\/(engine|lab|linux)\/(.*)$/.exec(specifier) ?? [];
  return room === undefined ? specifier : `packages/${room}/${path}.ts`;
}

/** Files that other packages import, by package. Tests import inner files by their paths. */
test.each(["engine", "lab", "linux"])(
  "packages/%s exports the files that others import, and no others",
  (name) => {
    const folder = `packages/${name}/`;
    const used = IMPORTS.filter(({ from, target }) => target.startsWith(folder) && !from.startsWith(folder));
    const files = new Set(used.map(({ target }) => `./${target.slice(folder.length)}`));
    const { exports } = JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8"));
    expect(exports).toEqual(
      Object.fromEntries([...files].toSorted().map((file) => [file.replace(/\.ts$/, ""), file])),
    );
  },
);

/** The room of a file: `engine`, `wirelab`, `store`, `run`, `node`, `edge`, `schemas`, `infra`, or the folder of a function. */
function roomOf(path: string): string {
  const [top, second, third] = path.split("/");
  if (top === "packages") return second!;
  if (top === "page") return "page/src";
  if (top !== "functions") return top!;
  if (second === "shared") return third!;
  return second!.endsWith(".ts") ? "functions" : second!;
}

/** Packages that compute and do nothing else. */
const PURE_PACKAGES = /^@noble\/hashes\//;
const isLocal = ({ target }: Import): boolean => /^(functions|infra|packages|page|test)\//.test(target);
const shown = (imports: readonly Import[]): string[] =>
  imports.map(({ from, target }) => `${from} imports ${target}`);

/** What the files of a room may import beside the room's own. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(ROOMS).flatMap(([room, { mayImport }]) => {
    const allowed = mayImport.flatMap((name) => (name === GROUP ? GROUPS : [name]));
    return (room === GROUP ? GROUPS : [room]).map((name) => [name, allowed] as const);
  }),
);

const USERS = "packages/wirelab/users.ts";

/** Imports of single files that the table does not allow. */
const EXCEPTIONS: readonly { readonly from: RegExp; readonly target: RegExp; readonly typeOnly?: true }[] = [
  // What is known of a node type stands once.
  {
    from: /^functions\/shared\/schemas\/(node|router-image)\.ts$/,
    target: /^packages\/engine\/devices\/(find-kind|kinds)\.ts$/,
  },
  // The simulation's state is stored as it is.
  { from: /^functions\/shared\/store\//, target: /^packages\/engine\//, typeOnly: true },
  // The page gets the types of the service, and none of its code.
  {
    from: /^page\/src\//,
    target: /^functions\/(shared\/schemas\/.*|page\/sign-in-way)\.ts$/,
    typeOnly: true,
  },
  // The OpenAPI document has the routes of all groups.
  { from: /^functions\/docs\//, target: /^functions\/routes\.ts$/ },
  {
    from: new RegExp(`^${USERS}$`),
    target:
      /^functions\/shared\/(store\/(user\/(user|password|sign-in)|base\/stack-outputs)|edge\/(principal|password-rules|namespace))\.ts$/,
  },
  // The command refuses a name before it sends it.
  {
    from: /^packages\/wirelab\/namespace\.ts$/,
    target: /^functions\/shared\/schemas\/namespace-name\.ts$/,
  },
  {
    from: /^packages\/wirelab\/image-bucket\.ts$/,
    target: /^functions\/shared\/store\/(lab\/linux-images|base\/stack-outputs)\.ts$/,
  },
  // The function `guests`, which no other bundle is to contain.
  { from: /^functions\/runs\/(lab-guests|with-file-guests|guest-image)\.ts$/, target: /^packages\/linux\// },
  // A sweep is refused before it begins if the service does not have an image.
  {
    from: /^functions\/shared\/lab-file\/guest-images\.ts$/,
    target: /^packages\/linux\/image\/image\.ts$/,
  },
  // The function `guests` also carries on consoles whose lines run a lab with Linux nodes.
  { from: /^functions\/runs\/(guests|type-on-console)\.ts$/, target: /^functions\/shared\/console\// },
  // A project that starts its nodes starts those on registered computes, too.
  {
    from: /^functions\/shared\/run\/(start-everything|move-and-start)\.ts$/,
    target: /^functions\/shared\/compute\/(nodes|move)\.ts$/,
  },
  // The local service has the images that the command `image` has built.
  { from: /^infra\/local\/local-stack\.ts$/, target: /^packages\/linux\/image\/image\.ts$/ },
  // The local service has the telnet ports of the command `proxy`.
  {
    from: /^infra\/local\/telnet-ports\.ts$/,
    target: /^packages\/wirelab\/(service\/service|telnet\/console-ports)\.ts$/,
  },
  // Mistyped settings are found as mistyped keys of a lab file are.
  { from: /^infra\/nearest\.ts$/, target: /^packages\/lab\/file\/edit-distance\.ts$/ },
  // The package names the Node.js that its command checks.
  { from: /^infra\/package\/build\.ts$/, target: /^packages\/wirelab\/node-version\.cjs$/ },
  // Streams are read with the same signatures as other calls of the wire.
  {
    from: /^infra\/local\/streams-client\.ts$/,
    target: /^functions\/shared\/store\/base\/signed-post\.ts$/,
  },
  {
    from: /^infra\//,
    target:
      /^functions\/(routes|docs\/examples|publisher\/sources|shared\/edge\/(bundle-hash|figures|route|path-template|openapi|password-rules))\.ts$/,
  },
];

const isAllowed = ({ from, target, typeOnly }: Import): boolean =>
  roomOf(from) === roomOf(target) ||
  MAY_IMPORT[roomOf(from)]?.includes(roomOf(target)) === true ||
  EXCEPTIONS.some(
    (exception) =>
      exception.from.test(from) && exception.target.test(target) && (typeOnly || !exception.typeOnly),
  );

describe("the import law", () => {
  test("every room has a line in the table, and imports to look at", () => {
    const rooms = new Set(FILES.map(roomOf));
    expect([...rooms].toSorted()).toEqual(Object.keys(MAY_IMPORT).toSorted());
  });

  test("each file imports only what its room may", () => {
    expect(shown(IMPORTS.filter(isLocal).filter((each) => !isAllowed(each)))).toEqual([]);
  });

  test.each(Object.entries(ORDERS))("the rooms of %s import only rooms before them", (folder, order) => {
    const rankOf = (path: string): number => {
      const [room, ...rest] = relative(folder, path).split("/");
      return rest.length === 0 ? order.length : order.indexOf(room!);
    };
    const isInside = (path: string): boolean => path.startsWith(`${folder}/`) && /\.tsx?$/.test(path);
    const paths = FILES.filter(isInside).map((path) => relative(folder, path).split("/"));
    const rooms = new Set(paths.flatMap(([room, ...rest]) => (rest.length === 0 ? [] : [room!])));
    expect([...rooms].toSorted()).toEqual(order.toSorted());
    const inside = IMPORTS.filter(({ from, target }) => isInside(from) && isInside(target));
    expect(inside.length).toBeGreaterThan(order.length);
    const wrong = inside.filter(
      ({ from, target }) =>
        rankOf(target) > rankOf(from) || (rankOf(target) === order.length && rankOf(from) < order.length),
    );
    expect(shown(wrong)).toEqual([]);
  });

  test.each(Object.entries(APART))("the rooms of %s know nothing of each other", (folder, shared) => {
    const roomIn = (path: string): string | undefined => {
      const [room, ...rest] = relative(folder, path).split("/");
      return path.startsWith(`${folder}/`) && rest.length > 0 ? room : undefined;
    };
    expect(new Set(FILES.map(roomIn)).size).toBeGreaterThan(shared.length + 2);
    const wrong = IMPORTS.filter(({ from, target }) => {
      const [own, other] = [roomIn(from), roomIn(target)];
      return own && other && own !== other && !shared.includes(other);
    });
    expect(shown(wrong)).toEqual([]);
  });

  test.each(["packages/engine", "packages/lab", "packages/linux", "functions/shared"])(
    "no two rooms of %s import each other",
    (folder) => {
      const roomIn = (path: string): string | undefined => {
        const [room, ...rest] = relative(folder, path).split("/");
        return path.startsWith(`${folder}/`) && rest.length > 0 ? room : undefined;
      };
      const arrows = new Set(
        IMPORTS.flatMap(({ from, target }) => {
          const [above, below] = [roomIn(from), roomIn(target)];
          return above && below && above !== below ? [`${above} imports ${below}`] : [];
        }),
      );
      expect(arrows.size).toBeGreaterThan(1);
      const mutual = [...arrows].filter((arrow) =>
        arrows.has(arrow.split(" imports ").toReversed().join(" imports ")),
      );
      expect(mutual.toSorted()).toEqual([]);
    },
  );

  test("the engine imports no package but pure ones", () => {
    const packages = IMPORTS.filter((each) => roomOf(each.from) === "engine" && !isLocal(each));
    expect(shown(packages.filter(({ target }) => !PURE_PACKAGES.test(target)))).toEqual([]);
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
        !/^infra\/(deploy\/|local\/|janitor\/|stand-ins\/|copy-table\.ts$)/.test(from)
      );
    });
    expect(shown(sdk)).toEqual([]);
  });

  test("no other command loads the one for users, and the SDK with it", () => {
    const users = IMPORTS.filter(({ target }) => target === "packages/wirelab/users.ts");
    expect(shown(users)).toEqual(["packages/wirelab/main.ts imports packages/wirelab/users.ts"]);
    expect(readFileSync(join(ROOT, "packages/wirelab/main.ts"), "utf8")).toContain('import("./users.ts")');
  });

  test("only the authorizer and the service's own tokens use the library for tokens, and only the users of the store see to passwords", () => {
    const tokens = IMPORTS.filter(({ from, target }) => target === "jose" && roomOf(from) !== "authorizer");
    expect(shown(tokens)).toEqual(["functions/shared/edge/session-token.ts imports jose"]);
    const passwords = IMPORTS.filter(
      ({ target }) => target === "functions/shared/store/user/password.ts",
    ).filter(({ from }) => !["authorizer", "store", "wirelab"].includes(roomOf(from)));
    expect(shown(passwords)).toEqual([]);
  });

  test("declarations of routes import schemas only", () => {
    const wrong = IMPORTS.filter(({ from }) => /^functions\/\w+\/routes\.ts$/.test(from)).filter(
      ({ target }) => target !== "zod/mini" && !["edge", "schemas"].includes(roomOf(target)),
    );
    expect(shown(wrong)).toEqual([]);
  });

  test("no file imports itself by way of others", () => {
    expect(circles(IMPORTS.filter(isLocal))).toEqual([]);
  });

  test("no file outside the tests imports one of them", () => {
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
