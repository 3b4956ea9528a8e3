/** `trace` over IPv6: UDP probes. */
import { PROTOCOL_UDP } from "../../../wire/ipv4.ts";
import { formatIpv6 } from "../../../wire/ipv6-address.ts";
import { encodeUdp } from "../../../wire/udp.ts";
import { macMarkedBytes, randomPort } from "../commands/probe-data.ts";
import { traceHops } from "../commands/trace-hops.ts";
import type { Host, Script } from "../host.ts";
import { type Notes, notesOf, once, sub } from "../notes.ts";
import { isError6 } from "./errors.ts";
import { IPV6 } from "./family.ts";
import { resolveIpv6 } from "./neighbours.ts";
import { isOwnUdp } from "./probes.ts";
import { isOwnIpv6, sourceFor } from "./send.ts";

const DATA_BYTES = 64;

/** Prints a blank line, the header, and a line per hop. `maxHops` defaults to 64 (docs/interface.md, section 9.12). */
export function* trace6(host: Host, target: bigint, maxHops: number, notes: Notes): Script {
  const { world } = host;
  const address = formatIpv6(target);
  if (once(notes, "isOwn", () => isOwnIpv6(host, target)))
    return world.print(`\ntraceroute to ${address}, ${maxHops} hops max\n 1 ${address}     0.001 ms\n`);
  once(notes, "begun", () => world.print("\n"));
  const targetMac = yield* sub(notes, "mac", (own) => resolveIpv6(host, target, own));
  if (targetMac === undefined) return world.print(`host (${address}) not reachable\n`);
  once(notes, "headed", () => world.print(`trace to ${address}, ${maxHops} hops max\n`));
  const source = once(notes, "source", () => sourceFor(host, target));
  const probe = once(notes, "probe", () => makeProbe(host));
  yield* traceHops(
    {
      family: IPV6,
      host,
      target,
      gap: " ",
      tellsOwnRefusal: false,
      send: (hopLimit) =>
        host.sendIpv6(targetMac, { source, target, nextHeader: PROTOCOL_UDP, hopLimit }, probe),
      isAnswer: (packet) => isError6(host, packet) || isOwnUdp(host, packet),
    },
    maxHops,
    notesOf(notes, "hops"),
  );
}

/** Makes the UDP datagram that every probe sends. */
function makeProbe(host: Host): Uint8Array {
  const sourcePort = randomPort(host);
  return encodeUdp({ sourcePort, targetPort: sourcePort + 1, data: macMarkedBytes(host, DATA_BYTES) }, 0);
}
