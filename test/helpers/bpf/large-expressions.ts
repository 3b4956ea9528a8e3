/** Expressions of nearly 4 KB, each of a kind that can make a compiler slow. */
const KILOBYTES_4 = 4096;

/** As many terms as fit in 4 KB, after `head`. */
function fill(term: (index: number) => string, joint: string, head = ""): string {
  let text = head + term(0);
  for (let i = 1; ; i += 1) {
    const longer = text + joint + term(i);
    if (longer.length > KILOBYTES_4) return text;
    text = longer;
  }
}

export const LARGE_EXPRESSIONS: Readonly<Record<string, string>> = {
  ports: fill((i) => `port ${i}`, " or "),
  "inherited ports": `port 0 or ${fill((i) => String(i + 1), " or ").slice(0, 4080)}`,
  "port ranges": fill((i) => `portrange ${i}-${i + 9}`, " or "),
  "ports that must all match": fill((i) => `${i}`, "&&", "port "),
  "ranges of one port": fill((i) => `${i}`, "||", "portrange "),
  "tunnelled ranges of one port": fill((i) => `${i}`, "||", "geneve and mpls and portrange "),
  "inherited port ranges": `portrange ${fill((i) => `${i}-${i + 1}`, "||").slice(0, 4081)}`,
  hosts: fill((i) => `host 10.0.${i % 256}.${i >> 8}`, " or "),
  networks: fill((i) => `net 10.${i % 256}.0.0/16`, " or "),
  "inherited networks": fill((i) => `${1 + (i % 255)}`, "||", "net "),
  "IPv6 hosts": fill((i) => `host 2001:db8::${i.toString(16)}`, " or "),
  "negated ports": fill((i) => `not port ${i}`, " and "),
  "TCP bytes": fill((i) => `tcp[${i}] = ${i % 256}`, " and "),
  "one byte against many values": fill((i) => `ip[8] = ${i % 256}`, " or "),
  "mixed groups": fill((i) => `(port ${i} and not (host 10.0.0.${i} or tcp[${i}] = 4))`, " or "),
  "IS-IS words": fill((i) => `l${1 + (i % 2)}`, " or "),
  "IPX words": fill(() => "ipx", " or "),
  "DECnet hosts": fill((i) => `decnet host 1.${i}`, " or "),
  "inherited DECnet hosts": fill((i) => `${1 + (i % 60)}.${i}`, "||", "decnet host "),
  "alternating and/or": fill((i) => `tcp port ${i} and host 10.0.0.1`, " or "),
  sums: `${fill(() => "ip[0]", "+").slice(0, -18)} = 1`,
  "constant sums": `${"1+".repeat(2040)}1 = 2041`,
  "VLAN stacks": fill((i) => `vlan ${i}`, " and "),
  "labels and IP": fill(() => "mpls and ip", " and "),
  "tags and IP": fill((i) => `vlan ${i} and ip`, " or "),
  "hosts and not ports": fill((i) => `host 10.0.0.${i} and not port ${i}`, " or "),
  whitespace: `ip${" ".repeat(4090)}`,
};
