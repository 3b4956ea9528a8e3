/** Deletes the projects of namespaces that have ended, and later the namespaces. */
import { emptyNamespace } from "../shared/compute/empty-namespace.ts";
import { count } from "../shared/edge/metrics.ts";
import { forgetNamespace, hasEnded, listNamespaces } from "../shared/store/user/namespace.ts";

/** The gateway caches a sign-in for up to an hour; a request that it has admitted takes up to 15 minutes. */
const KEPT_MS = 2 * 3_600_000;

interface NamespaceSweep {
  readonly nowMs: number;
  readonly hasTime: () => boolean;
  /** Logs a failure, and continues. */
  readonly attempt: (what: string, step: () => Promise<void>) => Promise<void>;
}

export async function sweepNamespaces({ nowMs, hasTime, attempt }: NamespaceSweep): Promise<void> {
  for (const namespace of await listNamespaces()) {
    if (!hasTime()) return;
    if (!hasEnded(namespace, nowMs)) continue;
    await attempt(`namespace ${namespace.name}`, async () => {
      count("ExpiredProjects", await emptyNamespace(namespace.name, nowMs));
      if (hasEnded(namespace, nowMs - KEPT_MS)) await forgetNamespace(namespace);
    });
  }
}
