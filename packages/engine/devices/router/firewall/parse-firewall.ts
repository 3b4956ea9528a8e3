/** Parses the keys of a router's `properties` that filter and translate. */
import type { PropertyReader } from "../../../settings/property-reader.ts";
import { readNat } from "../nat/parse-nat.ts";
import type { PortDraft } from "../property-drafts.ts";
import { readConnections } from "./connection-limits.ts";
import type { FirewallSpec } from "./firewall-spec.ts";
import { checkPortAcls, readAcls } from "./parse-acls.ts";

/** @param ports and @param interfaces are read already. */
export function readFirewall(
  reader: PropertyReader,
  root: Readonly<Record<string, unknown>>,
  ports: readonly PortDraft[],
  interfaces: readonly PortDraft[],
): FirewallSpec {
  const acls = readAcls(reader, root.acls);
  const connections = readConnections(reader, root.connections);
  checkPortAcls("ports", ports, acls, reader);
  checkPortAcls("interfaces", interfaces, acls, reader);
  const nat = readNat(reader, root.nat, [...ports, ...interfaces]);
  return { ...(acls && { acls }), ...(connections && { connections }), ...(nat && { nat }) };
}
