/** Kinds of addresses, whose values are texts in their usual spelling. */
import { formatIpv4, parseIpv4 } from "../wire/ipv4-address.ts";
import { formatIpv6, parseIpv6 } from "../wire/ipv6-address.ts";
import { spelled } from "./kind.ts";

const normal4 = (text: string): string | null => {
  const address = parseIpv4(text);
  return address === null ? null : formatIpv4(address);
};
const normal6 = (text: string): string | null => {
  const address = parseIpv6(text);
  return address === null ? null : formatIpv6(address);
};

export const ipv4 = spelled("an IPv4 address", normal4, { placeholder: "ADDR", format: "ipv4" });
export const ipv6 = spelled("an IPv6 address", normal6, { placeholder: "ADDR", format: "ipv6" });
export const anyAddress = spelled("an IPv4 or IPv6 address", (text) => normal4(text) ?? normal6(text), {
  placeholder: "ADDR",
  anyOf: [{ format: "ipv4" }, { format: "ipv6" }],
});
