/** Returns the packets of a capture in JSON. */

import { compileForPeople } from "@wirelab/engine/bpf/compile-for-people";
import { FilterSyntaxError, type PacketPredicate } from "@wirelab/engine/bpf/index";
import { invalidRequest } from "../shared/edge/errors.ts";
import type { Operation } from "../shared/edge/operation.ts";
import type { DataLinkType } from "../shared/schemas/common.ts";
import { isThere } from "../shared/store/lab/capture-there.ts";
import { pagePackets } from "./page-packets.ts";
import { findCapture } from "./read-captures.ts";
import { readFile } from "./read-file.ts";
import type { group } from "./routes.ts";

/** Stated in the route's description. */
const MOST_PACKETS = 1_000_000;
const LONGEST_MS = 20_000;

export const listPackets: Operation<typeof group.routes.listPackets> = async ({ access, params, query }) => {
  const { capture, running } = await findCapture(access, params);
  const { data_link_type } = capture;
  const predicate = compile(query.filter, data_link_type);
  const file = readFile(capture, running);
  const endMs = performance.now() + LONGEST_MS;
  const page = await pagePackets(file, {
    linkType: data_link_type,
    total: isThere(capture) ? undefined : ((running ?? capture).packets ?? 0),
    limit: query.limit,
    offset: query.offset,
    mostPackets: MOST_PACKETS,
    hasTime: () => performance.now() < endMs,
    ...(predicate && { predicate }),
  });
  return { status: 200, body: page };
};

/** @throws ApiError 400 with line and column. */
function compile(filter: string | undefined, linkType: DataLinkType): PacketPredicate | undefined {
  if (!filter?.trim()) return undefined;
  try {
    return compileForPeople(filter, linkType);
  } catch (error) {
    if (!(error instanceof FilterSyntaxError)) throw error;
    throw invalidRequest([{ path: "query.filter", message: error.message }]);
  }
}
