/** Reads what BIRD's configuration says about neighbours: protocols of OSPF and BGP. */
import type { IpPort } from "../guest-state/ip.ts";
import { type Statement, splitStatements } from "./bird-statements.ts";
import { type BgpRule, type OspfRule, type RouterConfig, toArea, type Unread } from "./router-config.ts";

const OTHERS = new Set(["rip", "babel"]);

/** Files by their absolute paths, of which one can include another. */
export type IncludedFiles = ReadonlyMap<string, string>;

/** @param file its name in messages, and its path for `include`. */
export function readBirdConfig(text: string, file: string, files: IncludedFiles = new Map()): RouterConfig {
  const unread: Unread[] = [];
  const statements = follow(splitStatements(text, file), files, [file], unread);
  const [ospf, bgp]: [OspfRule[], BgpRule[]] = [[], []];
  const values = new Map<string, string>();
  const templates = new Map<string, readonly Statement[]>();
  for (const { words, block, at } of statements) {
    const [first = "", second = "", third = "", fourth] = words;
    // `define PEER = 10.0.0.2;`
    if (first === "define" && third === "=" && fourth !== undefined && words.length === 4)
      values.set(second, fourth);
    else if (first === "template" && second === "bgp" && block !== undefined) templates.set(third, block);
    else if (first === "protocol" && block !== undefined) {
      const protocol = { words, block, at };
      if (second === "ospf") ospf.push(...readOspf(protocol, unread));
      else if (second === "bgp") bgp.push(...readBgp(protocol, { values, templates }, unread));
      else if (OTHERS.has(second)) unread.push({ at, why: "its neighbours are not read" });
    }
  }
  return { ospf, isis: [], bgp, unread };
}

/** Puts the statements of included files in the place of `include`. @param path the files that include each other. */
function follow(
  statements: readonly Statement[],
  files: IncludedFiles,
  path: readonly string[],
  unread: Unread[],
): readonly Statement[] {
  return statements.flatMap((statement) => {
    const { words, at } = statement;
    if (words[0] !== "include") return [statement];
    const name = (words[1] ?? "").replaceAll('"', "");
    const target = name.startsWith("/") ? name : `${at.file.slice(0, at.file.lastIndexOf("/") + 1)}${name}`;
    const text = files.get(target);
    if (text !== undefined && !path.includes(target))
      return follow(splitStatements(text, target), files, [...path, target], unread);
    const why = path.includes(target) ? "the file includes itself" : "the lab has no such file";
    unread.push({ at, why });
    return [];
  });
}

type Protocol = Statement & { readonly block: readonly Statement[] };

const isOn = (block: readonly Statement[], word: string): boolean =>
  block.some(({ words: [first, second] }) => first === word && (second === undefined || isYes(second)));
const isYes = (word: string): boolean => ["yes", "on", "true", "1"].includes(word);
const has = (block: readonly Statement[], word: string): boolean =>
  block.some(({ words }) => words[0] === word);

function readOspf({ words, block, at }: Protocol, unread: Unread[]): OspfRule[] {
  const version = words[2] === "v3" ? 3 : 2;
  const why = isOn(block, "disabled")
    ? "it is disabled"
    : has(block, "vrf")
      ? "it belongs to a VRF"
      : words.includes("from")
        ? "it has a template"
        : undefined;
  if (why !== undefined) {
    unread.push({ at, why });
    return [];
  }
  return block
    .filter((each) => each.words[0] === "area")
    .flatMap((statement) => {
      const area = toArea(statement.words[1] ?? "");
      if (area === undefined || statement.block === undefined) {
        unread.push({ at: statement.at, why: "the reader does not know the area" });
        return [];
      }
      const own = statement.block;
      const areaKind = isOn(own, "stub")
        ? "stub"
        : isOn(own, "nssa") || has(own, "nssa")
          ? "nssa"
          : "ordinary";
      return own
        .filter((each) => each.words[0] === "interface" || each.words[0] === "virtual")
        .flatMap((each) => readOspfPort(each, { version, area, areaKind }, unread));
    });
}

const NETWORKS = new Set(["broadcast", "bcast", "ptp", "pointopoint", "ptmp", "pointomultipoint"]);

function readOspfPort(
  { words, block = [], at }: Statement,
  common: Pick<OspfRule, "version" | "area" | "areaKind">,
  unread: Unread[],
): OspfRule[] {
  const patterns = words.slice(1).filter((word) => word !== ",");
  const type = block.find((each) => each.words[0] === "type")?.words[1];
  const isRead =
    words[0] === "interface" &&
    patterns.every((word) => /^-?"[^"]*"$/.test(word)) &&
    (type === undefined || NETWORKS.has(type));
  if (!isRead) unread.push({ at, why: "the reader does not know which interfaces and neighbours it has" });
  const authentication = authenticationOf(block);
  return [
    {
      ...common,
      vrf: undefined,
      at,
      // Interfaces that the reader does not know may be these ones: later rules do not hold for them.
      matches: (port) => !isRead || matches(port, patterns),
      isPassive: () => !isRead || isOn(block, "stub"),
      authentication: () => authentication,
    },
  ];
}

/** The first pattern that matches decides; `-"eth1"` leaves an interface out. */
function matches({ name }: IpPort, patterns: readonly string[]): boolean {
  for (const pattern of patterns) {
    const glob = pattern.replace(/^-/, "").slice(1, -1);
    const expression = glob
      .replaceAll(/[.+^${}()|[\]\\]/g, "\\$&")
      .replaceAll("*", ".*")
      .replaceAll("?", ".");
    if (new RegExp(`^${expression}$`).test(name)) return !pattern.startsWith("-");
  }
  return false;
}

const AUTHENTICATION: Readonly<Record<string, string>> = {
  none: "none",
  simple: "simple",
  cryptographic: "message digest",
};

/** The keys of BIRD are spelled otherwise than FRR's: only the kind is compared. */
const authenticationOf = (block: readonly Statement[]): string | undefined =>
  AUTHENTICATION[block.find(({ words }) => words[0] === "authentication")?.words[1] ?? "none"];

interface Names {
  readonly values: ReadonlyMap<string, string>;
  readonly templates: ReadonlyMap<string, readonly Statement[]>;
}

function readBgp({ words, block, at }: Protocol, { values, templates }: Names, unread: Unread[]): BgpRule[] {
  const from = words.indexOf("from");
  const template = from < 0 ? [] : templates.get(words[from + 1] ?? "");
  if (template === undefined) {
    unread.push({ at, why: "its template is not in this file" });
    return [];
  }
  // What the protocol has replaces what the template has.
  const all = [...template, ...block];
  const last = (word: string) => all.findLast((each) => each.words[0] === word)?.words.slice(1);
  const [address, ...others] = (last("neighbor") ?? []).map((word) => values.get(word) ?? word);
  const remote = asIn(others);
  const local = (last("local") ?? []).map((word) => values.get(word) ?? word);
  const why = isOn(all, "disabled")
    ? "it is disabled"
    : has(all, "vrf")
      ? "it belongs to a VRF"
      : address === undefined || !/^([0-9]+\.){3}[0-9]+$|^[0-9a-fA-F:]*:[0-9a-fA-F:]*$/.test(address)
        ? "the reader does not know its neighbour"
        : remote === undefined
          ? "the reader does not know the AS of its neighbour"
          : undefined;
  if (why !== undefined || address === undefined || remote === undefined) {
    unread.push({ at, why: why ?? "" });
    return [];
  }
  const localAs = asIn(local);
  const password = last("password")?.[0];
  return [
    {
      name: address,
      isByPort: false,
      vrf: undefined,
      localAs: typeof localAs === "number" ? localAs : undefined,
      remoteAs: remote,
      isPassive: isOn(all, "passive"),
      hasBfd: isOn(all, "bfd") || all.some((each) => each.words[0] === "bfd" && each.block !== undefined),
      password: password?.replaceAll('"', ""),
      at,
    },
  ];
}

/** The number behind `as`, or `external` or `internal`. */
function asIn(words: readonly string[]): BgpRule["remoteAs"] | undefined {
  const word = words[words.indexOf("as") + 1] ?? "";
  if (words.includes("as") && /^[0-9]+$/.test(word)) return Number(word);
  return words.includes("external") ? "external" : words.includes("internal") ? "internal" : undefined;
}
