/** The parts of a router, as its commands know them. A service or the console may add its own. */
import type { LeaseTable } from "../../../../net/dhcp/leases.ts";
import type { RouterProperties } from "./config.ts";
import type { SavedServices, Service, ServiceWorld } from "./service.ts";

export interface Parts extends ServiceWorld {
  readonly leases: LeaseTable;
  readonly services: {
    /** The service with a name, if it runs. The caller knows its class. */
    find<S extends Service>(name: keyof SavedServices): S | undefined;
  };
  /** Applies an edit of the running configuration. @returns what is wrong; nothing if the edit was valid. */
  change(edit: (properties: RouterProperties) => RouterProperties | string): readonly string[];
}
