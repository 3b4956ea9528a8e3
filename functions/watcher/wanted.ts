/** Which computes are followed for the clients that are connected over WebSockets. */
import { SERVICE } from "../shared/edge/access.ts";
import { readService } from "../shared/store/base/service.ts";
import { listComputesOf } from "../shared/store/lab/real-nodes.ts";
import { readProjects } from "../shared/store/project/read-projects.ts";
import type { Connection } from "../shared/store/sockets/connection.ts";

export interface Wanted {
  /** Whether a client follows the service. */
  readonly service: boolean;
  /** The computes of each project that a client follows. */
  readonly projects: ReadonlyMap<string, ReadonlySet<string>>;
  readonly computes: ReadonlySet<string>;
}

/** Remembers the computes of a project while nothing is added to it or removed from it. */
export class WantedComputes {
  readonly #known = new Map<string, { readonly contents: number; readonly computes: ReadonlySet<string> }>();

  async read(connections: readonly Connection[]): Promise<Wanted> {
    const channels = Map.groupBy(connections, ({ channel }) => channel);
    const service = channels.has("serviceNotifications");
    const ids = new Set(channels.get("projectNotifications")?.map(({ params }) => params.project_id ?? ""));
    const followed = ids.size === 0 ? [] : await readProjects(SERVICE, [...ids]);
    const projects = new Map<string, ReadonlySet<string>>();
    for (const { project_id, on_computes, deleting, contents = 0 } of followed) {
      if (!on_computes || deleting) continue;
      const known = this.#known.get(project_id);
      const computes = known?.contents === contents ? known.computes : await listComputesOf(project_id);
      this.#known.set(project_id, { contents, computes });
      projects.set(project_id, computes);
    }
    const registered = service ? (await readService()).computes.map(({ compute_id }) => compute_id) : [];
    const computes = new Set([...registered, ...[...projects.values()].flatMap((all) => [...all])]);
    return { service, projects, computes };
  }
}
