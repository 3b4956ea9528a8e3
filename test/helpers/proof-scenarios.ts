/** The commands with which the simulated PC is held against the real one. Waits that need not be long are kept short. */
import type { Step } from "./proof-steps.ts";

export interface Scenario {
  readonly name: string;
  readonly steps: readonly Step[];
}

const ADDRESSES: Step = { A: "ip 10.0.0.1/24", B: "ip 10.0.0.2/24" };
const IPV6_ADDRESSES: Step = { A: "ip 2001:db8::1/64", B: "ip 2001:db8::2/64" };

export const SCENARIOS: readonly Scenario[] = [
  {
    name: "echo requests",
    steps: [
      ADDRESSES,
      { A: "ping 10.0.0.2 -c 3 -i 100" },
      { A: "show arp", B: "show arp" },
      { B: "ping 10.0.0.1 -c 1 -i 50" },
      { A: "ping 10.0.0.2 -c 1 -i 50 -l 100" },
      { A: "ping 10.0.0.2 -c 1 -i 50 -l 0" },
      { A: "ping 10.0.0.2 -c 1 -i 50 -D" },
      { A: "ping 10.0.0.2 -c 1 -i 50 -T 3" },
      { A: "ping 10.0.0.2 -c 1 -i 50 -T 300" },
      { A: "ping 10.0.0.1 -c 2 -i 50" },
      { A: "ping 10.0.0.2 -c 2 -i 100", B: "ping 10.0.0.1 -c 2 -i 100" },
      { A: "ping 10.0.0.2 -c 0" },
      { A: "ping 10.0.0.9 -c 2" },
    ],
  },
  {
    name: "UDP pings",
    steps: [
      ADDRESSES,
      { A: "ping 10.0.0.2 -c 2 -i 100 -2" },
      { B: "ping 10.0.0.1 -c 1 -i 50 -2 -p 5000 -l 100" },
      { A: "ping 10.0.0.2 -c 1 -i 50 -P 17 -s 4000 -T 5" },
      { A: "ping 10.0.0.9 -c 1 -2" },
    ],
  },
  {
    name: "TCP pings",
    steps: [
      ADDRESSES,
      { A: "ping 10.0.0.2 -c 2 -w 500 -3" },
      { B: "ping 10.0.0.1 -c 1 -w 500 -3 -p 80 -l 10" },
      { A: "ping 10.0.0.2 -c 1 -w 500 -P 6 -f s" },
      { A: "ping 10.0.0.2 -c 1 -w 500 -3 -f FPU" },
      { A: "ping 10.0.0.9 -c 1 -3" },
    ],
  },
  {
    name: "traces",
    steps: [
      ADDRESSES,
      { A: "trace 10.0.0.2" },
      { B: "trace 10.0.0.1 -P 1" },
      { A: "trace 10.0.0.2 -P 6" },
      { A: "trace 10.0.0.2 -m 3" },
      { A: "trace 10.0.0.1" },
      { A: "trace 10.0.0.9" },
    ],
  },
  {
    name: "a duplicate address",
    steps: [
      { A: "ip 10.0.0.1/24" },
      { B: "ip 10.0.0.1/24" },
      { B: "show ip" },
      { B: "ip 10.0.0.3/24" },
      { B: "ping 10.0.0.1 -c 1 -i 50" },
    ],
  },
  {
    name: "gateways and mistakes",
    steps: [
      { A: "ping 10.0.0.2 -c 1 -w 500 -i 50" },
      { A: "ip 10.0.0.1/24 10.0.0.254", B: "ip 10.0.0.2 10.0.0.3 26" },
      { A: "show ip", B: "show ip" },
      { A: "ping 10.9.9.9 -c 1", B: "ping 10.9.9.9 -c 1" },
      { A: "show", B: "arp" },
      { A: "ip 10.0.0.0/24" },
      { A: "ip 10.0.0.1/24 10.1.0.1" },
      { A: "ip 256.1.1.1" },
      { A: "nonsense" },
      { A: "clear ip" },
      { A: "s" },
    ],
  },
  {
    name: "IPv6",
    steps: [
      IPV6_ADDRESSES,
      { A: "ping 2001:db8::2 -c 3 -w 500" },
      { A: "neighbor", B: "neighbor" },
      { B: "ping 2001:db8::1 -c 1 -w 500 -l 100" },
      { A: "ping 2001:db8::2 -c 1 -w 500 -T 9" },
      { A: "ping fe80::250:79ff:fe66:6801 -c 1 -w 500" },
      { A: "ping fe80::1 -c 1 -w 500" },
      { A: "ping 2001:db8::2 -c 2 -w 500 -2" },
      { A: "ping 2001:db8::1 -c 1" },
      { A: "ping 2001:db8::99 -c 1" },
      { A: "trace 2001:db8::2" },
      { A: "show", B: "show ipv6" },
      { A: "clear ipv6" },
      { A: "ip auto" },
    ],
  },
  {
    // With an address each: a ping without one ends 0.5b2 with a memory error.
    name: "two subnets",
    steps: [
      { A: "ip 10.5.0.1/24", B: "ip 10.0.0.2/24" },
      { A: "ping 10.0.0.2 -c 1" },
      { A: "trace 10.0.0.2" },
      { B: "show arp" },
      { B: "show" },
    ],
  },
  {
    name: "what needs no other PC",
    steps: [
      { A: "ip 10.0.0.1/24" },
      { A: "ping 10.0.0.2 -Z" },
      { A: "ping 10.0.0.2 -3 -f XYZ" },
      { A: "ping nowhere" },
      { A: "ping 10.0.0.300" },
      { A: "trace 10.0.0.2 -P" },
      { A: "trace 10.0.0.2 -P 99" },
      { A: "trace 10.0.0.2 -m 99" },
      { A: "trace 10.0.0.2 -m" },
      { A: "ip 10.0.0.1/100" },
      { A: "ip 10.0.0.1/24 10.0.0.1" },
      { A: "ip 10.0.0.1/24 10.0.0.255" },
      { A: "ip dns 10.0.0.53 10.0.0.54" },
      { A: "ip dns bad" },
      { A: "ip dns 10.0.0.53 bad" },
      { A: "ip domain lab." },
      { A: "ip domain" },
      { A: "ip 2001:db8::zz/64" },
      { A: "show ip" },
      { A: "show foo" },
      { A: "show arp x" },
      { A: "show arp all" },
      { A: "show ip all" },
      { A: "show dump" },
      { A: "clear foo" },
      { A: "clear arp" },
      { A: "echo  two  spaces" },
      { A: "sleep 1 some words" },
      { A: "set pcname R1" },
      { A: "set pcname" },
      { A: "set lport 80" },
      { A: "set foo" },
      { A: "set dump mac" },
      { A: "set dump off" },
      { A: "set echo" },
      { A: "PING 10.0.0.2" },
      { A: "d" },
      { A: "h" },
      { A: "load nofile" },
      { A: "history" },
    ],
  },
];

/** What 0.5b2 cannot do, so that only tshark judges it. */
export const NEWER_STEPS: readonly Step[] = [
  { A: "ip dhcp" },
  ADDRESSES,
  IPV6_ADDRESSES,
  { A: "ping 10.0.0.2 -c 1 -l 1473" },
  { A: "ping 10.0.0.2 -c 1 -l 65507 -D" },
  { A: "ping 10.0.0.2 -c 1 -l 2000 -u 700 -2" },
  { A: "ping 10.0.0.2 -c 1 -l 1400 -3" },
  { A: "ping 2001:db8::2 -c 1 -3" },
  { A: "trace 2001:db8::2" },
  { A: "ip dns 10.0.0.2" },
  { A: "ping www.lab.test -c 1" },
];
