/** A router between RIP and OSPF: what it announces on each side, and the lab that shows it. */

/** What route maps, lists and distances do, in the words of FRR. */
export const BETWEEN = `interface eth0
 ip address 10.0.1.2/24
exit
interface eth1
 ip address 10.0.2.2/24
 no ip ospf passive
exit
ip route 10.7.0.0/16 10.0.1.9 tag 7
ip route 10.8.0.0/16 10.0.1.9 tag 8
ip route 10.9.0.0/16 10.0.1.9 250
router rip
 timers basic 10 60 40
 distribute-list prefix NO in eth0
 network 10.0.1.2/24
 redistribute ospf metric 3 route-map TO-RIP
 version 2
exit
router ospf
 ospf router-id 2.2.2.2
 auto-cost reference-bandwidth 30000
 redistribute rip metric 30 metric-type 1 route-map TO-OSPF
 redistribute static route-map STATIC
 passive-interface default
 network 10.0.2.2/24 area 0
 distance ospf external 90
exit
ip prefix-list NO seq 5 deny 10.1.66.0/24
ip prefix-list NO seq 10 permit any
ip prefix-list ONE seq 5 permit 10.1.1.0/24
ip prefix-list LOOPS seq 5 permit 10.255.0.0/16 ge 32
route-map TO-OSPF permit 10
 match ip address prefix-list ONE
 set metric 50
 set metric-type type-2
 set tag 77
exit
route-map TO-OSPF deny 20
 match ip address prefix-list NONE
exit
route-map TO-OSPF permit 30
 set metric +5
exit
route-map TO-RIP permit 10
 match ip address prefix-list LOOPS
 set metric 7
exit
route-map TO-RIP permit 20
 match tag 7
exit
route-map STATIC permit 10
 match tag 7
exit
`;

export const indented = (text: string, by: string): string => text.replaceAll(/^(?=.)/gm, by);

/** @param node the router between, as lines of a lab file. @param run an event, as a line of a lab file. */
export const redistributionLab = (node: string, run = ""): string => `
nodes:
  r1:
    type: router
    config: |
      interface eth0
       ip address 10.0.1.1/24
      exit
      interface eth1
       ip address 10.1.1.1/24
      exit
      interface eth2
       ip address 10.1.2.1/24
      exit
      interface eth3
       ip address 10.1.66.1/24
      exit
      router rip
       timers basic 10 60 40
       network 10.0.0.0/8
  r2:
${indented(node, "    ")}
  r3:
    type: router
    config: |
      interface eth0
       ip address 10.0.2.3/24
      exit
      interface eth1
       ip address 10.3.1.1/24
      exit
      interface lo
       ip address 10.255.0.3/32
      exit
      ip route 10.9.0.0/16 10.3.1.9
      router ospf
       ospf router-id 3.3.3.3
       redistribute static
       network 10.0.0.0/8 area 0
  pc1: { ip: 10.1.1.2/24, gateway: 10.1.1.1 }
  pc2: { ip: 10.1.2.2/24, gateway: 10.1.2.1 }
  pc3: { ip: 10.1.66.2/24, gateway: 10.1.66.1 }
  pc4: { ip: 10.3.1.2/24, gateway: 10.3.1.1 }
links:
  - r1:eth0 -- r2:eth0
  - r2:eth1 -- r3:eth0
  - pc1 -- r1:eth1
  - pc2 -- r1:eth2
  - pc3 -- r1:eth3
  - pc4 -- r3:eth1
${run}
duration: 130s
expect:
  - rib: r1
    protocol: rip
    only: true
    routes:
      10.255.0.3/32: { via: 10.0.1.2, metric: 8 }
  - rib: r2
    protocol: rip
    only: true
    routes:
      10.1.1.0/24: { via: 10.0.1.1, distance: 120, metric: 2 }
      10.1.2.0/24: { via: 10.0.1.1, distance: 120, metric: 2 }
  - rib: r2
    routes:
      10.3.1.0/24: { via: 10.0.2.3, protocol: ospf, distance: 110, metric: 13 }
      10.9.0.0/16: { via: 10.0.2.3, protocol: ospf, distance: 90, metric: 20 }
  - rib: r3
    protocol: ospf
    only: true
    routes:
      10.1.1.0/24: { via: 10.0.2.2, metric: 50 }
      10.1.2.0/24: { via: 10.0.2.2, metric: 35 }
      10.7.0.0/16: { via: 10.0.2.2, metric: 20 }
`;
