/** `trace` over IPv6: three UDP probes a hop, one after another. */
import { PROTOCOL_UDP } from "../../../wire/ipv4.ts";
import { formatIpv6 } from "../../../wire/ipv6-address.ts";
import { encodeUdp } from "../../../wire/udp.ts";
import { formatMs } from "../commands/format-ms.ts";
import { macMarkedBytes, randomPort } from "../commands/probe-data.ts";
import type { Host, Received, ReceivedIpv6, Script } from "../host.ts";
import { errorText6, isError6, isUnreachable6 } from "./errors.ts";
import { resolveIpv6 } from "./neighbours.ts";
import { isOwnUdp } from "./probes.ts";
import { isOwnIpv6, sourceFor } from "./send.ts";

const PROBES = 3;
const DATA_BYTES = 64;
const ANSWER_US = 1_000_000;

interface Trace {
  readonly host: Host;
  readonly source: bigint;
  readonly target: bigint;
  readonly targetMac: number;
  /** A whole UDP datagram, the same in every probe. */
  readonly probe: Uint8Array;
}

/** Prints a blank line, the header, and a line a hop. The reference's `maxHops`, when none is typed, is 64 here. */
export function* trace6(host: Host, target: bigint, maxHops: number): Script {
  const { world } = host;
  const address = formatIpv6(target);
  if (isOwnIpv6(host, target))
    return world.print(`\ntraceroute to ${address}, ${maxHops} hops max\n 1 ${address}     0.001 ms\n`);
  world.print(`\ntrace to ${address}, ${maxHops} hops max\n`);
  const targetMac = yield* resolveIpv6(host, target);
  if (targetMac === undefined) return world.print(`host (${address}) not reachable\n`);
  const trace = { host, source: sourceFor(host, target), target, targetMac, probe: makeProbe(host) };
  for (let hop = 1; hop <= maxHops; hop++) if (yield* traceHop(trace, hop)) return;
}

function makeProbe(host: Host): Uint8Array {
  const sourcePort = randomPort(host);
  return encodeUdp({ sourcePort, targetPort: sourcePort + 1, data: macMarkedBytes(host, DATA_BYTES) }, 0);
}

/** Prints the line of a hop, as far as it goes when the command is interrupted. @returns whether it was the last. */
function* traceHop({ host, source, target, targetMac, probe }: Trace, hop: number): Script<boolean> {
  const { world } = host;
  const line = new HopLine(hop, target);
  try {
    for (let probes = 0; probes < PROBES; probes++) {
      const sentUs = world.nowUs;
      host.sendIpv6(targetMac, { source, target, nextHeader: PROTOCOL_UDP, hopLimit: hop }, probe);
      const accept = (packet: Received): boolean => isAnswer(host, packet);
      const packet = (yield { timeoutUs: ANSWER_US, accept }) as ReceivedIpv6 | undefined;
      line.add(packet, world.nowUs - sentUs);
    }
  } finally {
    world.print(`${line.text}\n`);
  }
  return line.isLast;
}

const isAnswer = (host: Host, packet: Received): boolean =>
  packet.kind === "ipv6" && (isError6(host, packet) || isOwnUdp(host, packet));

/** ` 1 2001:db8::2   0.254 ms  0.110 ms  0.145 ms`, a hop that refuses with its reason instead, once. */
class HopLine {
  readonly #target: bigint;
  readonly #number: string;
  #address = "";
  #times = "";
  #refusal = "";
  isLast = false;

  constructor(hop: number, target: bigint) {
    this.#number = `${String(hop).padStart(2)} `;
    this.#target = target;
  }

  /** @param packet undefined for a probe that was lost. */
  add(packet: ReceivedIpv6 | undefined, elapsedUs: number): void {
    if (packet === undefined) {
      this.#times += "  *";
      return;
    }
    const { source } = packet.header;
    const time = `${formatMs(elapsedUs)} ms`;
    this.#times += `  ${time}`;
    this.#address ||= `${formatIpv6(source)} `;
    if (source === this.#target) this.isLast = true;
    else if (isUnreachable6(packet)) {
      this.isLast = true;
      this.#refusal ||= `*${formatIpv6(source)}   ${time} ${errorText6(packet)}`;
    }
  }

  get text(): string {
    return this.#number + (this.#refusal || this.#address + this.#times);
  }
}
