/**
 * The commands that change the running configuration. Each command edits it in the form of the API's `properties` and validates it
 * with the API's parser (change.ts), so that console and API have the same rules.
 */
import { parsePrefix4, parsePrefix6 } from "../../../net/address/prefix.ts";
import { pool } from "../../../net/dhcp/pool-shape.ts";
import type { PortProperties } from "../services/base/config.ts";
import type { Configure } from "../services/base/configuring.ts";
import { changing, portCommand, settingCommand, USAGE } from "../services/base/edit.ts";
import { addInterface, removeInterface } from "./interfaces/commands.ts";
import { PORT } from "./port-shape.ts";

export const ipCommand = portCommand("ip PORT ADDR/LEN | ip PORT none [ipv4|ipv6]", (port, args) => {
  const [value = "", family] = args.map((arg) => arg.toLowerCase());
  if (value === "none") return withoutAddress(port, family);
  if (args.length !== 1) return USAGE;
  if (parsePrefix4(value) !== null) return { ...port, ipv4: value };
  if (parsePrefix6(value) !== null) return { ...port, ipv6: value };
  return `${value} is not an address with prefix length, like 10.0.1.1/24 or 2001:db8::1/64`;
});

export const mtuCommand = settingCommand("mtu", PORT.mtu.kind, "mtu PORT BYTES");
export const vrfCommand = settingCommand("vrf", PORT.vrf.kind, "vrf PORT NAME|none", "none");
export const raCommand = settingCommand("ra", PORT.ra.kind, "ra PORT on|off");
export const dhcpCommand = settingCommand(
  "dhcp",
  pool,
  `dhcp PORT ${pool.placeholder} | dhcp PORT off`,
  "off",
);

export const shutdownCommand = portCommand("shutdown PORT", (port, args) =>
  args.length > 0 ? USAGE : { ...port, shutdown: true },
);

export const NO_USAGE =
  "no shutdown PORT | no interface NAME | no [ipv6] access-list NAME [SEQ] | no access-group PORT NAME in|out | no connections KEY | no ip nat RULE";

const startPort = portCommand(NO_USAGE, (port, args) =>
  args.length > 0 ? USAGE : { ...port, shutdown: false },
);

export const noCommand: Configure = (parts, [what, ...args]) => {
  if (what?.toLowerCase() === "shutdown") return startPort(parts, args);
  if (what?.toLowerCase() === "interface" && args.length === 1)
    return parts.change((properties) => removeInterface(properties, args[0]!));
  return [`Usage: ${NO_USAGE}`];
};

export const interfaceCommand = changing(addInterface);

function withoutAddress(port: PortProperties, family: string | undefined): PortProperties | string {
  const { ipv4, ipv6, ...neither } = port;
  if (family === undefined) return neither;
  if (family === "ipv4") return { ...neither, ...(ipv6 !== undefined && { ipv6 }) };
  return family === "ipv6" ? { ...neither, ...(ipv4 !== undefined && { ipv4 }) } : USAGE;
}
