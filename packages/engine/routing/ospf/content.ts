/** What is in a packet: one object for the sender and for all receivers that get the same bytes. */
import {
  type Description,
  encodeAcknowledgment,
  encodeDescription,
  encodeHello,
  encodeOspf,
  encodeRequest,
  encodeUpdate,
  type Hello,
  OSPF,
  type OspfSender,
  readAcknowledgment,
  readDescription,
  readHello,
  readOspfHeader,
  readRequest,
  readUpdate,
} from "../../wire/ospf.ts";
import type { Aged, Lsa, LsaHeader, LsaName } from "../../wire/ospf-lsa.ts";

export type Content = OspfSender & Body;

export type Body =
  | { readonly type: typeof OSPF.hello; readonly hello: Hello }
  | { readonly type: typeof OSPF.description; readonly description: Description }
  | { readonly type: typeof OSPF.request; readonly names: readonly LsaName[] }
  | { readonly type: typeof OSPF.update; readonly lsas: readonly Aged<Lsa>[] }
  | { readonly type: typeof OSPF.acknowledgment; readonly headers: readonly Aged<LsaHeader>[] };

export function encodeContent(content: Content): Uint8Array {
  return encodeOspf(content.type, content, encodeBody(content));
}

function encodeBody(body: Body): Uint8Array {
  switch (body.type) {
    case OSPF.hello:
      return encodeHello(body.hello);
    case OSPF.description:
      return encodeDescription(body.description);
    case OSPF.request:
      return encodeRequest(body.names);
    case OSPF.update:
      return encodeUpdate(body.lsas);
    case OSPF.acknowledgment:
      return encodeAcknowledgment(body.headers);
  }
}

/** Returns undefined for bytes that are no whole packet of a known type. */
export function readContent(packet: Uint8Array): Content | undefined {
  const header = readOspfHeader(packet);
  if (header === null) return undefined;
  const body = readBody(packet, header.type, header.length);
  return body && { routerId: header.routerId, areaId: header.areaId, ...body };
}

function readBody(packet: Uint8Array, type: number, length: number): Body | undefined {
  switch (type) {
    case OSPF.hello: {
      const hello = readHello(packet, length);
      return hello === null ? undefined : { type, hello };
    }
    case OSPF.description: {
      const description = readDescription(packet, length);
      return description === null ? undefined : { type, description };
    }
    case OSPF.request: {
      const names = readRequest(packet, length);
      return names === null ? undefined : { type, names };
    }
    case OSPF.update: {
      const lsas = readUpdate(packet, length);
      return lsas === null ? undefined : { type, lsas };
    }
    case OSPF.acknowledgment: {
      const headers = readAcknowledgment(packet, length);
      return headers === null ? undefined : { type, headers };
    }
    default:
      return undefined;
  }
}
