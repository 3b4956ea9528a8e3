/** BIRD 2's `show protocols all`, `show ospf neighbors`, `show ospf interface`, `show bfd sessions` and `show status`: tables for people. */
import type { BfdPeer, BgpNeighbour, OspfNeighbour, OspfPort } from "./neighbours.ts";

/** What is alike in both versions of OSPF; the neighbours of OSPFv3 have link-local addresses. */
export interface BirdOspf<T> {
  readonly ospf: readonly T[];
  readonly ospf6: readonly T[];
}

const READY = /^BIRD \S+ ready\.$/m;

/** @returns undefined if BIRD does not run. */
export function parseBirdBgp(text: string): readonly BgpNeighbour[] | undefined {
  if (!READY.test(text)) return undefined;
  return partsOf(text, /^\S+ +BGP +/).flatMap((part) => {
    const [, address] = /^ +Neighbor address: (\S+)$/m.exec(part) ?? [];
    const [, state] = /^ +BGP state: +(.+)$/m.exec(part) ?? [];
    // A protocol that waits for neighbours of a range has no address.
    if (address === undefined || state === undefined) return [];
    return [
      {
        name: address,
        address,
        vrf: undefined,
        state: state.trim(),
        localAs: asOf(part, "Local"),
        remoteAs: asOf(part, "Neighbor"),
        isShutDown: state.trim() === "Down",
        lastError: /^ +Last error: +(.+)$/m.exec(part)?.[1]?.trim(),
      },
    ];
  });
}

function asOf(part: string, whose: "Local" | "Neighbor"): number | undefined {
  const [, as] = new RegExp(`^ +${whose} AS: +([0-9]+)$`, "m").exec(part) ?? [];
  return as === undefined ? undefined : Number(as);
}

/** The parts of a text, each from a line that matches to the next line that is not indented. */
function partsOf(text: string, head: RegExp): readonly string[] {
  const parts: string[] = [];
  let isOpen = false;
  for (const line of text.split("\n")) {
    if (line !== "" && !/^\s/.test(line)) isOpen = head.test(line);
    if (!isOpen) continue;
    if (head.test(line)) parts.push(line);
    else parts.push(`${parts.pop() ?? ""}\n${line}`);
  }
  return parts;
}

const NEIGHBOUR = /^([0-9.]+)\s+[0-9]+\s+(\S+?)\/(\S+)\s+\S+\s+(\S+)\s+(\S+)$/gm;
const ROLES: Readonly<Record<string, OspfNeighbour["role"]>> = { DR: "DR", BDR: "Backup", Other: "DROther" };

/** @returns undefined if BIRD does not run. */
export function parseBirdOspfNeighbours(text: string): BirdOspf<OspfNeighbour> | undefined {
  if (!READY.test(text)) return undefined;
  const all = [...text.matchAll(NEIGHBOUR)].map(
    ([, routerId = "", state = "", role = "", port = "", address = ""]) => ({
      port,
      routerId,
      address,
      state,
      role: ROLES[role],
    }),
  );
  return {
    ospf: all.filter(({ address }) => !address.includes(":")),
    ospf6: all.filter(({ address }) => address.includes(":")),
  };
}

const NETWORKS: Readonly<Record<string, string>> = {
  broadcast: "broadcast",
  ptp: "point-to-point",
  nbma: "non-broadcast",
  ptmp: "point-to-multipoint",
};

/** @returns undefined if BIRD does not run. */
export function parseBirdOspfPorts(text: string): BirdOspf<OspfPort> | undefined {
  if (!READY.test(text)) return undefined;
  const all = partsOf(text, /^Interface /).flatMap((part) => {
    const [, port, network] = /^Interface (\S+) \((\S+)/.exec(part) ?? [];
    const area = figureOf(part, "Area")?.split(" ")[0];
    if (port === undefined || area === undefined) return [];
    const type = figureOf(part, "Type") ?? "";
    return [
      {
        isVersion2: network?.includes("/") === true,
        port,
        area,
        network: NETWORKS[type] ?? type,
        // What is announced and has no neighbours: `stub` in the configuration.
        isPassive: / \(stub\)$/.test(type) || figureOf(part, "State") === "Loopback",
        helloMs: secondsOf(part, "Hello timer"),
        deadMs: secondsOf(part, "Dead timer"),
        routerId: undefined,
        address: undefined,
      },
    ];
  });
  const those = (isVersion2: boolean): OspfPort[] =>
    all.filter((each) => each.isVersion2 === isVersion2).map(({ isVersion2: _, ...port }) => port);
  return { ospf: those(true), ospf6: those(false) };
}

const figureOf = (part: string, label: string): string | undefined =>
  new RegExp(`^\\t${label}: (.+)$`, "m").exec(part)?.[1]?.trim();

function secondsOf(part: string, label: string): number | undefined {
  const value = figureOf(part, label);
  return value === undefined ? undefined : Number(value) * 1_000;
}

const SESSION = /^([0-9a-fA-F.:]+)\s+(\S+)\s+(\S+)\s+\S+\s+[0-9.]+\s+[0-9.]+$/gm;

/** @returns undefined if BIRD does not run. */
export function parseBirdBfd(text: string): readonly BfdPeer[] | undefined {
  if (!READY.test(text)) return undefined;
  return [...text.matchAll(SESSION)].map(([, address = "", port = "", state = ""]) => ({
    address,
    vrf: undefined,
    port,
    isUp: state === "Up",
    state,
  }));
}

export const parseBirdRouterId = (text: string): string | undefined =>
  /^Router ID is (\S+)$/m.exec(text)?.[1];
