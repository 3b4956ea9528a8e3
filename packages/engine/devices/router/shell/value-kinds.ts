/** The kinds of values of a router's commands. */
import { byName } from "../../console/by-name.ts";
import type { ValueKind } from "../../console/match.ts";

const NUMBER = /^\d+$/;
/** An address has a point or a colon. */
const ADDRESS = /[.:]/;

const number = (meaning: string): ValueKind => ({ meaning, pattern: NUMBER });
const address = (meaning: string): ValueKind => ({ meaning, pattern: ADDRESS });

export const VALUES = byName<ValueKind>({
  PORT: { meaning: "Name of an interface, or a port's number", of: "interfaces" },
  INTERFACE: { meaning: "Name of an interface that is not a port", of: "interfaces" },
  "PORT.N": { meaning: "Name of the subinterface: a port's name, a point, and more" },
  ACL: { meaning: "Name of an access list", of: "acls" },
  MAP: { meaning: "Name of a map of policy routing", of: "pbrMaps" },
  VRF: { meaning: "Name of a table of routes", of: "vrfs" },
  NAME: { meaning: "Name" },
  TEXT: { meaning: "Words that mean nothing" },
  TARGET: { meaning: "Name that it stands for" },
  RULE: { meaning: "Words of the rule" },
  "STATE[,STATE]": { meaning: "new, established, related or invalid" },
  ADDR: address("IPv4 or IPv6 address (10.0.1.1, 2001:db8::1)"),
  "ADDR[%PORT]": address("Address; %PORT names the interface of one that may be on any"),
  "ADDR/LEN": { meaning: "Address with prefix length (10.0.1.1/24, 2001:db8::1/64)", pattern: /\// },
  PREFIX: address("Network with prefix length (10.9.0.0/16, 2001:db8::/32)"),
  SUBNET: address("Subnet with prefix length (10.9.0.0/16)"),
  GW: address("Address of the gateway"),
  SERVER: address("Address of a server"),
  LOCAL: address("Own address of the tunnel"),
  REMOTE: address("Address of the other end"),
  INSIDE: address("Address of the host inside"),
  OUTSIDE: address("Address that others see"),
  FIRST: address("First address"),
  LAST: address("Last address"),
  "FIRST[-LAST]": address("Address, or a range of addresses"),
  "PORT[-LAST]": { meaning: "Port number, or a range of them", pattern: /^[\d-]+$/ },
  DSCP: { meaning: "Code point: 0 to 63, cs1, af11, ef" },
  "N[-M]": { meaning: "Port number, or a range of them (80-90)", pattern: /^[\d-]+$/ },
  MAC: { meaning: "MAC address (00:50:79:66:68:00)" },
  ID: number("Number"),
  KEY: { meaning: "The secret that the neighbours share" },
  N: number("Number"),
  NUMBER: number("Number"),
  VLAN: number("Number of the VLAN, 1 to 4094"),
  LIST: { meaning: "VLANs (10,20,30-39)" },
  VNI: number("Number of the segment"),
  SEQ: number("Number of the rule"),
  BYTES: number("Number of bytes"),
  SECONDS: number("Number of seconds"),
  MS: number("Milliseconds, a multiple of 10"),
  HOPS: number("Number of hops"),
  UPDATE: number("Seconds between updates"),
  TIMEOUT: number("Seconds until a route is lost"),
  AREA: { meaning: "Number of the area, or the same as an address", pattern: /^[\d.]+$/ },
  MILLISECONDS: number("Milliseconds"),
  DELAY: number("Milliseconds until the first computation"),
  HOLD: number("Milliseconds between two"),
  MAX: number("Milliseconds that they grow to"),
  GARBAGE: number("Seconds until a lost route is forgotten"),
});
