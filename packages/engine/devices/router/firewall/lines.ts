/** The access lists of a port as console commands. */
import { PORT_ACL_KEYS, type PortAcls } from "./acl-spec.ts";

export const portAclLines = (port: string, acls: PortAcls | undefined): string[] =>
  PORT_ACL_KEYS.flatMap((key) => {
    const name = acls?.[key];
    return name === undefined ? [] : [`access-group ${port} ${name} ${key.endsWith("in") ? "in" : "out"}`];
  });
