/** The rules of translation as console commands, and the words of such commands as rules. */
import { parseIpv4 } from "../../../wire/ipv4-address.ts";
import {
  type ForwardRule,
  type NatSpec,
  type SourceRule,
  type StaticRule,
  TO_INTERFACE,
} from "./nat-spec.ts";

export const natLines = ({ source = [], static: fixed = [], forward = [], hairpin }: NatSpec): string[] => [
  ...source.map(sourceLine),
  ...fixed.map(staticLine),
  ...forward.map(forwardLine),
  ...(hairpin ? ["ip nat hairpin"] : []),
];

export const sourceLine = ({ out, from, to, overload }: SourceRule): string =>
  `ip nat source ${out} ${from} ${to}${overload ? " overload" : ""}`;

export const staticLine = ({ out, inside, outside }: StaticRule): string =>
  `ip nat static ${out} ${inside} ${outside}`;

export function forwardLine({
  out,
  protocol,
  address,
  port,
  last_port: last,
  to,
  to_port: toPort,
}: ForwardRule): string {
  const ports = last === undefined ? port : `${port}-${last}`;
  const words = ["ip nat forward", out, protocol, address ?? "", ports, to, toPort ?? ""];
  return words.filter((word) => word !== "").join(" ");
}

type RuleInput<T> = { readonly [K in keyof T]?: unknown };

/** `OUT PREFIX interface|FIRST[-LAST] [overload]`; undefined for other words. */
export function readSourceWords(words: readonly string[]): RuleInput<SourceRule> | undefined {
  const [out, from, to, word, ...rest] = words;
  if (to === undefined || rest.length > 0 || (word !== undefined && word.toLowerCase() !== "overload"))
    return undefined;
  return {
    out,
    from,
    to: to.toLowerCase(),
    overload: word !== undefined || to.toLowerCase() === TO_INTERFACE,
  };
}

/** `OUT INSIDE OUTSIDE` */
export function readStaticWords([out, inside, outside, ...rest]: readonly string[]):
  | RuleInput<StaticRule>
  | undefined {
  return outside === undefined || rest.length > 0 ? undefined : { out, inside, outside };
}

/** `OUT tcp|udp [ADDRESS] PORT[-LAST] INSIDE [PORT]` */
export function readForwardWords([out, protocol, ...words]: readonly string[]):
  | RuleInput<ForwardRule>
  | undefined {
  const address = parseIpv4(words[0] ?? "") === null ? undefined : words[0];
  const [ports = "", to, toPort, ...rest] = address === undefined ? words : words.slice(1);
  const range = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(ports);
  if (range === null || to === undefined || rest.length > 0 || !/^\d{0,6}$/.test(toPort ?? ""))
    return undefined;
  return {
    out,
    protocol: protocol?.toLowerCase(),
    ...(address !== undefined && { address }),
    port: Number(range[1]),
    ...(range[2] !== undefined && { last_port: Number(range[2]) }),
    to,
    ...(toPort !== undefined && { to_port: Number(toPort) }),
  };
}
