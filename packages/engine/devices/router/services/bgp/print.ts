/** A configuration of BGP as lines, in the order of FRR. */
import { IPV4_LINES, PROCESS_LINES } from "./lines.ts";
import { NEIGHBOUR_LINES } from "./neighbour-lines.ts";
import type { BgpSpec } from "./shape.ts";

export function bgpLines(spec: BgpSpec): string[] {
  const family = [...IPV4_LINES.flatMap(({ print }) => print({ ...spec })), ...neighbourLines(spec, true)];
  return [
    `router bgp ${spec.as}`,
    ...[...PROCESS_LINES.flatMap(({ print }) => print({ ...spec })), ...neighbourLines(spec, false)].map(
      indented,
    ),
    ...(family.length === 0
      ? []
      : [" address-family ipv4 unicast", ...family.map((line) => `  ${line}`), " exit-address-family"]),
    "exit",
  ];
}

const indented = (line: string): string => ` ${line}`;

const neighbourLines = ({ neighbors, activates }: BgpSpec, isOfFamily: boolean): string[] =>
  Object.entries(neighbors).flatMap(([address, own]) => [
    ...(isOfFamily && own.isActive !== undefined && own.isActive !== activates
      ? [`${own.isActive ? "" : "no "}neighbor ${address} activate`]
      : []),
    ...NEIGHBOUR_LINES.filter((line) => line.isOfFamily === isOfFamily).flatMap(({ print }) =>
      print(own).map((line) => `neighbor ${address} ${line}`),
    ),
  ]);
