/**
 * The DHCP relay of a router (RFC 2131, RFC 1542, section 4.1).
 *
 *     request of a client at a port with servers -> hops + 1, giaddr -> each server, unicast
 *     reply to giaddr, an address of such a port -> the client at this port
 */
import { ownValue } from "../../../../base/own-value.ts";
import { frameReply } from "../../../../net/dhcp/reply.ts";
import type { Datagram4 } from "../../../../net/plane/delivery.ts";
import type { RouterPort } from "../../../../net/plane/tables.ts";
import { DHCP_SERVER_PORT, decodeDhcp } from "../../../../wire/dhcp.ts";
import { parseIpv4 } from "../../../../wire/ipv4-address.ts";
import { sendUdp } from "../base/send-udp.ts";
import type { Service, ServiceWorld } from "../base/service.ts";
import { hopsOf, relayed, withAgentOption, withoutAgentOption } from "./edit-message.ts";
import type { DhcpRelaySpec } from "./settings.ts";

const BOOT_REQUEST = 1;
const BOOT_REPLY = 2;

export class DhcpRelay implements Service {
  readonly #world: ServiceWorld;

  constructor(world: ServiceWorld) {
    this.#world = world;
  }

  start(): void {}

  resume(): void {}

  changed(): void {}

  stop(): void {}

  /** A relay keeps nothing. */
  save(): undefined {
    return undefined;
  }

  get #spec(): DhcpRelaySpec {
    return this.#world.core.running.dhcpRelay!;
  }

  receive4({ port, udp, toAll }: Datagram4): boolean {
    if (udp.targetPort !== DHCP_SERVER_PORT) return false;
    const message = decodeDhcp(udp.data);
    if (message === null) return false;
    if (message.op === BOOT_REPLY) return this.#takeReply(udp.data, message.relayIp);
    const servers = ownValue(this.#spec.ports, port.name);
    const isForOther = !toAll && message.relayIp === 0;
    if (message.op !== BOOT_REQUEST || servers === undefined || isForOther) return false;
    this.#takeRequest(port, servers, udp.data);
    return true;
  }

  #takeRequest(port: RouterPort, servers: readonly string[], data: Uint8Array): void {
    if (hopsOf(data) >= this.#spec.maxHops || port.ipv4 === undefined) {
      this.#world.core.drop("notForwarded");
      return;
    }
    const request = relayed(data, port.ipv4.address);
    const whole = this.#spec.addsAgentOption ? withAgentOption(request, port.name) : request;
    const udp = { sourcePort: DHCP_SERVER_PORT, targetPort: DHCP_SERVER_PORT, data: whole };
    for (const server of servers) sendUdp(this.#world, parseIpv4(server)!, udp);
  }

  /** @returns false if the reply is for another relay, or for none. */
  #takeReply(data: Uint8Array, relayIp: number): boolean {
    const { core } = this.#world;
    const port = core.tables.own4.get(relayIp);
    if (port?.ipv4 === undefined || ownValue(this.#spec.ports, port.name) === undefined) return false;
    const reply = withoutAgentOption(data);
    core.counters.originated += 1;
    core.transmit(port.index, frameReply(decodeDhcp(reply)!, port.mac, port.ipv4, reply));
    return true;
  }
}
