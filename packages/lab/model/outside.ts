/** A network outside the lab, behind a cloud: how Ethernet frames get there and back while the lab runs in real time. */

/** An IP address, and a UDP port. */
export interface SocketAddress {
  readonly host: string;
  readonly port: number;
}

export type Outside =
  /** A frame in each datagram, as the UDP tunnels between nodes of this interface have it. */
  | { readonly kind: "udp"; readonly listen: SocketAddress; readonly to: SocketAddress }
  /** RFC 7348. */
  | {
      readonly kind: "vxlan";
      readonly vni: number;
      readonly listen: SocketAddress;
      readonly to: SocketAddress;
    }
  /** A tap interface that the lab makes. */
  | { readonly kind: "tap"; readonly name: string }
  /** An interface that the machine has. */
  | { readonly kind: "interface"; readonly name: string };
