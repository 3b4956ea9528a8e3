/** The line of a BGP message in a list of packets. */
import { BGP, decodeNotification, decodeRouteRefresh, type NextHop, type Nlri } from "./bgp.ts";
import { type AsSegment, SEGMENT } from "./bgp-attributes.ts";
import { AFIS, ERRORS, MESSAGES, SAFIS, subcodesOf } from "./bgp-names.ts";
import { decodeOpen } from "./bgp-open.ts";
import { decodeUpdate } from "./bgp-read-update.ts";
import type { BgpUpdate, UpdateForm } from "./bgp-update.ts";
import { formatIpv4 } from "./ipv4-address.ts";
import { formatIpv6 } from "./ipv6-address.ts";

const MOST_PREFIXES = 3;

export const prefixText = (prefix: Nlri): string =>
  `${prefix.family === "ipv4" ? formatIpv4(prefix.address) : formatIpv6(prefix.address)}/${prefix.length}`;

const hopText = (hop: NextHop): string =>
  hop.family === "ipv4" ? formatIpv4(hop.address) : formatIpv6(hop.address);

const BRACKETS: Readonly<Record<number, readonly [string, string, string]>> = {
  [SEGMENT.set]: ["{", ",", "}"],
  [SEGMENT.confederationSequence]: ["(", " ", ")"],
  [SEGMENT.confederationSet]: ["[", ",", "]"],
};

/** As routers print paths: `65001 65002 {7,8}`. */
export const asPathText = (path: readonly AsSegment[]): string =>
  path
    .map(({ type, systems }) => {
      const [open, between, close] = BRACKETS[type] ?? ["", " ", ""];
      return `${open}${systems.join(between)}${close}`;
    })
    .join(" ");

/** `Cease/Administrative Shutdown`. */
export function notificationText({
  code,
  subcode,
}: {
  readonly code: number;
  readonly subcode: number;
}): string {
  const name = ERRORS[code] ?? `Error ${code}`;
  const more = subcodesOf(code)[subcode] ?? (subcode === 0 ? undefined : `Subcode ${subcode}`);
  return more === undefined ? name : `${name}/${more}`;
}

export function messageText(type: number, body: Uint8Array): string {
  const name = MESSAGES[type] ?? `type ${type}`;
  const details = detailsOf(type, body);
  return details === "" ? name : `${name} ${details}`;
}

function detailsOf(type: number, body: Uint8Array): string {
  switch (type) {
    case BGP.open:
      return openText(body);
    case BGP.update:
      return updateText(body);
    case BGP.notification: {
      const notification = decodeNotification(body);
      return notification === null ? "malformed" : notificationText(notification);
    }
    case BGP.routeRefresh: {
      const result = decodeRouteRefresh(body);
      if ("error" in result) return "malformed";
      const { afi, safi, subtype } = result.refresh;
      const of = `${AFIS[afi] ?? `AFI ${afi}`} ${SAFIS[safi] ?? `SAFI ${safi}`}`;
      return `${["", "begin of ", "end of "][subtype] ?? ""}${of}`;
    }
    default:
      return "";
  }
}

function openText(body: Uint8Array): string {
  const result = decodeOpen(body);
  if ("error" in result) return `malformed: ${result.text}`;
  const { system, identifier, holdSeconds, capabilities } = result.open;
  const long = capabilities.find((capability) => capability.kind === "as4");
  return `AS ${long?.system ?? system} id=${formatIpv4(identifier)} hold=${holdSeconds}`;
}

/** Takes all attributes as they are, so a line has what the message has. */
const FORM: UpdateForm = { hasAs4: true, session: "confederation", addPath: [] };

function updateText(body: Uint8Array): string {
  const long = decodeUpdate(body, FORM);
  const result =
    "error" in long || long.faults.length > 0
      ? better(decodeUpdate(body, { ...FORM, hasAs4: false }), long)
      : long;
  if ("error" in result) return `malformed: ${result.text}`;
  const [fault] = result.faults;
  const text = contentText(result.update);
  return fault === undefined ? text : `${text}, ${fault.text}`;
}

type Result = ReturnType<typeof decodeUpdate>;

/** AS numbers may have 2 bytes. */
const better = (short: Result, long: Result): Result =>
  "error" in short || short.faults.length > 0 ? long : short;

function contentText({ withdrawn, announced, attributes, endOf }: BgpUpdate): string {
  if (endOf !== null) return `end of ${endOf === "ipv4" ? "IPv4" : "IPv6"} routes`;
  const parts = announced.map(({ nextHop, prefixes }) => `${prefixList(prefixes)} via ${hopText(nextHop)}`);
  if (attributes !== null) parts.push(`path ${asPathText(attributes.asPath) || "local"}`);
  if (withdrawn.length > 0) parts.push(`without ${prefixList(withdrawn)}`);
  return parts.join(", ") || "without routes";
}

function prefixList(prefixes: readonly Nlri[]): string {
  const shown = prefixes.slice(0, MOST_PREFIXES).map(prefixText).join(" ");
  const more = prefixes.length - MOST_PREFIXES;
  return more > 0 ? `${shown} and ${more} more` : shown;
}
