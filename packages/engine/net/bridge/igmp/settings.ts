/** The querier of IGMP snooping. */
import { anyOf, checked, unspoken } from "../../../settings/kind.ts";
import { required, setting } from "../../../settings/shape.ts";
import { record } from "../../../settings/words.ts";
import { formatIpv4, isMulticastIpv4, parseIpv4 } from "../../../wire/ipv4-address.ts";

const address = unspoken<number>(
  (reader, value, path) => reader.parsed(value, path, parseIpv4, "an IPv4 address"),
  { type: "string", format: "ipv4" },
  formatIpv4,
);
const hostAddress = checked(address, (value) =>
  value === 0 || isMulticastIpv4(value) ? `${formatIpv4(value)} is not an address of a host` : undefined,
);

export const igmpQuerier = record({
  address: required(hostAddress, {
    about: "the source of the queries; of several queriers, the lowest address queries",
  }),
  version: setting(anyOf(2, 3), 3),
});
