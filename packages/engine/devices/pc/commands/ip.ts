/** `ip ...`: sets addresses by hand, from a router or from a DHCP server, and sets name servers and domain. */
import { formatIpv4, maskOf } from "../../../wire/ipv4-address.ts";
import { formatMac } from "../../../wire/mac.ts";
import { dhcpCommand } from "../dhcp/command.ts";
import type { Host, Progress, Script } from "../host.ts";
import { autoCommand, ip6Command } from "../ipv6/commands.ts";
import { type Notes, notesOf, once } from "../notes.ts";
import { DEFAULT_MTU_BYTES } from "../state.ts";
import { helpPage } from "./help.ts";
import type { Invocation } from "./invocation.ts";
import { type AddressRequest, parseAddressRequest } from "./ip-address-request.ts";
import { setDomain, setServers, setServers6 } from "./ip-names.ts";
import { keywordOf } from "./keyword.ts";

const KEYWORDS = ["auto", "dhcp", "dns", "dns6", "domain"] as const;
const DHCP_OPTIONS = new Set(["-d", "-r", "-x"]);

export function* ip({ host, words, progress, notes }: Invocation): Script {
  const [, first, ...rest] = words;
  if (first === undefined) return host.world.print(helpPage("ip"));
  switch (keywordOf(first, KEYWORDS)) {
    case "auto":
      return yield* autoCommand(host, notes);
    case "dhcp":
      return yield* askDhcp(host, rest, notes);
    case "dns":
      return host.world.print(setServers(host, rest));
    case "dns6":
      return host.world.print(setServers6(host, rest));
    case "domain":
      return host.world.print(setDomain(host, rest));
    default:
      yield* first.includes(":")
        ? ip6Command(host, [first, ...rest])
        : setAddress(host, [first, ...rest], progress, notes);
  }
}

/** `dhcp ...` is short for `ip dhcp ...`. */
export const dhcp = ({ host, words, notes }: Invocation): Script => askDhcp(host, words.slice(1), notes);

function* askDhcp(host: Host, options: readonly string[], notes: Notes): Script {
  if (options.every((word) => DHCP_OPTIONS.has(word))) yield* dhcpCommand(host, options, notes);
  else host.world.print(helpPage("ip"));
}

function* setAddress(host: Host, words: readonly string[], progress: Progress, notes: Notes): Script {
  const request = parseAddressRequest(words);
  if ("error" in request) return host.world.print(`${request.error}\n`);
  once(notes, "begun", () => host.world.print("Checking for duplicate address...\n"));
  if (!(yield* claim(host, request, progress, notesOf(notes, "claim"))))
    return host.world.print("Address not changed\n");
  host.state.lease = undefined;
  host.state.mtuBytes = DEFAULT_MTU_BYTES;
  host.world.print(resultLine(host));
}

/**
 * Takes the address, and restores the old one if another host answers for the new one. The PC answers for the new address
 * during the check. If the address is taken or the check is interrupted, the PC keeps its old address (VPCS loses it).
 */
function* claim(host: Host, request: AddressRequest, progress: Progress, notes: Notes): Script<boolean> {
  const { state, world } = host;
  let isFree = false;
  const before = once(notes, "before", () => {
    const { ipv4 } = state;
    state.ipv4 = { ...request };
    state.ipv4Before = ipv4;
    return ipv4;
  });
  try {
    const owner = yield* host.probeDuplicate(request.address, progress, notesOf(notes, "probe"));
    isFree = owner === undefined;
    if (owner !== undefined)
      world.print(`${formatIpv4(request.address)} is being used by MAC ${formatMac(owner)}\n`);
  } finally {
    if (!isFree) state.ipv4 = before;
    state.ipv4Before = undefined;
  }
  return isFree;
}

function resultLine({ state: { name, ipv4 } }: Host): string {
  const gateway = ipv4.gateway === 0 ? "" : ` gateway ${formatIpv4(ipv4.gateway)}`;
  return `${name} : ${formatIpv4(ipv4.address)} ${formatIpv4(maskOf(ipv4.prefixLength))}${gateway}\n`;
}
