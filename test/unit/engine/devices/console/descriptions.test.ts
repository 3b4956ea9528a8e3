/** Every word that `?` can list has a description. */

import { parseRouterProperties, type RouterConfig } from "@wirelab/engine/devices/router/index";
import { describe, expect, it } from "vitest";
import type { Described } from "../../../../../packages/engine/devices/console/assist.ts";
import type { CommandSpec } from "../../../../../packages/engine/devices/console/command.ts";
import {
  follow,
  type Next,
  parseSyntax,
  type Token,
} from "../../../../../packages/engine/devices/console/syntax.ts";
import { ROUTER_COMMANDS } from "../../../../../packages/engine/devices/router/shell/commands.ts";
import { modeOf } from "../../../../../packages/engine/devices/router/shell/configuration-mode.ts";
import { routerWords } from "../../../../../packages/engine/devices/router/shell/words.ts";
import { SERVER_COMMANDS } from "../../../../../packages/engine/devices/server/commands.ts";
import { serverWords } from "../../../../../packages/engine/devices/server/words.ts";

/** The tokens of a form, each once, with the words before. */
function tokensOf(next: Next, before: readonly string[] = [], seen = new Set<Token>()): [Token, string][] {
  return follow(next).tokens.flatMap((token) => {
    if (seen.has(token)) return [];
    seen.add(token);
    const path = [...before, token.text];
    return [[token, path.join(" ")] as [Token, string], ...tokensOf(token.next, path, seen)];
  });
}

function undescribed<T>(commands: readonly CommandSpec<T>[], { values, keywords }: Described): string[] {
  const missing = commands.flatMap((command) =>
    tokensOf(parseSyntax(`${command.head} ${command.syntax ?? ""}`)).flatMap(([{ text, isValue }, path]) => {
      if (isValue) return values[text] === undefined ? [text] : [];
      const isKnown = path === command.head || command.words?.[text] !== undefined || text in keywords;
      return isKnown ? [] : [text];
    }),
  );
  return [...new Set(missing)];
}

function parsed(properties: unknown): RouterConfig {
  const result = parseRouterProperties(properties);
  if (!result.ok) throw new Error("bad properties");
  return result.config;
}

describe("the words of commands", () => {
  it("have descriptions on a router", () => {
    expect(undescribed(ROUTER_COMMANDS, routerWords({ ports: [], routes: [] }))).toEqual([]);
  });

  it.each([
    { kind: "config" },
    { kind: "interface", name: "a" },
    { kind: "rip" },
    { kind: "ospf" },
    { kind: "route-map", name: "A", seq: 10 },
    { kind: "bgp" },
    { kind: "bgp-ipv4" },
    { kind: "bfd" },
    { kind: "bfd profile", name: "fast" },
    { kind: "bfd peer", name: "10.0.0.2" },
  ] as const)("have descriptions in the mode %j", (mode) => {
    const entry = { name: "A", seq: 10, action: "permit" };
    const config = parsed({
      ports: [{ name: "a" }],
      rip: {},
      ospf: {},
      bgp: { as: 1 },
      bfd: { profiles: { fast: {} }, peers: [{ address: "10.0.0.2" }] },
      route_maps: [entry],
    });
    const { layers } = modeOf(config, mode);
    expect(undescribed(layers.flat(), routerWords(config))).toEqual([]);
  });

  it("have descriptions on a server", () => {
    expect(undescribed(SERVER_COMMANDS, serverWords)).toEqual([]);
  });
});
