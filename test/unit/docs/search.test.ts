/** The API page's search. Swagger UI calls it with Immutable.js maps; these tests use maps with the same few methods. */
import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { EXAMPLES } from "../../../functions/docs/examples.ts";
import { GROUPS } from "../../../functions/routes.ts";
import { makeOpenApi } from "../../../functions/shared/edge/openapi.ts";

const SCRIPT = readFileSync(new URL("../../../functions/docs/page/start.js", import.meta.url), "utf8");
const { paths, tags } = makeOpenApi(GROUPS, EXAMPLES);

/** A subset of an Immutable.js map. */
class Fields {
  readonly #fields: Readonly<Record<string, unknown>>;
  constructor(fields: Readonly<Record<string, unknown>>) {
    this.#fields = fields;
  }
  get = (name: string) => this.#fields[name];
  getIn = ([name, inner]: [string, string]) => (this.#fields[name] as Record<string, unknown>)[inner];
  update = (name: string, change: (value: unknown) => unknown) =>
    new Fields({ ...this.#fields, [name]: change(this.#fields[name]) });
}

/** A subset of an Immutable.js list or ordered map. */
class Entries {
  readonly #entries: readonly (readonly [string, Fields])[];
  constructor(entries: readonly (readonly [string, Fields])[]) {
    this.#entries = entries;
  }
  get size() {
    return this.#entries.length;
  }
  get values() {
    return this.#entries.map(([, value]) => value);
  }
  map = (change: (value: Fields, key: string) => Fields) =>
    new Entries(this.#entries.map(([key, value]) => [key, change(value, key)]));
  filter = (keep: (value: Fields) => boolean) =>
    new Entries(this.#entries.filter(([, value]) => keep(value)));
}

const taggedOperations = new Entries(
  tags.map(({ name: tag }) => {
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, operation]) => operation.tags.includes(tag))
        .map(([method, operation]) => [path, new Fields({ path, method, operation })] as const),
    );
    return [tag, new Fields({ operations: new Entries(operations) })] as const;
  }),
);

type Filter = (operations: Entries, phrase: string) => Entries;

/** The filter that the script passes to Swagger UI. */
function filterOfPage(): Filter {
  let found: Filter | undefined;
  const SwaggerUIBundle = ({ plugins: [plugin] }: { plugins: ((system: object) => never)[] }) => {
    found = (plugin!({ React: {} }) as { fn: { opsFilter: Filter } }).fn.opsFilter;
  };
  runInNewContext(SCRIPT, { SwaggerUIBundle });
  return found!;
}

const find = (phrase: string): unknown[] =>
  filterOfPage()(taggedOperations, phrase).values.flatMap((tag) =>
    (tag.get("operations") as Entries).values.map((entry) => entry.getIn(["operation", "operationId"])),
  );

test.each([
  ["an operation id in any case", "UPDATEsimvm", ["updateSimVm"]],
  ["a part of a path", "mac_table", ["getMacTable"]],
  ["words of a summary, in any order", "console commands", ["runConsole"]],
  ["a method and a part of a path", "delete captures/", ["deleteCapture"]],
  ["a tag", "version", ["getVersion", "checkVersion", "getLocalVersion"]],
  ["nothing", "no such thing", []],
])("finds %s", (_what, phrase, operations) => {
  expect(find(phrase)).toEqual(operations);
});

test("an empty phrase leaves all operations", () => {
  expect(find(" ")).toHaveLength(Object.values(paths).flatMap((methods) => Object.keys(methods)).length);
});
