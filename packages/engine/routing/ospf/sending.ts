/** Sends packets of an interface: their headers, their addresses, their signatures. */
import { ALL_D_ROUTERS, ALL_SPF_ROUTERS, OSPF_HEADER_BYTES } from "../../wire/ospf.ts";
import { signOspf } from "../../wire/ospf-authentication.ts";
import { type Body, type Content, encodeContent } from "./content.ts";
import type { Interface, Neighbour, Ospf } from "./state.ts";

const IP_HEADER_BYTES = 20;
/** The longest digest, that of SHA-512. */
const DIGEST_BYTES = 64;

export function send(ospf: Ospf, iface: Interface, target: number, body: Body): void {
  const { config } = iface;
  const content: Content = { routerId: ospf.config.routerId, areaId: config.areaId, ...body };
  const { authentication } = config;
  const packet = encodeContent(content);
  if (authentication.type === "none") {
    ospf.host.send(config.port, target, packet, content);
    return;
  }
  // Seconds, so that a router that was off continues where its neighbours expect it (appendix D.3).
  iface.sequence = Math.max(iface.sequence + 1, Math.floor(ospf.host.nowUs / 1_000_000)) >>> 0;
  ospf.host.send(config.port, target, signOspf(packet, authentication, iface.sequence), undefined);
}

/** The target of what all neighbours are to get (section 13.3, step 5). */
export const floodTarget = ({ state }: Interface): number =>
  state === "other" ? ALL_D_ROUTERS : ALL_SPF_ROUTERS;

/** The target of what one neighbour is to get: at point-to-point links all packets are sent to the group (section 8.1). */
export const directTarget = ({ config }: Interface, { address }: Neighbour): number =>
  config.network === "point-to-point" ? ALL_SPF_ROUTERS : address;

/** The bytes that the body of a packet may have. */
export function mostBytes({ config }: Interface): number {
  const digest = config.authentication.type === "digest" ? DIGEST_BYTES : 0;
  return config.mtuBytes - IP_HEADER_BYTES - OSPF_HEADER_BYTES - digest;
}
