/** Links between nodes of registered computes carry packets in real time, and not through the engine. */
import { failure } from "../shared/edge/errors.ts";
import type { LinkItem } from "../shared/store/lab/link.ts";

/** @throws ApiError `link.real` @param what the service cannot do with such a link. */
export function refuseReal({ link_id, tunnel, doing }: LinkItem, what: string): void {
  if (tunnel ?? doing) throw failure("link.real", { link_id, what });
}
