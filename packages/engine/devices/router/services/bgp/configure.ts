/** The commands that configure BGP, in the mode of `router bgp` and of its address family: the words of FRR. */
import type { Line } from "../../../../settings/lines.ts";
import { formatIpv4, parseIpv4 } from "../../../../wire/ipv4-address.ts";
import type { RouterProperties } from "../base/config.ts";
import type { ConfigureCommands, Configuring } from "../base/configuring.ts";
import { IPV4_LINES, PROCESS_LINES } from "./lines.ts";
import { NEIGHBOUR_LINES, type NeighbourLine, type Own } from "./neighbour-lines.ts";

type Words = readonly string[];
type Edit = (own: Own) => Own | string;

const change = (parts: Configuring, edit: Edit): readonly string[] =>
  parts.change((properties) => {
    const own = edit((properties.bgp ?? {}) as Own);
    return typeof own === "string" ? own : ({ ...properties, bgp: own } as RouterProperties);
  });

const noSuchLine = (...words: Words): string => `There is no such line: ${words.filter(Boolean).join(" ")}`;
const usage = (...words: Words): string => `Usage: ${words.filter(Boolean).join(" ")}`;

const processCommands = ({ head, syntax = "", about, named = "", set, unset }: Line): ConfigureCommands => [
  {
    head,
    syntax,
    meaning: about,
    run: (parts, words) => change(parts, (own) => set(own, words) ?? usage(head, syntax)),
  },
  {
    head: `no ${head}`,
    syntax: `${named} [TEXT]...`.trimStart(),
    meaning: about,
    run: (parts, words) =>
      change(parts, (own) => {
        const isBoolean = named === "" && syntax === "";
        return unset(own, named === "" && !isBoolean ? [] : words) ?? noSuchLine(head, ...words);
      }),
    unlisted: true,
  },
];

/** Edits a neighbour. @param address as it is typed. */
function changeNeighbour(
  parts: Configuring,
  address: string,
  edit: (own: Own | undefined) => Own | undefined | string,
): readonly string[] {
  return change(parts, (bgp) => {
    const parsed = parseIpv4(address);
    if (parsed === null) return `${address} is not an IPv4 address`;
    const key = formatIpv4(parsed);
    const { [key]: before, ...others } = (bgp.neighbors ?? {}) as Record<string, Own>;
    const own = edit(before);
    if (typeof own === "string") return own;
    return { ...bgp, neighbors: own === undefined ? others : { ...others, [key]: own } };
  });
}

const UNKNOWN = "Specify remote-as first";

const neighbourCommands = ({
  head,
  syntax,
  named = "[TEXT]...",
  about,
  set,
  unset,
}: NeighbourLine): ConfigureCommands => {
  const skipped = head.split(" ").length;
  const isFirst = head === "remote-as";
  return [
    {
      head: "neighbor",
      syntax: `ADDR ${head} ${syntax}`.trimEnd(),
      meaning: about,
      run: (parts, [address = "", ...words]) =>
        changeNeighbour(parts, address, (own) => {
          if (own === undefined && !isFirst) return `${UNKNOWN}: neighbor ${address} remote-as AS`;
          return set(own ?? {}, words.slice(skipped)) ?? usage("neighbor ADDR", head, syntax);
        }),
    },
    {
      head: "no neighbor",
      syntax: `ADDR ${head} ${named}`,
      meaning: about,
      run: (parts, [address = ""]) =>
        changeNeighbour(parts, address, (own) => {
          if (own === undefined) return noSuchLine("neighbor", address);
          return isFirst ? undefined : unset(own);
        }),
      unlisted: true,
    },
  ];
};

const REMOVE: ConfigureCommands = [
  {
    head: "no neighbor",
    syntax: "ADDR",
    meaning: "forget a neighbour",
    run: (parts, [address = ""]) =>
      changeNeighbour(parts, address, (own) =>
        own === undefined ? noSuchLine("neighbor", address) : undefined,
      ),
    unlisted: true,
  },
];

const ofFamily = (isOfFamily: boolean): ConfigureCommands =>
  NEIGHBOUR_LINES.filter((line) => line.isOfFamily === isOfFamily).flatMap(neighbourCommands);

/** Lines of `address-family ipv4 unicast`, which `router bgp` also takes, as in FRR. */
export const BGP_FAMILY: ConfigureCommands = [...IPV4_LINES.flatMap(processCommands), ...ofFamily(true)];

export const BGP_PROCESS: ConfigureCommands = [
  ...PROCESS_LINES.flatMap(processCommands),
  ...ofFamily(false),
  ...REMOVE,
  ...BGP_FAMILY,
];

/** `router bgp AS`: a router has one AS. @returns what is wrong. */
export const enterBgp = (parts: Configuring, as: string | undefined): readonly string[] =>
  parts.change((properties) => {
    const own = properties.bgp as { readonly as?: number } | undefined;
    const number = as === undefined ? own?.as : Number(as);
    if (number === undefined) return "No BGP process is configured: router bgp AS begins one";
    if (own?.as !== undefined && own.as !== number) return `BGP is already running; AS is ${own.as}`;
    return own === undefined ? { ...properties, bgp: { as: number } } : properties;
  });

export const removeBgp = (parts: Configuring, as: string | undefined): readonly string[] =>
  parts.change(({ bgp, ...others }) => {
    if (bgp === undefined) return "BGP is not configured";
    const own = bgp as { readonly as?: number };
    return as !== undefined && Number(as) !== own.as ? `BGP is running; AS is ${own.as}` : others;
  });
