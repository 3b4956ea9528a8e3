/** The settings of the DHCP relay. */
import { ipv4 } from "../../../../settings/addresses.ts";
import { list, map } from "../../../../settings/collections.ts";
import { checked, flag, integer } from "../../../../settings/kind.ts";
import { type PropertiesOf, type SpecOf, setting } from "../../../../settings/shape.ts";
import { formatIpv4 } from "../../../../wire/ipv4-address.ts";
import { type Ports, portName, portOf } from "../base/port-kind.ts";
import { shapedService } from "../base/service-shape.ts";

const MAX_SERVERS = 4;
/** RFC 1542, section 4.1.1. */
const DEFAULT_MAX_HOPS = 4;
const MOST_HOPS = 16;

const relayPort = checked(portName, (name, ports: Ports) => {
  const port = portOf(name, ports);
  if (port === undefined) return undefined;
  if (port.ipv4 === undefined) return "a relay needs an IPv4 address on the same port";
  return port.dhcp === undefined ? undefined : `${port.name} serves addresses itself`;
});

const server = checked(ipv4, (text, ports: Ports) =>
  ports?.some((port) => port.ipv4 && formatIpv4(port.ipv4.address) === text)
    ? `${text} is the router's own address`
    : undefined,
);

const SHAPE = {
  ports: setting(
    map(relayPort, list(server, { min: 1, max: MAX_SERVERS, takesOne: true }), {
      already: "is there already",
    }),
    {},
    { about: "pass DHCP requests of a port on to servers", line: "", syntax: "PORT SERVER..." },
  ),
  max_hops: setting(integer(1, MOST_HOPS), DEFAULT_MAX_HOPS, {
    about: "drop requests that more relays have passed on (4)",
    line: "max-hops",
    name: "maxHops",
  }),
  /** Whether requests get the option of relay agents (RFC 3046) with the name of their port. */
  agent_option: setting(flag, false, {
    about: "send the servers the port of the request (option 82)",
    line: "agent-option",
    name: "addsAgentOption",
  }),
} as const;

export type DhcpRelaySpec = SpecOf<typeof SHAPE>;

export const DHCP_RELAY = shapedService("dhcpRelay", SHAPE, {
  head: "dhcp-relay",
  off: "The DHCP relay is not configured",
  about: "relay DHCP requests of the ports that are configured",
  aboutNo: "end it, on all ports or on one",
  order: ["max-hops", "agent-option", ""],
});

declare module "../base/config.ts" {
  interface ServicesConfig {
    readonly dhcpRelay?: DhcpRelaySpec;
  }
  interface ServicesProperties {
    dhcp_relay?: PropertiesOf<typeof SHAPE>;
  }
}
