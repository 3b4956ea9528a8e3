/**
 * GRE tunnels over IPv4: packets that leave by a tunnel's interface go to its remote end in packets of the router, and packets of the
 * remote end come in by the interface.
 *
 * The outer packets may be fragmented on their way. What is too big for the tunnel itself is handled as for any interface, by its MTU:
 * with an ICMP error for packets that may not be fragmented.
 */

import type { Core } from "../../../../net/plane/core.ts";
import type { Packet4 } from "../../../../net/plane/delivery.ts";
import type { Ipv4 } from "../../../../net/plane/ipv4.ts";
import type { RouterPort } from "../../../../net/plane/tables.ts";
import { tunnelKey } from "../../../../net/plane/tunnel.ts";
import { leadsIntoTunnel } from "../../../../net/plane/tunnel-loop.ts";
import {
  ETHERNET_HEADER_BYTES,
  ETHERTYPE_IPV4,
  ETHERTYPE_IPV6,
  encodeEthernet,
  etherType,
} from "../../../../wire/ethernet.ts";
import { decodeGre, encodeGre, PROTOCOL_GRE } from "../../../../wire/gre.ts";
import type { Service, ServiceWorld } from "../base/service.ts";

export class GreTunnels implements Service {
  readonly #core: Core;
  readonly #ipv4: Ipv4;

  constructor({ core, ipv4 }: ServiceWorld) {
    this.#core = core;
    this.#ipv4 = ipv4;
    core.sendByTunnel = (port, frame) => this.#send(port, frame);
  }

  start(): void {}

  resume(): void {}

  changed(): void {}

  stop(): void {
    this.#core.sendByTunnel = undefined;
  }

  save(): undefined {
    return undefined;
  }

  receivePacket4({ header, payload }: Packet4): boolean {
    if (header.protocol !== PROTOCOL_GRE) return false;
    const gre = decodeGre(payload);
    if (gre === null) {
      this.#core.drop("malformed");
      return true;
    }
    const port = this.#core.tables.tunnels.get(tunnelKey(header.target, header.source, gre.key));
    if (port === undefined) this.#core.drop("unknownTunnel");
    else if (gre.etherType === ETHERTYPE_IPV4 || gre.etherType === ETHERTYPE_IPV6) {
      // As if a neighbour had sent it to the interface.
      this.#core.receiveInside(port, encodeEthernet(port.mac, 0, gre.etherType, gre.payload));
    } else this.#core.drop("notForUs");
    return true;
  }

  #send({ tunnel }: RouterPort, frame: Uint8Array): void {
    if (tunnel === undefined) return;
    const { local, remote, key, ttl } = tunnel;
    if (leadsIntoTunnel(this.#core, remote)) {
      this.#core.drop("tunnelLoop");
      return;
    }
    const payload = encodeGre({
      etherType: etherType(frame),
      key,
      payload: frame.subarray(ETHERNET_HEADER_BYTES),
    });
    const fields = { source: local, target: remote, protocol: PROTOCOL_GRE, ttl };
    if (this.#ipv4.originate(fields, payload) !== undefined) this.#core.drop("noRoute");
  }
}
