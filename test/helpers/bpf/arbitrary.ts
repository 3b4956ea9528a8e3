/** Random filter expressions: some from the grammar, mostly valid; some from its words in any order, mostly invalid. */
import fc from "fast-check";

const pick = (words: string): fc.Arbitrary<string> => fc.constantFrom(...words.split(" "));

const IPV4 = pick("10.0.0.1 192.168.1.2 127.0.0.1 10.0.0.254 0.0.0.0 224.0.0.251 255.255.255.255");
const IPV4_NET = pick(
  "10 10.0 192.168 172.16.0.0/12 10.0.0.0/8 0.0.0.0/0 10.0.0.1/32 192.168.1.0/24 10.1/16",
);
const IPV6 = pick("fe80::1 ::1 2001:db8::2 ff02::1 ::ffff:10.0.0.1");
const IPV6_NET = pick("fe80::/10 2001:db8::/32 ::/0 ff00::/8 ::1/128 fe80::/64 2001:db8::/33");
const MAC = pick("00:11:22:33:44:55 66:77:88:99:aa:bb ff:ff:ff:ff:ff:ff 01:00:5e:00:00:fb 33-33-0-0-0-1");
const PORT = pick("80 443 53 22 5353 http domain ssh ntp 0 65535 6081");
const RANGE = pick("1-1023 80-90 90-80 http-https 0-65535 53-80 5000-65000");
const DIRECTION = fc.oneof(
  { weight: 3, arbitrary: fc.constant("") },
  pick("src dst").map((word) => `${word} `),
  fc.constantFrom("src or dst ", "src and dst "),
);

const PROTOCOL_WORD = pick(
  "ip ip6 arp rarp tcp udp sctp icmp icmp6 igmp igrp pim vrrp carp ah esp atalk aarp decnet lat moprc mopdl " +
    "iso esis isis clnp l1 l2 iih lsp snp csnp psnp stp ipx netbeui",
);

const mayBe = (words: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant("") },
    pick(words).map((word) => `${word} `),
  );

const join = (...parts: (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> =>
  fc
    .tuple(...parts.map((part) => (typeof part === "string" ? fc.constant(part) : part)))
    .map((all) => all.join(""));

const hostTest = fc.oneof(
  join(mayBe("ip arp rarp"), DIRECTION, "host ", IPV4),
  join(mayBe("ip arp rarp"), DIRECTION, "net ", IPV4_NET),
  join(mayBe("ip6"), DIRECTION, "host ", IPV6),
  join(mayBe("ip6"), DIRECTION, "net ", IPV6_NET),
  join("ether ", DIRECTION, "host ", MAC),
  join("decnet ", DIRECTION, "host ", pick("1.2 1.3 63.1023")),
);

const portTest = fc.oneof(
  join(mayBe("tcp udp sctp"), DIRECTION, "port ", PORT),
  join(mayBe("tcp udp sctp"), DIRECTION, "portrange ", RANGE),
);

const NUMBER = fc.oneof(
  fc.nat(80).map(String),
  pick("0 1 2 0xf 0x0f0 255 256 65535 0x80000000 0xffffffff 0xff00 017 tcp-syn icmp-echo 1000"),
);

const RELATION = pick("= == != < <= > >=");
const ACCESS = pick("ip ip6 tcp udp icmp ether arp icmp6 sctp igmp pim link");

const { arithmetic } = fc.letrec<{ arithmetic: string }>((tie) => ({
  arithmetic: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    NUMBER,
    fc.constant("len"),
    join(ACCESS, "[", NUMBER, "]"),
    join(ACCESS, "[", NUMBER, ":", pick("1 2 4"), "]"),
    join(ACCESS, "[", tie("arithmetic"), ":", pick("1 2 4"), "]"),
    join(
      tie("arithmetic"),
      pick(" + | - | * | / | % | & | \\| | ^ | << | >> ".replaceAll(" | ", " ").trim()).map(
        (op) => ` ${op.replace("\\|", "|")} `,
      ),
      tie("arithmetic"),
    ),
    join("(", tie("arithmetic"), " + ", tie("arithmetic"), ")"),
    join("-", tie("arithmetic")),
  ),
}));

const relation = join(arithmetic, " ", RELATION, " ", arithmetic);

const simpleTest = fc.oneof(
  PROTOCOL_WORD,
  join(mayBe("ip ip6"), "proto ", pick("6 17 1 58 44 89 \\tcp \\udp 0")),
  join("ether proto ", pick("0x800 0x806 0x86dd \\ip \\arp \\stp \\iso 0x42 0xfe 0x8137 0xe0 100")),
  join(pick("less greater"), " ", NUMBER),
  join("byte ", NUMBER, " ", pick("= < > & |"), " ", NUMBER),
  pick("broadcast multicast llc pppoed").map((word) => word),
  fc.constantFrom("ip broadcast", "ip multicast", "ip6 multicast", "ether multicast"),
  join("llc ", pick("i s u rr rnr ui xid test")),
);

const layer = fc.oneof(
  join(pick("vlan mpls pppoes geneve")),
  join("vlan ", pick("5 6 7 100 0 4095")),
  join("mpls ", pick("100 200 1024 0")),
  join("pppoes ", pick("7 4660")),
  join("geneve ", pick("5 6 11259375")),
);

const inherited = fc.oneof(
  IPV4,
  PORT,
  join("(", PORT, " or ", PORT, ")"),
  join("not ", PORT),
  join("(", IPV4, " and not ", IPV4, ")"),
);

/** Expressions of the grammar. Some are rejected for their meaning, which the tests compare, too. */
export const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    { weight: 3, arbitrary: hostTest },
    { weight: 3, arbitrary: portTest },
    { weight: 4, arbitrary: relation },
    { weight: 3, arbitrary: simpleTest },
    { weight: 1, arbitrary: layer },
    { weight: 1, arbitrary: join(mayBe("ip ip6"), "protochain ", pick("6 17 58 51")) },
    {
      weight: 8,
      arbitrary: join(
        tie("expression"),
        pick(" and | or ".replaceAll(" | ", " ").trim()).map((op) => ` ${op} `),
        tie("expression"),
      ),
    },
    { weight: 3, arbitrary: join("not ", tie("expression")) },
    { weight: 3, arbitrary: join("(", tie("expression"), ")") },
    {
      weight: 2,
      arbitrary: join(
        tie("expression"),
        pick("and or").map((op) => ` ${op} `),
        inherited,
      ),
    },
  ),
}));

/** Words and operators in any order. */
export const wordSoup = fc
  .array(
    fc.oneof(
      PROTOCOL_WORD,
      pick(
        "host net port portrange proto protochain src dst and or not ! ( ) [ ] : mask / gateway less greater len",
      ),
      pick(
        "= != < <= > >= + - * / % & | ^ << >> && || vlan mpls llc broadcast byte ra type vpi inbound rnr $a \\tcp",
      ),
      IPV4,
      IPV6,
      MAC,
      NUMBER,
      PORT,
      RANGE,
    ),
    { maxLength: 12 },
  )
  .map((words) => words.join(" "));
