/**
 * The commands inside of `interface PORT`: those of FRR for its addresses, and all commands of the router whose first value is a port,
 * without the port.
 */

import { formatAnyPrefix, parseAnyPrefix, parsePrefix4, parsePrefix6 } from "../../../net/address/prefix.ts";
import type { Configure, ConfigureCommands, Configuring } from "../services/base/configuring.ts";
import { portCommand } from "../services/base/edit.ts";
import { ipCommand, raCommand, vrfCommand } from "./configure.ts";
import { CONFIGURE_COMMANDS } from "./configure-commands.ts";
import type { ConsoleMode } from "./console-mode.ts";
import { SUPPRESS_RA } from "./port-shape.ts";

/** A form whose first value is an interface, with or without brackets. */
const PORT_FIRST = /^(?:PORT|\[PORT\])(?: |$)/;

/** Commands that have another form in this mode, or name an interface of a protocol. */
const OTHERWISE = /^(?:ip|interface|(?:no )?router .*)$/;

interface InMode extends Configuring {
  readonly session: { readonly mode: ConsoleMode | undefined };
}

/** The command gets the interface of the mode in front of its words. Only this mode has it. */
const ofInterface =
  (run: Configure) =>
  (parts: InMode, args: readonly string[]): readonly string[] => {
    const { name } = parts.session.mode as Extract<ConsoleMode, { kind: "interface" }>;
    return run(parts, [name, ...args]);
  };

const address = (family: 4 | 6) =>
  ofInterface((parts, [name = "", value = ""]) =>
    (family === 4 ? parsePrefix4(value) : parsePrefix6(value)) === null
      ? [`${value} is not an IPv${family} address with prefix length`]
      : ipCommand(parts, [name, value]),
  );

const noAddress = (key: "ipv4" | "ipv6") =>
  ofInterface(
    portCommand("no ip address", ({ [key]: present, ...port }, [given = present]) =>
      present === undefined || spelled(given) !== present ? "% Can't find address" : port,
    ),
  );

/** An address may be typed in several ways: 2001:DB8:0::1/64. */
function spelled(text = ""): string | undefined {
  const prefix = parseAnyPrefix(text);
  return prefix === null ? undefined : formatAnyPrefix(prefix);
}

const onInterface = (run: Configure, ...words: readonly string[]) =>
  ofInterface((parts, [name = ""]) => run(parts, [name, ...words]));

const noMtu = ofInterface(portCommand("no mtu", ({ mtu: _, ...port }) => port));

const OWN: ConfigureCommands<InMode> = [
  { head: "ip address", syntax: "ADDR/LEN", meaning: "set the IPv4 address", run: address(4) },
  { head: "no ip address", syntax: "[ADDR/LEN]", meaning: "remove the IPv4 address", run: noAddress("ipv4") },
  { head: "ipv6 address", syntax: "ADDR/LEN", meaning: "set the IPv6 address", run: address(6) },
  {
    head: "no ipv6 address",
    syntax: "[ADDR/LEN]",
    meaning: "remove the IPv6 address",
    run: noAddress("ipv6"),
  },
  {
    head: SUPPRESS_RA,
    meaning: "answer no IPv6 router solicitations",
    run: onInterface(raCommand, "off"),
  },
  {
    head: `no ${SUPPRESS_RA}`,
    meaning: "answer IPv6 router solicitations",
    run: onInterface(raCommand, "on"),
  },
  { head: "no mtu", meaning: "set the default of the largest IP packet", run: noMtu },
  {
    head: "no vrf",
    meaning: "let it be of the default table of routes",
    run: onInterface(vrfCommand, "none"),
  },
];

export const INTERFACE_COMMANDS: ConfigureCommands<InMode> = [
  ...OWN,
  ...CONFIGURE_COMMANDS.flatMap((command) => {
    const { head, syntax = "", meaning, words } = command;
    if (!PORT_FIRST.test(syntax) || OTHERWISE.test(head)) return [];
    const rest = syntax.replace(PORT_FIRST, "");
    return [
      {
        head,
        ...(rest !== "" && { syntax: rest }),
        meaning,
        run: ofInterface(command.run),
        ...(words && { words }),
      },
    ];
  }),
];
