/** A gateway with translation and stateful lists: as our properties, and as rules of nftables. */

export const FORWARD_PORT = 8_080;
export const FIRST_RANGE_PORT = 5_000;
export const STATIC_OUTSIDE = "10.0.2.100";
const RANGE = Array.from({ length: 10 }, (_, index) => index);

export const OUR_GATEWAY = {
  acls: [
    {
      name: "INSIDE",
      rules: [
        "permit ip any any state established,related",
        "permit tcp any host 10.0.2.1 eq 8080 state new",
        "permit udp any host 10.0.2.1 range 5000 5009 state new",
        "deny ip any host 10.0.2.1",
        "permit ip any any state new",
      ],
    },
    {
      name: "OUTSIDE",
      rules: [
        "permit ip any any state established,related",
        "permit tcp any host 10.0.2.1 eq 8080 state new",
        "permit udp any host 10.0.2.1 range 5000 5009 state new",
        "permit ip any host 10.0.2.100 state new",
        "permit icmp any 10.0.1.0/24 type 8 state new",
      ],
    },
  ],
  ports: [
    { ipv4: "10.0.1.1/24", acl_in: "INSIDE" },
    { ipv4: "10.0.2.1/24", acl_in: "OUTSIDE" },
  ],
  nat: {
    source: [{ out: "Ethernet1", from: "10.0.1.0/24" }],
    static: [{ out: "Ethernet1", inside: "10.0.1.13", outside: STATIC_OUTSIDE }],
    forward: [
      { out: "Ethernet1", protocol: "tcp", port: FORWARD_PORT, to: "10.0.1.10", to_port: 80 },
      {
        out: "Ethernet1",
        protocol: "udp",
        port: FIRST_RANGE_PORT,
        last_port: 5_009,
        to: "10.0.1.11",
        to_port: 6_000,
      },
    ],
    hairpin: true,
  },
};

const MAP = RANGE.map((index) => `${FIRST_RANGE_PORT + index} : ${6_000 + index}`).join(", ");

export const NFT_GATEWAY = `
table ip gateway {
  chain inside {
    type filter hook prerouting priority -150
    iifname != "ra" accept
    ip protocol 254 accept
    ct state established,related accept
    ip daddr 10.0.2.1 tcp dport 8080 ct state new accept
    ip daddr 10.0.2.1 udp dport 5000-5009 ct state new accept
    ip daddr 10.0.2.1 drop
    ct state new accept
    drop
  }
  chain outside {
    type filter hook prerouting priority -149
    iifname != "rb" accept
    ip protocol 254 accept
    ct state established,related accept
    ip daddr 10.0.2.1 tcp dport 8080 ct state new accept
    ip daddr 10.0.2.1 udp dport 5000-5009 ct state new accept
    ip daddr 10.0.2.100 ct state new accept
    ip daddr 10.0.1.0/24 icmp type 8 ct state new accept
    drop
  }
  chain destinations {
    type nat hook prerouting priority dstnat
    ip daddr 10.0.2.1 tcp dport 8080 dnat to 10.0.1.10:80
    ip daddr 10.0.2.1 udp dport 5000-5009 dnat to 10.0.1.11 : udp dport map { ${MAP} }
    ip daddr ${STATIC_OUTSIDE} dnat to 10.0.1.13
  }
  chain sources {
    type nat hook postrouting priority srcnat
    oifname "rb" ip saddr 10.0.1.13 snat to ${STATIC_OUTSIDE}
    oifname "rb" ip saddr 10.0.1.0/24 masquerade
    iifname "ra" oifname "ra" ct status dnat ip saddr 10.0.1.13 snat to ${STATIC_OUTSIDE}
    iifname "ra" oifname "ra" ct status dnat snat to 10.0.2.1
  }
  chain own {
    type filter hook input priority 0
    drop
  }
}
`;
