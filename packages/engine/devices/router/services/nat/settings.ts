/**
 * Translation of IPv4 addresses: `nat` of a router's `properties`. All rules are of the port `out`, beyond which the outside is.
 *
 *     source    new connections that leave by the port, from a prefix, get another source
 *     static    one inside address is one outside address, in both directions
 *     forward   connections to a port of an outside address lead to a host inside
 */

import { prefixKind } from "../../../../net/address/network-kinds.ts";
import { network4, parsePrefix4 } from "../../../../net/address/prefix.ts";
import { ipv4 } from "../../../../settings/addresses.ts";
import type { ListKind } from "../../../../settings/collections.ts";
import { checked, choice, flag, integer, type Kind, spelled, text } from "../../../../settings/kind.ts";
import { linesOf } from "../../../../settings/lines.ts";
import type { PropertyReader } from "../../../../settings/property-reader.ts";
import {
  type DraftOf,
  formatShape,
  optional,
  type Rules,
  readShape,
  required,
  type SpecOf,
  schemaOfShape,
  setting,
  unlessEmpty,
  unlessUsual,
} from "../../../../settings/shape.ts";
import { records } from "../../../../settings/words.ts";
import { formatIpv4, isHostAddress, parseIpv4 } from "../../../../wire/ipv4-address.ts";
import { namedPort, type Ports } from "../base/port-kind.ts";
import type { ServiceSettings } from "../base/service-shape.ts";
import { formatPool, parsePool, sizeOf } from "./pool.ts";

export const MAX_SOURCE_RULES = 16;
export const MAX_STATIC_RULES = 64;
export const MAX_FORWARD_RULES = 64;
export const MAX_POOL_ADDRESSES = 256;
const MAX_PORT = 65_535;
export const TO_INTERFACE = "interface";

const out: Kind<string, Ports> = {
  ...text("PORT"),
  read(reader, value, path, ports) {
    const name = reader.text(value, path);
    if (name === null) return null;
    return namedPort(name, ports) ?? reader.add(path, `there is no port ${name}`);
  },
};
const isHost = (address: string): boolean => isHostAddress(parseIpv4(address)!);
const host = checked(ipv4, (address) =>
  isHost(address) ? undefined : `${address} is not the address of a host`,
);
const outsideHost = checked(host, (address, ports: Ports) =>
  ports?.some((port) => port.ipv4 && formatIpv4(port.ipv4.address) === address)
    ? `${address} is the router's own address`
    : undefined,
);
const prefix = checked(prefixKind("an IPv4 prefix (10.0.0.0/8)", parsePrefix4, "PREFIX"), (given) => {
  const { address, prefixLength } = parsePrefix4(given)!;
  return network4(address, prefixLength) === address ? undefined : `${given} has bits set after its prefix`;
});
const pool = checked(
  spelled(
    "interface, an address or a pool (203.0.113.5-203.0.113.9)",
    (given) => {
      const parsed = given === TO_INTERFACE ? null : parsePool(given);
      return given === TO_INTERFACE ? given : parsed && formatPool(parsed);
    },
    { placeholder: "interface|FIRST[-LAST]" },
  ),
  (given) => {
    const own = given === TO_INTERFACE ? null : parsePool(given);
    if (own === null) return undefined;
    if (sizeOf(own) > MAX_POOL_ADDRESSES)
      return `the pool has ${sizeOf(own)} addresses; ${MAX_POOL_ADDRESSES} are allowed`;
    return isHostAddress(own.first) && isHostAddress(own.last)
      ? undefined
      : `${given} has addresses that no host can have`;
  },
);
const protocol: Kind<"tcp" | "udp"> = {
  ...choice("tcp", "udp"),
  read: (reader, value, path) =>
    reader.parsed(value, path, (given) => (given === "tcp" || given === "udp" ? given : null), "tcp or udp"),
};
const port = integer(1, MAX_PORT);

const SOURCE = {
  out: required(out),
  from: setting(prefix, "0.0.0.0/0"),
  to: setting(pool, TO_INTERFACE, { about: "the address of the port, an address, or a pool" }),
  overload: setting(flag, true, {
    about: "whether hosts share an address, and each connection gets a port of its own",
  }),
} as const;
const STATIC = { out: required(out), inside: required(host), outside: required(outsideHost) } as const;
const FORWARD = {
  out: required(out),
  protocol: required(protocol),
  address: optional(outsideHost, { about: "absent for the address of the port" }),
  port: required(port),
  last_port: optional(port, { about: "the last port of a range" }),
  to: required(host),
  to_port: optional(port, {
    about: "the inside port for port; the next ports of a range go to the next inside ports",
  }),
} as const;
type ForwardRule = SpecOf<typeof FORWARD>;

const checkSource: Rules<typeof SOURCE, Ports> = ({ to, overload }, reader, path) => {
  if (to === TO_INTERFACE && overload === false)
    reader.add([...path, "overload"], "hosts share the address of a port: overload must be true");
};

const checkForward: Rules<typeof FORWARD, Ports> = (rule, reader, path) => {
  const { port: first, last_port: last = first, to_port: toPort } = rule;
  if (!first || !last) return;
  reader.integer(last, [...path, "last_port"], first, MAX_PORT);
  reader.integer(toPort ?? first, [...path, "to_port"], 1, MAX_PORT - (last - first));
};

function checkStatics(
  rules: readonly (DraftOf<typeof STATIC> | null)[],
  reader: PropertyReader,
  path: readonly (string | number)[],
): void {
  for (const [index, rule] of rules.entries())
    for (const key of ["inside", "outside"] as const) {
      const before = rules.findIndex((other) => other?.out === rule?.out && other?.[key] === rule?.[key]);
      if (rule?.[key] && before < index)
        reader.add([...path, index, key], `${rule[key]} has a translation already`);
    }
}

function checkForwards(
  rules: readonly (DraftOf<typeof FORWARD> | null)[],
  reader: PropertyReader,
  path: readonly (string | number)[],
): void {
  for (const [index, rule] of rules.entries()) {
    const before = rules.findIndex((other) => rule && other && shares(rule, other));
    if (before !== -1 && before < index)
      reader.add([...path, index, "port"], `forward ${before} has the same port`);
  }
}

const shares = (one: DraftOf<typeof FORWARD>, other: DraftOf<typeof FORWARD>): boolean =>
  one.out === other.out &&
  one.protocol === other.protocol &&
  one.address === other.address &&
  (one.port ?? 1) <= (other.last_port ?? other.port ?? 0) &&
  (other.port ?? 1) <= (one.last_port ?? one.port ?? 0);

type Words = readonly string[];

/** The words of a rule at the console. */
const spoken = <T>(
  kind: ListKind<T, Ports>,
  words: Pick<Kind<T>, "placeholder" | "words" | "parse">,
): ListKind<T, Ports> => ({ ...kind, item: { ...kind.item, ...words } });

const sources = spoken(records<Ports, typeof SOURCE>(SOURCE, { max: MAX_SOURCE_RULES, rules: checkSource }), {
  placeholder: "PORT PREFIX interface|FIRST[-LAST] [overload]",
  words: (rule) => `${rule.out} ${rule.from} ${rule.to}${rule.overload ? " overload" : ""}`,
  parse([name, from, to, word, ...rest]: Words) {
    if (to === undefined || rest.length > 0 || (word ?? "overload").toLowerCase() !== "overload")
      return undefined;
    const overload = word !== undefined || to.toLowerCase() === TO_INTERFACE;
    return { out: name, from, to: to.toLowerCase(), overload };
  },
});

const statics = spoken(
  records<Ports, typeof STATIC>(STATIC, { max: MAX_STATIC_RULES, between: checkStatics }),
  {
    placeholder: "PORT INSIDE OUTSIDE",
    words: (rule) => `${rule.out} ${rule.inside} ${rule.outside}`,
    parse: ([name, inside, outside, ...rest]: Words) =>
      outside === undefined || rest.length > 0 ? undefined : { out: name, inside, outside },
  },
);

const forwardRecords = records<Ports, typeof FORWARD>(FORWARD, {
  max: MAX_FORWARD_RULES,
  rules: checkForward,
  between: checkForwards,
});
const forwards = spoken(
  {
    ...forwardRecords,
    read: (...given) => forwardRecords.read(...given)?.map(withoutSame) ?? null,
  },
  {
    placeholder: "PORT tcp|udp [OUTSIDE] PORT[-LAST] INSIDE [NUMBER]",
    words({ out: name, protocol: of, address, port: first, last_port: last, to, to_port: toPort }) {
      const ports = last === undefined ? first : `${first}-${last}`;
      return [name, of, address, ports, to, toPort].filter((word) => word !== undefined).join(" ");
    },
    parse: parseForward,
  },
);

/** A last port and a port inside are absent if they are the port. */
const withoutSame = (rule: ForwardRule): ForwardRule =>
  Object.fromEntries(
    Object.entries(rule).filter(
      ([key, value]) => !((key === "last_port" || key === "to_port") && value === rule.port),
    ),
  ) as ForwardRule;

function parseForward([name, of, ...words]: Words) {
  const address = parseIpv4(words[0] ?? "") === null ? undefined : words[0];
  const [ports = "", to, toPort, ...rest] = address === undefined ? words : words.slice(1);
  const range = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(ports);
  if (range === null || to === undefined || rest.length > 0 || !/^\d{0,6}$/.test(toPort ?? ""))
    return undefined;
  return {
    out: name,
    protocol: of?.toLowerCase(),
    ...(address !== undefined && { address }),
    port: Number(range[1]),
    ...(range[2] !== undefined && { last_port: Number(range[2]) }),
    to,
    ...(toPort !== undefined && { to_port: Number(toPort) }),
  };
}

const SHAPE = {
  source: unlessEmpty(sources, {
    about: "give connections that leave by a port another source: the port's address, or one of a pool",
    line: "source",
  }),
  static: unlessEmpty(statics, {
    about: "make an inside address one outside address, in both directions",
    line: "static",
  }),
  forward: unlessEmpty(forwards, {
    about: "let connections to a port of an outside address, or of the port's, lead to a host inside",
    line: "forward",
  }),
  /** RFC 4787, section 6. */
  hairpin: unlessUsual(flag, false, {
    about: "let hosts inside reach each other by outside addresses",
    line: "hairpin",
    isPresence: true,
  }),
} as const;

export type NatSpec = SpecOf<typeof SHAPE>;

export const NAT_LINES = linesOf(SHAPE);

export const NAT: ServiceSettings<"nat", NatSpec, NatSpec> = {
  name: "nat",
  omitsEmpty: true,
  read: (reader, value, path, ports) => readShape<Ports, typeof SHAPE>(reader, value, path, SHAPE, ports),
  format: (nat) => formatShape(SHAPE, nat) as NatSpec,
  print: (nat) => NAT_LINES.flatMap(({ print }) => print(nat)).map((line) => `ip nat ${line}`),
  schema: () => ({ description: "translation of addresses", ...schemaOfShape(SHAPE) }),
};

declare module "../base/config.ts" {
  interface ServicesConfig {
    readonly nat?: NatSpec;
  }
  interface ServicesProperties {
    nat?: NatSpec;
  }
}
