/** One end of an adjacency of OSPF, and what keeps two ends apart. */
import type { IpPort } from "../guest-state/ip.ts";
import { shareNetwork } from "./share-network.ts";

export interface OspfEnd {
  readonly node: string;
  readonly port: string;
  /** In dotted form. */
  readonly area: string;
  /** Where the configuration says the area; absent without a file. */
  readonly place?: string;
  /** `ordinary`, `stub` or `nssa`; undefined if it is not known. */
  readonly areaKind: string | undefined;
  readonly network: string | undefined;
  readonly isPassive: boolean;
  readonly helloMs: number | undefined;
  readonly deadMs: number | undefined;
  readonly mtu: number | undefined;
  /** IPv4 addresses with prefix length; undefined where they do not matter, in OSPFv3. */
  readonly addresses: readonly string[] | undefined;
  readonly routerId: string | undefined;
  /** `none`, `simple` or `message digest`, with the keys; undefined if it is not known. */
  readonly authentication: string | undefined;
  readonly areKeysKnown: boolean;
}

export const v4Of = ({ addresses }: Pick<IpPort, "addresses">): readonly string[] =>
  addresses.filter((address) => !address.includes(":"));

const MS_PER_SECOND = 1_000;

/** @returns a sentence for each setting in which the ends disagree, and for each end that is passive. */
export function ospfDifferences(one: OspfEnd, other: OspfEnd): string[] {
  const [name, otherName] = [one, other].map(({ node, port }) => `${node} ${port}`);
  /** @returns a sentence if both are known and differ. */
  const differ = <T>(what: string, here: T | undefined, there: T | undefined, unit = ""): string[] =>
    here === undefined || there === undefined || here === there
      ? []
      : [`${what} ${here}${unit} on ${name}, ${there}${unit} on ${otherName}`];
  const inSeconds = (ms: number | undefined) => (ms === undefined ? undefined : ms / MS_PER_SECOND);
  const placed = ({ place }: OspfEnd): string => (place === undefined ? "" : ` (${place})`);
  return [
    ...[one, other].flatMap(({ node, port, isPassive }) => (isPassive ? [`${node} ${port} is passive`] : [])),
    ...(one.area === other.area
      ? []
      : [`area ${one.area} on ${name}${placed(one)}, ${other.area} on ${otherName}${placed(other)}`]),
    ...differ("hello interval", inSeconds(one.helloMs), inSeconds(other.helloMs), " s"),
    ...differ("dead interval", inSeconds(one.deadMs), inSeconds(other.deadMs), " s"),
    ...differ("network type", one.network, other.network),
    ...differ("kind of area", one.areaKind, other.areaKind),
    ...authentications(one, other),
    ...differ("MTU", one.mtu, other.mtu),
    ...(one.addresses === undefined || other.addresses === undefined
      ? []
      : addresses(one.addresses, other.addresses, isMaskIgnored(one) && isMaskIgnored(other), differ)),
    ...(one.routerId !== undefined && one.routerId === other.routerId
      ? [`both have the router ID ${one.routerId}`]
      : []),
  ];
}

type Differ = (what: string, here: string | undefined, there: string | undefined) => string[];

/** RFC 2328, section 10.5. */
const isMaskIgnored = ({ network }: OspfEnd): boolean => network === "point-to-point";

function addresses(
  here: readonly string[],
  there: readonly string[],
  ignoresMask: boolean,
  differ: Differ,
): string[] {
  const text = (list: readonly string[]): string => list.join(", ") || "none";
  if (!shareNetwork(here, there)) return differ("address", text(here), text(there));
  const maskOf = (list: readonly string[]): string | undefined =>
    list.length === 1 ? list[0]?.split("/")[1] : undefined;
  return ignoresMask ? [] : differ("prefix length", maskOf(here), maskOf(there));
}

function authentications(one: OspfEnd, other: OspfEnd): string[] {
  const [here, there] = [one.authentication, other.authentication];
  if (here === undefined || there === undefined) return [];
  const [kind, otherKind] = [here.split(",")[0], there.split(",")[0]];
  if (kind !== otherKind)
    return [`authentication ${kind} on ${one.node} ${one.port}, ${otherKind} on ${other.node} ${other.port}`];
  return here !== there && one.areKeysKnown && other.areKeysKnown
    ? ["the keys of the authentication differ"]
    : [];
}
