import { formatIpv4 } from "../../../wire/ipv4-address.ts";
import type { AddressFamily } from "../address-family.ts";
import type { ReceivedIpv4 } from "../host.ts";
import { icmpErrorText, isIcmpError, isUnreachable } from "./icmp-error.ts";

export const IPV4: AddressFamily<number, ReceivedIpv4> = {
  mark: "",
  is: (packet) => packet.kind === "ipv4",
  format: formatIpv4,
  sourceOf: ({ header }) => header.source,
  ttlOf: ({ header }) => header.ttl,
  protocolOf: ({ header }) => header.protocol,
  isError: isIcmpError,
  isUnreachable,
  errorText: icmpErrorText,
};
