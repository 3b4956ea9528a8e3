import { formatIpv6 } from "../../../wire/ipv6-address.ts";
import type { AddressFamily } from "../address-family.ts";
import type { ReceivedIpv6 } from "../host.ts";
import { errorText6, isError6, isUnreachable6 } from "./errors.ts";

export const IPV6: AddressFamily<bigint, ReceivedIpv6> = {
  mark: "6",
  is: (packet) => packet.kind === "ipv6",
  format: formatIpv6,
  sourceOf: ({ header }) => header.source,
  ttlOf: ({ header }) => header.hopLimit,
  protocolOf: ({ header }) => header.nextHeader,
  isError: isError6,
  isUnreachable: (_host, packet) => isUnreachable6(packet),
  errorText: errorText6,
};
