/** POST /labs/run: a lab file in, a report out. */
import { readFileSync } from "node:fs";
import { captureLab } from "@wirelab/lab/capture/capture-lab";
import { parseLabFile } from "@wirelab/lab/read/parse-lab-file";
import { toWire } from "@wirelab/lab/report/wire";
import { runLab } from "@wirelab/lab/run-lab";
import { describe, expect, test } from "vitest";
import { client } from "../helpers/service/lab.ts";

const EXAMPLE = readFileSync(new URL("../../functions/docs/page/first.lab.yaml", import.meta.url), "utf8");
const run = (raw: string | Uint8Array, query = "") => client.call("POST", `/labs/run${query}`, { raw });

describe("a lab file", () => {
  test("has the same report as in process", async () => {
    const { status, json } = await run(EXAMPLE);
    expect(status).toBe(200);
    expect(json).toEqual(JSON.parse(JSON.stringify(toWire(runLab(parseLabFile(EXAMPLE, { name: "lab" }))))));
    expect(json.status).toBe("passed");
  });

  test("may be JSON, may fail, and takes a seed; no project is stored", async () => {
    const before = (await client.get("/projects")).json;
    const lab = {
      nodes: { a: "10.0.0.1/24", b: "10.0.0.2/24" },
      links: ["a -- b"],
      expect: [{ "not reach": "a -> b" }],
    };
    const { status, json } = await run(JSON.stringify(lab), "?seed=seven");
    expect({ status, json }).toMatchObject({
      status: 200,
      json: {
        status: "failed",
        seed: "seven",
        verdicts: [{ status: "failed", got: "a reply after 400µs" }],
      },
    });
    expect((await client.get("/projects")).json).toEqual(before);
  });

  test("has captures at URLs that need no credentials, of what failed or of the lab", async () => {
    const text =
      "nodes: {a: 10.0.0.1/24, b: 10.0.0.2/24}\nlinks: [a -- b]\nexpect: [{reach: a -> b}, {not reach: b -> a}]";
    const model = { ...parseLabFile(text, { name: "lab" }), seed: "7" };
    const download = async ({ url }: { url: string }) =>
      new Uint8Array(await (await fetch(url)).arrayBuffer());
    const failed = (await run(text, "?seed=7&captures=failed")).json;
    expect(failed.captures).toMatchObject([{ verdict: 1 }]);
    expect(await download(failed.captures[0])).toEqual(
      captureLab(model, { expectation: model.expectations[1] }),
    );
    const whole = (await run(text, "?seed=7&captures=lab")).json;
    expect(whole.captures).toMatchObject([{ verdict: null, bytes: captureLab(model).length }]);
    expect(await download(whole.captures[0])).toEqual(captureLab(model));
    expect((await run(EXAMPLE, "?captures=failed")).json.captures).toEqual([]);
  });

  test("is played with failed links and nodes", async () => {
    const text =
      "nodes: {a: 10.0.0.1/24, b: 10.0.0.2/24, c: 10.0.0.3/24, s: switch}\nlinks: [a -- s, {link: b -- s, name: 'w,x'}, c -- s]\n" +
      "expect: [{reach: a -> b}, {reach: a -> c}]";
    const played = async (fail: string) =>
      (await run(text, `?fail=${encodeURIComponent(fail)}`)).json.verdicts.map(
        ({ status }: { status: string }) => status,
      );
    expect(await played("link:w,x")).toEqual(["failed", "passed"]);
    expect(await played("link:w,x,node:c")).toEqual(["failed", "failed"]);
    expect((await run(text, "?fail=link:z")).json.errors).toEqual([
      {
        path: "query.fail",
        message: 'names no link or node of the lab: "link:z"; write link:NAME or node:NAME',
      },
    ]);
  });

  test("that is a storm ends at its limit, undecided", async () => {
    const storm =
      "nodes: {a: 10.0.0.1/24, s: switch, t: switch}\nlinks: [a -- s, s -- t, s -- t]\nlimits: {events: 5000}\nexpect: [loop: true, {reach: a -> 10.0.0.9}]";
    const { json } = await run(storm);
    expect(json).toMatchObject({
      status: "undecided",
      limit: "events",
      loop: ["s", "t"],
      verdicts: [{ status: "passed" }, { status: "undecided" }],
    });
  });
});

describe("a request that is refused", () => {
  test.each([
    [
      "a mistake in the file",
      "nodes: {a: pc}\nlinks: [a -- b]",
      "body:2:9",
      'links[0] names no node: "b". Did you mean "a"?',
    ],
    ["a file that is not YAML", "nodes: {a", "body:1:10", "is not YAML"],
    [
      "a file that names others",
      "topology: x.clab.yml",
      "body:1:1",
      "topology cannot be used: no files are available here",
    ],
    [
      "a pattern",
      "nodes: {a: pc}\nexpect: [{console: a, matches: x}]",
      "body:2:10",
      "matches is not available in the service; use contains",
    ],
    [
      "an alias without an anchor",
      "nodes: {a: *x}",
      "body:1:12",
      "has an alias without an anchor before it: *x.",
    ],
    [
      "more probes than a file may ask for",
      `nodes: {${Array.from({ length: 400 }, (_, index) => `p${index}: pc`)}}\nexpect: [{reach: all}]`,
      "body:2:11",
      "expect[0].reach makes 159600 probes; the limit is 100000.",
    ],
    ["an empty body", "", "body", "has no nodes"],
  ])("names %s", async (_what, text, path, message) => {
    const { status, json } = await run(text);
    expect({ status, json }).toMatchObject({
      status: 400,
      json: {
        code: "request.invalid",
        errors: [{ path: expect.stringContaining(path), message: expect.stringContaining(message) }],
      },
    });
  });

  test("names bytes that are no text", async () => {
    const { json } = await run(Uint8Array.of(0xff, 0xfe, 0x00));
    expect(json).toMatchObject({
      code: "request.invalid",
      errors: [{ path: "body", message: "is not UTF-8" }],
    });
  });

  test("names the limit of nodes", async () => {
    const nodes = Array.from({ length: 1_201 }, (_, index) => `p${index}: pc`).join(", ");
    const { json } = await run(`nodes: {${nodes}}`);
    expect(json).toMatchObject({ errors: [{ path: "body.nodes", message: "has 1201; the limit is 1200" }] });
  });

  test("has at most 256 KiB", async () => {
    expect((await run(`name: ${"x".repeat(262_145)}`)).status).toBe(413);
  });
});
