/**
 * Reads a configuration as a text: FRR's integrated form (`frr.conf`), or what `show running-config` prints. Its lines are commands of
 * configuration mode. They change the draft one by one; rules between settings are checked at the end, so lines may stand in any order.
 */

import type { Path } from "../../../../settings/property-reader.ts";
import { chooseInLayers, wordsOf } from "../../../console/match.ts";
import type { PortProperties, RouterProperties } from "../../services/base/config.ts";
import { CONFIGURE_LAYERS } from "../configure-modes.ts";
import type { ConsoleMode } from "../console-mode.ts";
import type { ModalCommands } from "../modal.ts";
import { VALUES } from "../value-kinds.ts";
import { changedPaths } from "./changed-paths.ts";
import { Draft } from "./draft.ts";
import { beginsBlock, endsBlock, isHarmless, missingBlock, missingLine } from "./frr-lines.ts";

export interface LineRemark {
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

export interface ReadConfiguration {
  readonly properties: RouterProperties;
  /** Lines that are not there. They have changed nothing. */
  readonly missing: readonly LineRemark[];
  /** Lines with a wrong value. */
  readonly wrong: readonly LineRemark[];
  /** Returns the line that has set the value at a place; undefined for values of other origin. */
  readonly lineOf: (path: Path) => number | undefined;
}

const UNKNOWN = "is no line of a router; ? at its console lists those that are";

/** A block inside of `router bgp`. */
const FAMILY = "address-family ";
const FAMILY_END = "exit-address-family";

const NO_INTERFACE = "no port has this name, and `interfaces` of the properties makes no such interface";

/** @param before the properties that the lines change; their ports have names. */
export function readConfiguration(text: string, before: RouterProperties): ReadConfiguration {
  const reader = new Reader(before);
  for (const [index, raw] of text.split(/\r?\n/).entries()) reader.read(raw, index + 1);
  return reader.finish();
}

class Reader {
  readonly #before: RouterProperties;
  readonly #draft: Draft;
  readonly #missing: LineRemark[] = [];
  readonly #wrong: LineRemark[] = [];
  readonly #places: { readonly path: Path; readonly line: number }[] = [];
  /** The block that is being passed over. */
  #block:
    | {
        readonly line: number;
        readonly head: string;
        readonly why: string;
        /** The mode behind it. */
        readonly outer: ConsoleMode | undefined;
        lines: number;
        isIndented: boolean;
      }
    | undefined;

  /** The VRF whose block is being read. */
  #vrf: string | undefined;

  constructor(before: RouterProperties) {
    this.#before = before;
    this.#draft = new Draft(before);
  }

  read(raw: string, line: number): void {
    const words = wordsOf(raw);
    const spaced = words.join(" ");
    if (spaced === "" || this.#isInBlock(spaced, /^\s/.test(raw))) return;
    if (this.#isVrf(spaced, words, line)) return;
    const { kind } = this.#draft.mode;
    if (isHarmless(spaced, kind)) {
      if (spaced === "line vty") this.#draft.session.mode = undefined;
      return;
    }
    const block = missingBlock(spaced);
    if (block !== undefined) {
      const outer = spaced.startsWith(FAMILY) ? ({ kind: "bgp" } as const) : undefined;
      this.#block = { line, head: spaced, why: block, outer, lines: 0, isIndented: false };
      return;
    }
    const why = missingLine(spaced, kind);
    if (why === undefined) this.#run(spaced, words, line);
    else this.#missing.push({ line, message: `${quoted(spaced)} is not there: ${why}` });
  }

  /** FRR's block of a VRF has the routes of its table. */
  #isVrf(text: string, words: readonly string[], line: number): boolean {
    const [, name] = /^vrf (\S+)$/.exec(text) ?? [];
    if (name !== undefined) {
      this.#vrf = name;
      this.#draft.session.mode = undefined;
      return true;
    }
    if (this.#vrf === undefined || isHarmless(text, "config")) return false;
    if (endsBlock(text)) this.#vrf = undefined;
    else if (/^(no )?(ip|ipv6) route /.test(text)) this.#run(text, [...words, "vrf", this.#vrf], line);
    else if (beginsBlock(text) || missingBlock(text) !== undefined) {
      this.#vrf = undefined;
      return false;
    } else
      this.#missing.push({
        line,
        message: `${quoted(text)} is not there: the block of a VRF has routes alone`,
      });
    return true;
  }

  finish(): ReadConfiguration {
    this.#endBlock();
    return {
      properties: withDefaultsOfFrr(this.#draft.properties, this.#before),
      missing: this.#missing,
      wrong: this.#wrong,
      lineOf: (path) => lineOf(this.#places, path),
    };
  }

  /** A block ends at its `exit`, or where another line begins at the margin that its lines have left. */
  #isInBlock(text: string, isIndented: boolean): boolean {
    if (this.#block === undefined) return false;
    const isOver = this.#block.isIndented && !isIndented;
    const isFamily = this.#block.outer !== undefined;
    const isEnd = endsBlock(text) || (isFamily && text === FAMILY_END);
    const isInside = !isFamily && text.startsWith(FAMILY);
    if (isOver || isEnd || beginsBlock(text) || (!isInside && missingBlock(text) !== undefined)) {
      this.#endBlock();
      return isEnd;
    }
    this.#block.isIndented ||= isIndented;
    if (!isHarmless(text, "config")) this.#block.lines += 1;
    return true;
  }

  #endBlock(): void {
    if (this.#block === undefined) return;
    const { line, head, why, lines } = this.#block;
    const inside =
      lines === 0 ? "" : lines === 1 ? ", with the line inside," : `, with the ${lines} lines inside,`;
    this.#missing.push({ line, message: `${quoted(head)}${inside} is not there: ${why}` });
    this.#draft.session.mode = this.#block.outer;
    this.#block = undefined;
  }

  #run(text: string, words: readonly string[], line: number): void {
    const draft = this.#draft;
    const { mode, properties } = draft;
    const layers = CONFIGURE_LAYERS[mode.kind].map((commands) => startingWith(commands, words[0]!));
    const choice = chooseInLayers(layers, words, { values: VALUES, names: draft.names });
    if (choice.kind !== "command" || !("run" in choice.command)) {
      this.#missing.push({ line, message: `${quoted(text)} ${UNKNOWN}` });
      return;
    }
    const taken = mode.kind === "interface" ? otherAddress(properties, mode.name, words) : undefined;
    const { command, args } = choice;
    const problems = taken === undefined ? command.run(draft, args) : [taken];
    if (problems.length > 0 && words[0] === "interface") {
      this.#block = { line, head: text, why: NO_INTERFACE, outer: undefined, lines: 0, isIndented: false };
      return;
    }
    for (const problem of problems) {
      const message = `${quoted(text)}: ${problem}`;
      // The words are a form of FRR that the router does not have.
      (problem.startsWith("Usage: ") ? this.#missing : this.#wrong).push({ line, message });
    }
    // As in vtysh: a line of configuration mode leaves the mode inside of it.
    const layer = layers.findIndex((commands) => commands.some((each) => each === command));
    if (draft.session.mode === mode && layer > 0)
      draft.session.mode = layer < layers.length - 1 ? { kind: "bgp" } : undefined;
    for (const path of changedPaths(properties, draft.properties)) this.#places.push({ path, line });
  }
}

/** The commands whose head begins with a word; all, if the word may be the beginning of one. */
function startingWith(commands: ModalCommands, word: string): ModalCommands {
  const known = BY_WORD.get(commands) ?? Map.groupBy(commands, ({ head }) => wordsOf(head)[0]!);
  BY_WORD.set(commands, known);
  return known.get(word) ?? commands;
}

const BY_WORD = new WeakMap<ModalCommands, Map<string, ModalCommands>>();

/** FRR gives an interface a second address; the router has one. */
function otherAddress(
  { ports = [], interfaces = [] }: RouterProperties,
  name: string,
  [family, what, address]: readonly string[],
): string | undefined {
  if (what !== "address" || (family !== "ip" && family !== "ipv6")) return undefined;
  const port = [...ports, ...interfaces].find((each) => each.name === name);
  const own = family === "ip" ? port?.ipv4 : port?.ipv6;
  return own === undefined || own === address
    ? undefined
    : `${name} has ${own}, and an interface has one address of each family`;
}

/** What FRR does without a line, and the router with one. */
function withDefaultsOfFrr(after: RouterProperties, before: RouterProperties): RouterProperties {
  const hadIpv6 = new Set(
    [...(before.ports ?? []), ...(before.interfaces ?? [])].flatMap(({ name, ipv6 }) =>
      ipv6 === undefined ? [] : [name],
    ),
  );
  /** FRR suppresses router advertisements. */
  const quiet = <P extends PortProperties>(port: P): P =>
    port.ipv6 === undefined || port.ra !== undefined || hadIpv6.has(port.name)
      ? port
      : { ...port, ra: false };
  const { ports, interfaces, rip, ...others } = after;
  return {
    ...others,
    ...(ports && { ports: ports.map(quiet) }),
    ...(interfaces && { interfaces: interfaces.map(quiet) }),
    /** In FRR, neighbours do not hear of their own routes. */
    ...(rip && { rip: before.rip === undefined ? { split_horizon: "simple" as const, ...rip } : rip }),
  };
}

const isPrefixOf = (one: Path, other: Path): boolean => one.every((key, at) => key === other[at]);

/** The last line that has set the value or a part of it, or else an object around it. */
function lineOf(
  places: readonly { readonly path: Path; readonly line: number }[],
  path: Path,
): number | undefined {
  const around = places.filter((each) => isPrefixOf(each.path, path));
  const longest = Math.max(0, ...around.map((each) => each.path.length));
  const own = around.findLast((each) => each.path.length === longest && longest > 0);
  return (own ?? places.findLast((each) => isPrefixOf(path, each.path)))?.line;
}

const SHOWN_CHARACTERS = 64;

/** The line, without secrets. */
function quoted(text: string): string {
  const shown = text.replace(
    /\b(string|authentication-key|md5|text|hmac-sha-\d+|password|key)\s+\S.*$/,
    (_, word: string) => `${word} ...`,
  );
  return `"${shown.length > SHOWN_CHARACTERS ? `${shown.slice(0, SHOWN_CHARACTERS)}...` : shown}"`;
}
