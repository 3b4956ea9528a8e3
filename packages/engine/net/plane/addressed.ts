/** The settings of every interface with addresses, and how hosts read theirs. */
import { integer, spelled } from "../../settings/kind.ts";
import { type Problem, PropertyReader } from "../../settings/property-reader.ts";
import {
  type DraftOf,
  optional,
  readDraft,
  required,
  type SpecOf,
  setting,
  withoutProblems,
} from "../../settings/shape.ts";
import { DEFAULT_MTU_BYTES, MAX_MTU_BYTES, MIN_MTU_BYTES } from "../address/mtus.ts";
import { subnet4, subnet6 } from "../address/network-kinds.ts";
import { parsePrefix4, parsePrefix6 } from "../address/prefix.ts";
import { checkAddresses } from "./address-rules.ts";
import { routes } from "./route-settings.ts";
import type { StaticRoute } from "./route-spec.ts";

const PORT_NAME = /^[a-z][a-z0-9/._-]{0,31}$/i;
const ownName = spelled(
  "a name of a port (letters, digits, / . _ -)",
  (name) => (PORT_NAME.test(name) ? name : null),
  { placeholder: "NAME" },
);

export const ADDRESSED = {
  name: required(ownName),
  ipv4: optional(subnet4, { about: "an address with prefix length", line: "ip" }),
  ipv6: optional(subnet6, { about: "the link-local address follows from the MAC", line: "ip" }),
  mtu: setting(integer(MIN_MTU_BYTES, MAX_MTU_BYTES), DEFAULT_MTU_BYTES, {
    about: "bytes of the largest IP packet, without the Ethernet header",
    name: "mtuBytes",
  }),
} as const;

/** @returns undefined for an absent value, null for an invalid one. */
const prefixOf = <P>(value: unknown, parse: (text: string) => P | null): P | null | undefined =>
  value === undefined ? undefined : typeof value === "string" ? parse(value) : null;

interface Given {
  readonly name: string;
  readonly mtu?: unknown;
  readonly ipv4?: unknown;
  readonly ipv6?: unknown;
}

/** The addresses of an interface, before its other values are read. */
export const addressesOf = ({ ipv4, ipv6 }: { readonly ipv4?: unknown; readonly ipv6?: unknown }) => ({
  ipv4: prefixOf(ipv4, parsePrefix4),
  ipv6: prefixOf(ipv6, parsePrefix6),
});

type ParsedNetwork =
  | {
      readonly ok: true;
      readonly ports: readonly SpecOf<typeof ADDRESSED>[];
      readonly routes: readonly StaticRoute[];
    }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Parses the ports, the loopback interfaces and the routes of a host, by the rules of a router. */
export function parseNetwork(
  ports: readonly Given[],
  loopbacks: readonly Given[],
  routed: readonly unknown[],
): ParsedNetwork {
  const reader = new PropertyReader();
  const specs: SpecOf<typeof ADDRESSED>[] = [];
  const read = (of: string) => (given: Given, index: number) => {
    const spec: DraftOf<typeof ADDRESSED> = readDraft(reader, given, [of, index], ADDRESSED, undefined) ?? {};
    specs.push(withoutProblems<typeof ADDRESSED>(spec));
    return { ...addressesOf(given), name: spec.name ?? null, mtuBytes: spec.mtuBytes ?? null };
  };
  const drafts = [
    ...ports.map(read("ports")),
    ...loopbacks.map(read("interfaces")).map((each) => ({ ...each, type: "loopback" })),
  ];
  checkAddresses(drafts, reader);
  const found = routes.read(reader, routed, ["routes"], drafts);
  return reader.problems.length > 0 || found === null
    ? { ok: false, problems: reader.problems }
    : { ok: true, ports: specs.slice(0, ports.length), routes: found };
}
