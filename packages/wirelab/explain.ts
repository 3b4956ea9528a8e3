/** `wirelab explain`: prints how an expression is parsed. */

import { explain, isLinkType, type LinkType } from "@wirelab/engine/bpf/index";
import { CommandLineError, parseCommandLine, type Surroundings } from "./command-line.ts";
import { compileFor } from "./packet-filter.ts";

export const help = `Usage: wirelab explain [--link-type DLT_EN10MB] EXPR

Prints how a pcap-filter(7) expression is understood, with inherited qualifiers filled in: wirelab explain 'tcp port 80 or 443'
Link types: DLT_EN10MB (Ethernet, the default), DLT_C_HDLC, DLT_PPP_SERIAL, DLT_FRELAY, DLT_ATM_RFC1483, DLT_PPP, DLT_NULL,
DLT_LOOP, DLT_RAW, DLT_IPV4, DLT_IPV6, DLT_LINUX_SLL, DLT_LINUX_SLL2, and unknown for any other.
`;

export async function run(args: string[], { stdout }: Surroundings): Promise<void> {
  const { values, positionals } = parseCommandLine(args, {
    options: { "link-type": { type: "string", default: "DLT_EN10MB" } },
    positionals: ["EXPR"],
  });
  const [expression] = positionals as [string];
  const linkType = checkLinkType(values["link-type"]);
  // Compiles first, because some expressions that do not compile still parse; the error then quotes the expression.
  compileFor(linkType, expression);
  stdout.write(`${explain(expression, linkType)}\n`);
}

function checkLinkType(name: string): LinkType {
  if (isLinkType(name)) return name;
  throw new CommandLineError(`--link-type: unknown link type ${JSON.stringify(name)}`);
}
