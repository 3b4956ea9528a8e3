/** Links between nodes of registered computes carry packets in real time, and not through the engine. */
import { failureOf } from "../shared/edge/errors.ts";
import { REAL_LINK_ERRORS } from "../shared/edge/own-errors/real-link.ts";
import type { LinkItem } from "../shared/store/lab/link.ts";

/** Returns whether the link joins nodes of computes. */
export const isReal = ({ tunnel, doing }: LinkItem): boolean => (tunnel ?? doing) !== undefined;

/** @throws ApiError `link.real` @param what the service cannot do with such a link. */
export function refuseReal(link: LinkItem, what: string): void {
  if (isReal(link)) throw failureOf(REAL_LINK_ERRORS, "link.real", { link_id: link.link_id, what });
}
