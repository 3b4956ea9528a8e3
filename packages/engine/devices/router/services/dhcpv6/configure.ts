/** `dhcpv6 ...` and `no dhcpv6 ...`. */
import { findPort, noSuchPort } from "../../../../net/plane/find-port.ts";
import type { ConfigureCommands, Configuring } from "../base/configuring.ts";
import { DHCPV6, type Dhcpv6Properties } from "./settings.ts";

type Lines = readonly string[];

const SYNTAX = `PORT ${DHCPV6.port.placeholder}`;

function dhcpv6Command(parts: Configuring, [name, ...words]: readonly string[]): Lines {
  if (name === undefined) return [`Usage: dhcpv6 ${SYNTAX}`];
  const port = findPort(parts.core.tables.ports, name);
  if (port === undefined) return [noSuchPort(name)];
  const settings = DHCPV6.port.parse(words) as Dhcpv6Properties[string] | undefined;
  if (settings === undefined) return [`Usage: dhcpv6 ${SYNTAX}`];
  return parts.change(({ dhcpv6, ...others }) => ({
    ...others,
    dhcpv6: { ...dhcpv6, [port.name]: settings },
  }));
}

function noDhcpv6Command(parts: Configuring, [name, ...rest]: readonly string[]): Lines {
  if (rest.length > 0) return ["Usage: no dhcpv6 [PORT]"];
  return parts.change(({ dhcpv6, ...others }) => {
    if (dhcpv6 === undefined) return "DHCPv6 is not configured";
    if (name === undefined) return others;
    const own = findPort(parts.core.tables.ports, name)?.name ?? name;
    const { [own]: _, ...kept } = dhcpv6;
    if (!Object.hasOwn(dhcpv6, own)) return `${own} has no DHCPv6 server`;
    return Object.keys(kept).length === 0 ? others : { ...others, dhcpv6: kept };
  });
}

export const DHCPV6_CONFIGURE: ConfigureCommands = [
  {
    head: "dhcpv6",
    syntax: SYNTAX,
    meaning: "serve name servers on a port, and addresses from FIRST to LAST",
    run: dhcpv6Command,
    checksWords: true,
  },
  {
    head: "no dhcpv6",
    syntax: "[PORT]",
    meaning: "stop it, on all ports or on one",
    run: noDhcpv6Command,
    checksWords: true,
  },
];
