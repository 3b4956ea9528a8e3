/** Asks a registered compute what it is and how loaded it is. */
import * as z from "zod/mini";
import { ApiError } from "../edge/errors.ts";
import { nodeType } from "../schemas/node.ts";
import type { ComputeState } from "../store/base/compute-state.ts";
import type { ComputeItem } from "../store/base/service.ts";
import { callCompute } from "./call.ts";
import { peerOf } from "./find.ts";
import type { Peer } from "./peer.ts";

/** A list of computes waits as long as its slowest one. */
const TIMEOUT_MS = 2_000;

const capabilities = z.object({
  node_types: z.array(z.string()),
  platform: z.optional(z.string()),
  version: z.string(),
});
const load = z.object({ cpu_usage_percent: z.number(), memory_usage_percent: z.number() });

/** The interface of computes that this service speaks. */
const SPOKEN = /^2\.2(\.|$)/;

export const away = (last_error: string): ComputeState => ({
  capabilities: { node_types: [], version: null },
  connected: false,
  cpu_usage_percent: null,
  last_error,
  memory_usage_percent: null,
});

/** A compute that is away or refuses is a state, too, with the reason. @throws errors of the service's own stores. */
export async function probe(compute: ComputeItem): Promise<ComputeState> {
  const peer = await peerOf(compute);
  try {
    return await ask(peer);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return away(error.message);
  }
}

async function ask(peer: Peer): Promise<ComputeState> {
  const get = (path: string) => callCompute(peer, { method: "GET", path, timeoutMs: TIMEOUT_MS });
  const [about, usage] = await Promise.all([get("/capabilities"), get("/statistics")]);
  const known = capabilities.safeParse(about);
  const used = load.safeParse(usage);
  if (!known.success || !used.success)
    return away(`The server ${peer.name} is not a GNS3 server of version 2.2`);
  const { node_types, platform, version } = known.data;
  if (!SPOKEN.test(version)) return away(`Compute ${peer.name} has version ${version}; 2.2 is needed`);
  return {
    capabilities: {
      node_types: node_types.flatMap((type) => nodeType.safeParse(type).data ?? []),
      ...(platform !== undefined && { platform }),
      version,
    },
    connected: true,
    ...used.data,
    last_error: null,
  };
}
