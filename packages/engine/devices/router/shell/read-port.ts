/** Reads a port, or another interface, whose shape has the settings of its type, too. */

import { addressesOf } from "../../../net/plane/addressed.ts";
import type { Path, PropertyReader } from "../../../settings/property-reader.ts";
import { readDraft, type Shape, withoutProblems } from "../../../settings/shape.ts";
import type { RouterPortSpec } from "../services/base/config.ts";
import type { PortDraft } from "../services/base/property-drafts.ts";
import { PORT_ACL_KEYS } from "../services/firewall/acl-spec.ts";
import type { Own } from "../services/vrrp/settings.ts";
import { PHYSICAL } from "./port-shape.ts";

/** A port with every value invalid, so that no rule checks it. */
const WRONG_PORT: PortDraft = { name: null, ipv4: null, ipv6: null, mtuBytes: null, dhcp: null };

/** @param further keys that have no values here. */
export function readPort(
  reader: PropertyReader,
  value: unknown,
  path: Path,
  shape: Shape<Own>,
  further: readonly string[] = [],
): PortDraft {
  const own = addressesOf({ ...(value as object | null | undefined) });
  const draft = readDraft<Own, typeof PHYSICAL>(reader, value, path, shape as typeof PHYSICAL, own, further);
  if (draft === null) return WRONG_PORT;
  const { acl_in, acl_out, acl6_in, acl6_out, pbr, switchport, ...others } = draft;
  const lists = PORT_ACL_KEYS.filter((key) => draft[key]).map((key) => [key, draft[key]]);
  const acls = lists.length > 0 ? { acls: Object.fromEntries(lists) } : {};
  // The fingerprint of a configuration that was saved depends on the order of its keys.
  const entries = Object.entries(others);
  const spec: RouterPortSpec = withoutProblems<typeof PHYSICAL>({
    ...Object.fromEntries(entries.filter(([key]) => PORT_NAMES.has(key))),
    ...acls,
    ...(switchport && { switchport }),
    ...(pbr !== undefined && { pbr }),
    ...Object.fromEntries(entries.filter(([key]) => !PORT_NAMES.has(key))),
  });
  const { name = null, mtuBytes = null } = draft;
  return { ...others, ...acls, pbr, switchport, ...own, name, mtuBytes, dhcp: draft.dhcp, spec };
}

const PORT_NAMES: ReadonlySet<string> = new Set(
  Object.entries<Shape<Own>[string]>(PHYSICAL).map(([key, { name = key }]) => name),
);
