/** The querier of MLD snooping. */
import { ipv6 } from "../../../settings/addresses.ts";
import { anyOf, checked } from "../../../settings/kind.ts";
import { optional, setting } from "../../../settings/shape.ts";
import { record } from "../../../settings/words.ts";
import { isLinkLocal, parseIpv6 } from "../../../wire/ipv6-address.ts";

/** RFC 3810, 5.1.14: hosts ignore queries from other addresses. */
const linkLocal = checked(ipv6, (text) => {
  const address = parseIpv6(text);
  return address !== null && isLinkLocal(address)
    ? undefined
    : `${text} is not a link-local address (fe80::1)`;
});

export const mldQuerier = record({
  address: optional(linkLocal, {
    about:
      "the source of the queries; of several queriers, the lowest address queries; absent: the link-local address of the switch",
  }),
  version: setting(anyOf(1, 2), 2),
});
