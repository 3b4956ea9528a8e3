/** What a form calls a setting: its key in words. */

const SPELLED: Readonly<Record<string, string>> = {
  bpdu: "BPDU",
  ipv4: "IPv4",
  ipv6: "IPv6",
  dhcpv6: "DHCPv6",
  gateway6: "IPv6 gateway",
  acl6: "IPv6 ACL",
  acls: "ACLs",
  startup: "start-up",
  macs: "MACs",
  newreno: "NewReno",
  pbr: "policy routing",
};
const ACRONYMS =
  /^(acl|arp|bpf|dhcp|dns|ecn|http|id|igmp|ip|lldp|lsa|mac|mld|mtu|nat|ntp|ospf|ra|rip|rstp|sack|spf|tcp|ttl|udp|vlan|vni|vrf|vrrp)$/;
const UNITS: Readonly<Record<string, string>> = {
  seconds: "in seconds",
  ms: "in milliseconds",
  cs: "in centiseconds",
};

/** Keys that clients of GNS3 know under another name. */
const CALLED: Readonly<Record<string, string>> = { ports_mapping: "Ports", usage: "Instructions" };

/** `lease_seconds` is "Lease in seconds". */
export function labelOf(key: string): string {
  const called = CALLED[key];
  if (called !== undefined) return called;
  const words = key.split("_").map((word, index, all) => {
    const unit = index > 0 && index === all.length - 1 ? UNITS[word] : undefined;
    return unit ?? SPELLED[word] ?? (ACRONYMS.test(word) ? word.toUpperCase() : word);
  });
  const text = words.join(" ");
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
