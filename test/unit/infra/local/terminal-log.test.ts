import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { makeTerminalLog } from "../../../../infra/local/terminal-log.ts";

const fault = (message: string, id: string): string =>
  JSON.stringify({
    level: "ERROR",
    message: "fault",
    correlation_id: id,
    route: "projects.createProject",
    error: {
      name: "ApiError",
      message: "Storage is temporarily unavailable; try again",
      stack: "ApiError: Storage ...\n    at file:///somewhere:1",
      code: "store.unavailable",
      status: 503,
      cause: { name: "TimeoutError", message: `${message}\nand more`, stack: "TimeoutError: ...\n    at" },
    },
  });

let printed: string[];
beforeEach(() => {
  vi.useFakeTimers();
  printed = [];
});
afterEach(() => vi.useRealTimers());

const makeLog = (all?: (line: string) => void) => makeTerminalLog((line) => printed.push(line), all);

describe("the log on the terminal", () => {
  it("has one line for an error, with its cause and the request, and without stack traces", () => {
    makeLog()("error", fault("no answer", "r1"), "wirelab-projects");

    expect(printed).toEqual([
      "projects.createProject: 503 store.unavailable: Storage is temporarily unavailable; try again " +
        "(TimeoutError: no answer) (request r1)",
    ]);
  });

  it("counts errors of the same kind that follow, and reports their number", () => {
    const log = makeLog();
    for (let request = 0; request < 180; request++) log("error", fault("no answer", `r${request}`), "f");
    log("error", fault("refused", "other"), "f");
    expect(printed).toHaveLength(2);

    vi.runAllTimers();
    expect(printed.slice(2)).toEqual([
      expect.stringMatching(/^projects\.createProject: .* \(179 more in 5 s\)$/),
    ]);

    log("error", fault("no answer", "later"), "f");
    expect(printed.at(-1)).toContain("(request later)");
  });

  it("has only the first line of an error without a code", () => {
    const error = { name: "TypeError", message: "x is not a function\nat all", stack: "..." };
    makeLog()("error", JSON.stringify({ message: "fault", route: "nodes.getNode", error }), "f");

    expect(printed).toEqual(["nodes.getNode: TypeError: x is not a function"]);
  });

  it("has errors that are not JSON unchanged, and no other lines", () => {
    const log = makeLog();
    log("error", "SyntaxError: Unexpected token", "wirelab-nodes");
    log("info", JSON.stringify({ message: "request" }), "wirelab-nodes");

    expect(printed).toEqual(["wirelab-nodes: SyntaxError: Unexpected token"]);
  });

  it("has every line in full if all are requested", () => {
    const all: string[] = [];
    const log = makeLog((line) => all.push(line));
    log("info", '{"message":"request"}', "wirelab-nodes");
    log("error", fault("no answer", "r1"), "wirelab-nodes");

    expect(all).toEqual([
      'wirelab-nodes: {"message":"request"}',
      `wirelab-nodes: ${fault("no answer", "r1")}`,
    ]);
    expect(printed).toEqual([]);
  });
});
