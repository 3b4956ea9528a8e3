/** Lines of FRR's integrated configuration that change nothing in a router here, and lines that name what a router does not have. */
import type { ConsoleMode } from "../console-mode.ts";

interface FrrLine {
  /** Matches a whole line, whose words have one space between them. */
  readonly pattern: RegExp;
  readonly about: string;
}

const line = (pattern: RegExp, about: string): FrrLine => ({ pattern, about });

/** Accepted, because the router is the same without them. */
const HARMLESS: readonly FrrLine[] = [
  line(/^(!|#)/, "a comment"),
  line(/^(Building configuration\.\.\.|Current configuration:)$/, "the head of `show running-config`"),
  line(/^frr version \S+$/, "the version that wrote it"),
  line(/^frr defaults traditional$/, "the defaults of the router"),
  line(/^(hostname|domainname) \S+$/, "the node has the name"),
  line(/^(no )?service (integrated-vtysh-config|advanced-vty|password-encryption)$/, "where vtysh saves"),
  line(/^(no )?log( |$)/, "the logs of daemons; syslog has lines of its own"),
  line(/^(no )?debug /, "the logs of daemons"),
  line(/^(no )?banner /, "the greeting of vtysh"),
  line(/^(line vty|exec-timeout \d+( \d+)?|(enable )?password .*|username .*)$/, "access by vtysh"),
  line(/^(ip|ipv6) forwarding$/, "a router forwards"),
];

/** Accepted in the block of an interface. */
const HARMLESS_IN_INTERFACE: readonly FrrLine[] = [line(/^(no )?description( |$)/, "a comment")];

/** Harmless in `router ospf`, `router rip`. */
const HARMLESS_IN_ROUTER: readonly FrrLine[] = [
  line(/^(no )?log-adjacency-changes( detail)?$/, "the logs of daemons"),
];

const GUEST = "a Linux node with the image frr has it";
const FILTERS_OF_ROUTES = "it is not there";

/** Harmless in `router bgp`, too. */
const HARMLESS_IN_BGP: readonly FrrLine[] = [
  line(/^(no )?bgp log-neighbor-changes$/, "the logs of daemons"),
  line(/^neighbor \S+ soft-reconfiguration inbound$/, "what neighbors have announced is kept in any case"),
];

/** Heads of blocks: the lines of the block belong to it. */
const BLOCKS: readonly FrrLine[] = [
  line(/^router bgp \d+ (vrf|view|as-notation)( |$)/, `BGP is of the default table alone; ${GUEST}`),
  line(/^address-family (?!ipv4( unicast)?$)/, `BGP exchanges IPv4 unicast routes alone; ${GUEST}`),
  line(/^router ospf6( |$)/, `OSPFv3 is not there; ${GUEST}`),
  line(/^router (isis|openfabric)( |$)/, `IS-IS is not there; ${GUEST}`),
  line(/^router ripng$/, `RIPng is not there; ${GUEST}`),
  line(/^router (eigrp|babel|pim|pim6)( |$)/, `the protocol is not there; ${GUEST}`),
  line(/^router (ospf|rip) (vrf )?\S+$/, "instances and VRFs of a protocol are not there: it runs once"),
  line(/^router (?!(rip|ospf|bgp)( |$))/, `the protocol is not there; ${GUEST}`),
  line(/^key chain /, `key chains are not there; ${GUEST}`),
  line(/^nexthop-group /, `groups of next hops are not there; ${GUEST}`),
  line(/^(mpls|l2vpn|pseudowire|segment-routing|rpki|traffic-eng)( |$)/, `it is not there; ${GUEST}`),
];

/** A block without a line of its own end. */
const FILTERS: readonly FrrLine[] = [
  line(/^(no )?(ip|ipv6) prefix-list sequence-number$/, "rules always have numbers"),
  line(/^(no )?bgp extcommunity-list /, "lists of extended communities are not there"),
  line(
    /^(no )?bgp (as-path access-list|(large-)?community-list \S+) \S+ .*\binternet\b/,
    "there is no community `internet`",
  ),
  line(/^(no )?route-map \S+ optimization$/, "route maps judge entry by entry"),
  line(/^(no )?(ip|ipv6) (protocol|nht|import-table) /, FILTERS_OF_ROUTES),
  line(/^frr defaults /, "only `frr defaults traditional` is there"),
  line(/^(no|undo) (ip|ipv6) forwarding$/, "a router always forwards"),
  line(/^(no )?(ip|ipv6) (multicast|mroute|pim|msdp|igmp|mld)/, `multicast is not there; ${GUEST}`),
  line(/^(zebra|agentx|fpm|table|allow-external-route-update|ipv6 nht)( |$)/, "it is of FRR's daemons"),
];

const ROUTER_ID = line(
  /^(ip |ipv6 )?router-id /,
  "the id of OSPF stands in `router ospf`, as `ospf router-id`",
);

const IN_INTERFACE: readonly FrrLine[] = [
  line(/^(no )?ip ospf dead-interval minimal /, "hellos in parts of a second are not there"),
  line(/^(no )?ip ospf authentication null/, "leave the line out: no authentication is the default"),
  line(/^(no )?ip ospf authentication key-chain /, "key chains are not there"),
  line(/^(no )?ip ospf (bfd \d|prefix-suppression|graceful-restart|capability)/, `it is not there; ${GUEST}`),
  line(
    /^(no )?ip ospf network (non-broadcast|point-to-multipoint|point-to-point dmvpn)/,
    "broadcast and point-to-point are there",
  ),
  line(
    /^(no )?ip rip authentication /,
    "in `router rip`, `authentication PORT text KEY` or `authentication PORT md5 ID KEY` is there",
  ),
  line(
    /^(no )?ip rip split-horizon/,
    "in `router rip`, `split-horizon simple|poisoned-reverse|off` is there, for all interfaces",
  ),
  line(/^(no )?ip rip /, "only version 2 is there"),
  line(/^(no )?ip address \S+ .*/, "an interface has one address of each family, without peer and label"),
  line(/^(no )?ipv6 nd (?!suppress-ra$)/, "`ipv6 nd suppress-ra` is there"),
  line(/^(no )?(bandwidth|link-params|link-detect|multicast|mpls|evpn)( |$)/, "it is not there"),
  line(
    /^(no )?(ipv6 ospf6|ip router|ipv6 router|isis|ip pim|ip igmp|ip eigrp|babel|bfd|ip nhrp|ipv6 ripng)( |$)/,
    `the protocol is not there; ${GUEST}`,
  ),
  line(
    /^(no )?vrrp \d+ (version|checksum-with-ipv4-pseudoheader|shutdown)/,
    "vrrp has its settings in one line",
  ),
];

const IN_OSPF: readonly FrrLine[] = [
  line(
    /^(no )?area \S+ authentication/,
    "`ip ospf authentication` stands in the block of each interface of the area",
  ),
  line(
    /^(no )?area \S+ (nssa|range|virtual-link|shortcut|filter-list|export-list|import-list)/,
    "areas may be stub",
  ),
  line(/^(no )?area \S+ default-cost /, "the default route of a stub area has the cost 1"),
  line(
    /^(no )?redistribute (?!(connected|static|rip|bgp)( |$))/,
    "connected and static routes, and those of RIP and BGP, may be redistributed",
  ),
  line(/^(no )?distance \d+ \S/, "a distance is of all routes, or of a kind of them"),
  line(/^(no )?neighbor /, "NBMA links are not there"),
  line(
    /^(no )?(max-metric|distribute-list|default-metric|maximum-paths|compatible|ospf abr-type|capability|graceful-restart|summary-address|aggregation|mpls-te|mpls|router-info|segment-routing|refresh|write-multiplier|ospf (write-multiplier|opaque-lsa|rfc1583compatibility)|proactive-arp|socket-buffer|fast-reroute)( |$)/,
    "it is not there",
  ),
  line(/^(no )?bfd \S/, "`ip ospf bfd` stands in the block of each interface"),
];

const IN_RIP: readonly FrrLine[] = [
  line(
    /^(no )?redistribute (?!(connected|static|ospf|bgp)( |$))/,
    "connected and static routes, and those of OSPF and BGP, may be redistributed",
  ),
  line(/^(no )?distance \d+ \S/, "a distance is of all routes"),
  line(
    /^(no )?distribute-list (?!prefix )/,
    "access lists of routes are not there; `distribute-list prefix` is",
  ),
  line(/^version 1$/, "only version 2 is there"),
  line(/^(no )?(default-metric|offset-list|route-map|route|allow-ecmp)( |$)/, "it is not there"),
  line(/^(no )?bfd \S/, "BFD is there for OSPF, BGP, and peers of `bfd`"),
];

const IN_ROUTE_MAP: readonly FrrLine[] = [
  line(
    /^(no )?match (ip|ipv6) (address|next-hop|route-source)( \S+)?$/,
    "access lists of routes are not there; `prefix-list` is",
  ),
  line(
    /^(no )?match (ip route-source|extcommunity|evpn|mac|rpki|rpki-extcommunity|vpn|probability|source-instance|source-vrf|alias|command|script|route-type|src-peer)( |$)/,
    "the clause is not there",
  ),
  line(/^(no )?match (community|large-community) \S+ any$/, "the clause is not there"),
  line(
    /^(no )?set (src|table|label-index|l3vpn|sr-te|evpn|vpn|ipx|forwarding-address|min-metric|max-metric|ipv6 next-hop prefer-global|ipv6 vpn|ip vpn|as-path replace|extcommunity (bandwidth|none|color|nt)|extended-comm-list|script|aigp-metric)( |$)/,
    "the clause is not there",
  ),
  line(/^(no )?set metric ([+-]?rtt|igp|aigp)$/, "a metric is a number here"),
  line(/^(no )?set as-path exclude (all|as-path-access-list)/, "`set as-path exclude` has numbers here"),
];

const NOT_OF_BGP = `it is not there; ${GUEST}`;

const IN_BGP: readonly FrrLine[] = [
  line(/^(no )?neighbor \S*:\S* /, `BGP has IPv4 neighbors alone; ${GUEST}`),
  line(/^(no )?neighbor \S+ interface( |$)/, `unnumbered neighbors are not there; ${GUEST}`),
  line(/^(no )?neighbor \S+ peer-group/, "peer groups are not there: give each neighbor its lines"),
  line(/^(no )?neighbor [a-z_]\S* /i, "peer groups are not there: give each neighbor its lines"),
  line(/^(no )?neighbor \S+ (distribute-list|unsuppress-map|advertise-map)( |$)/, FILTERS_OF_ROUTES),
  line(/^(no )?neighbor \S+ default-originate route-map /, FILTERS_OF_ROUTES),
  line(/^(no )?neighbor \S+ password /, `MD5 is not there; ${GUEST}`),
  line(/^(no )?neighbor \S+ ttl-security /, `TTL security is not there; ${GUEST}`),
  line(/^(no )?neighbor \S+ bfd (\d|check-|strict)/, "`neighbor ADDR bfd` and `bfd profile NAME` are there"),
  line(
    /^(no )?neighbor \S+ maximum-prefix .*restart /,
    "a session with too many prefixes waits for clear ip bgp",
  ),
  line(/^(no )?neighbor \S+ send-community( |$)/, "all communities are sent"),
  line(
    /^(no )?neighbor \S+ (addpath-\S+|disable-addpath-rx|as-override|attribute-unchanged|capability|dont-capability-negotiate|override-capability|strict-capability-match|enforce-first-as|graceful-restart\S*|graceful-shutdown|maximum-prefix-out|route-server-client|sender-as-path-loop-detection|soo|solo|tcp-mss|delayopen|extended-optional-parameters|port|role|local-role|accept-own|aigp|path-attribute|oad|rpki|shutdown (message|rtt))( |$)/,
    NOT_OF_BGP,
  ),
  line(/^(no )?network \S+ (route-map|backdoor|label-index|non-connected)/, "a network has no further words"),
  line(/^(no )?network \S*:/, `BGP exchanges IPv4 unicast routes alone; ${GUEST}`),
  line(/^(no )?redistribute .*route-map /, FILTERS_OF_ROUTES),
  line(
    /^(no )?redistribute (?!(connected|static|ospf|rip)\b)/,
    "connected, static, OSPF and RIP routes may be redistributed",
  ),
  line(/^(no )?(timers|distance) (?!bgp )/, NOT_OF_BGP),
  line(/^(no )?maximum-paths ibgp \d+ equal-cluster-length/, NOT_OF_BGP),
  line(
    /^(no )?bgp (confederation|dampening|graceful-restart|graceful-shutdown|listen|max-med|route-reflector|route-map|shutdown|suppress-duplicates|suppress-fib-pending|update-delay|wait-for-convergence|long-lived-graceful-restart|labeled-unicast|lu|minimum-holdtime|tcp-keepalive|disable-ebgp-connected-route-check|disable-ebgp-connected-nexthop-check|fast-external-failover|fast-convergence|default (show-hostname|show-nexthop-hostname|subgroup-pkt-queue-max|shutdown|ipv6-unicast|l2vpn-evpn|link-local-capability|software-version-capability|ipv4-(?!unicast$)\S+)|enforce-first-as|hard-administrative-reset|reject-as-sets|session-dscp|ipv6-auto-ra|input-queue-limit|output-queue-limit|conditional-advertisement|nexthop|nht|snmp|inq-limit|outq-limit|use-underlays-nexthop-weight|retain|rpki|bestpath (as-path confed|bandwidth|peer-type|aigp|med confed))/,
    NOT_OF_BGP,
  ),
  line(
    /^(no )?(aggregate-address|table-map|coalesce-time|read-quanta|write-quanta|update-delay|import|export|label|rd|rt|route-target|segment-routing|srv6|sid|ip dscp|bmp|neighbor-group|default-information|advertise|vnc|vrf-policy)( |$|\d)/,
    NOT_OF_BGP,
  ),
];

const IN_BFD: readonly FrrLine[] = [
  line(
    /^(no )?(echo-mode|echo (transmit-|receive-)?interval|echo-interval)( |$)/,
    "the echo function is not there",
  ),
  line(/^(no )?log-session-changes$/, "the log has the changes of sessions"),
  line(/^(no )?peer .*vrf /, "BFD runs among the ports without a VRF"),
  line(/^(no )?bfd-mode /, "seamless BFD is not there"),
];

type Mode = ConsoleMode["kind"];

const find = (lines: readonly FrrLine[], text: string): string | undefined =>
  lines.find(({ pattern }) => pattern.test(text))?.about;

/** The lines of a mode, beside those that stand anywhere. */
const IN_MODE: Readonly<
  Record<Mode, { readonly harmless?: readonly FrrLine[]; readonly missing: readonly FrrLine[] }>
> = {
  config: { missing: [ROUTER_ID] },
  interface: { harmless: HARMLESS_IN_INTERFACE, missing: [...IN_INTERFACE, ROUTER_ID] },
  rip: { harmless: HARMLESS_IN_ROUTER, missing: [...IN_RIP, ROUTER_ID] },
  ospf: { harmless: HARMLESS_IN_ROUTER, missing: IN_OSPF },
  "route-map": { missing: [...IN_ROUTE_MAP, ROUTER_ID] },
  bgp: { harmless: HARMLESS_IN_BGP, missing: IN_BGP },
  "bgp-ipv4": { harmless: HARMLESS_IN_BGP, missing: IN_BGP },
  bfd: { missing: IN_BFD },
  "bfd profile": { missing: IN_BFD },
  "bfd peer": { missing: IN_BFD },
};

export const isHarmless = (text: string, mode: Mode): boolean =>
  (find(IN_MODE[mode].harmless ?? [], text) ?? find(HARMLESS, text)) !== undefined;

/** Returns why a block is not there, from its first line; undefined for other lines. */
export const missingBlock = (text: string): string | undefined => find(BLOCKS, text);

/** Returns why a line is not there; undefined for lines that the table does not have. */
export const missingLine = (text: string, mode: Mode): string | undefined =>
  find(IN_MODE[mode].missing, text) ?? find(FILTERS, text);

/** The end of a block that is not there. */
export const endsBlock = (text: string): boolean => /^(exit|quit|end|exit-vrf)$/.test(text);

/** Lines that stand at the top, also after a block without an end. */
export const beginsBlock = (text: string): boolean =>
  /^(interface|router|vrf|line|hostname|frr|log|(ip|ipv6) (route|prefix-list)|route-map|bgp (as-path|community-list|large-community-list))( |$)/.test(
    text,
  );
