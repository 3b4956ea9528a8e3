/** Labs of OSPF routers for tests. */

/** Two routers at a link; `one` and `other` are further fields of their ports at it. */
export const pair = (one = "", other = one, further = ""): string => `
nodes:
  pc1: {ip: 10.1.0.10/24, gateway: 10.1.0.1}
  pc2: {ip: 10.2.0.10/24, gateway: 10.2.0.1}
  r1:
    type: router
    ports: [{ipv4: 10.1.0.1/24}, {ipv4: 10.0.12.1/24, ospf: {${one}}}]
    ospf: {router_id: 1.1.1.1, networks: {10.0.0.0/8: "0"}}
  r2:
    type: router
    ports: [{ipv4: 10.2.0.1/24}, {ipv4: 10.0.12.2/24, ospf: {${other}}}]
    ospf: {router_id: 2.2.2.2, networks: {10.0.0.0/8: "0"}}
links:
  - pc1 -- r1:0
  - pc2 -- r2:0
  - {link: "r1:1 -- r2:1", name: middle}
${further}`;
