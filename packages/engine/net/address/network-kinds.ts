/** Kinds of values that are prefixes, VLANs, or names of tables of routes. */
import { integer, type Kind, spelled } from "../../settings/kind.ts";
import { formatAnyPrefix, type Prefix4, type Prefix6, parsePrefix4, parsePrefix6 } from "./prefix.ts";

export const prefixKind = (
  what: string,
  parse: (text: string) => Prefix4 | Prefix6 | null,
  placeholder: string,
): Kind<string> => {
  const normal = (text: string): string | null => {
    const prefix = parse(text);
    return prefix && formatAnyPrefix(prefix);
  };
  return spelled(what, normal, { placeholder });
};

export const subnet4 = prefixKind(
  "an IPv4 address with prefix length (10.0.1.1/24)",
  parsePrefix4,
  "ADDR/LEN",
);
export const subnet6 = prefixKind(
  "an IPv6 address with prefix length (2001:db8::1/64)",
  parsePrefix6,
  "ADDR/LEN",
);

/** As the names of interfaces in Linux, where a VRF is one. */
const VRF_NAME = /^[a-z][a-z0-9._-]{0,14}$/i;
export const vrfName = spelled(
  "a name of up to 15 letters, digits, . _ -",
  (text) => (VRF_NAME.test(text) ? text : null),
  { placeholder: "VRF" },
);

/** IEEE 802.1Q: 0 is a tag without a VLAN, 4095 is reserved. */
export const MAX_VLAN = 4_094;
export const vlanId = integer(1, MAX_VLAN, { placeholder: "ID" });
