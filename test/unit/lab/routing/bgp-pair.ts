/** Labs of two or three routers with BGP, for the tests of `adjacency`, `rib` and `best`. */

/** Two routers, each with a network behind it. */
export const bgpPair = (one: string, other: string, events = ""): string =>
  `
nodes:
  r1:
    type: router
    ports: [{ipv4: 10.1.0.1/24}, {ipv4: 10.0.12.1/24}]
    bgp: {as: 65001, ${one}}
  r2:
    type: router
    ports: [{ipv4: 10.2.0.1/24}, {ipv4: 10.0.12.2/24}]
    bgp: {as: 65002, ${other}}
links: [{link: "r1:1 -- r2:1", name: middle}, "r1:0 -- h1:0", "r2:0 -- h2:0"]
${events}`.replace(
    "links:",
    "  h1: {ip: 10.1.0.9/24, gateway: 10.1.0.1}\n  h2: {ip: 10.2.0.9/24, gateway: 10.2.0.1}\nlinks:",
  );

export const TO_2 = "neighbors: {10.0.12.2: {remote_as: 65002}}";
export const TO_1 = "neighbors: {10.0.12.1: {remote_as: 65001}}";
/** Without a policy, as labs of a book have it. */
export const OPEN = "ebgp_requires_policy: false";
