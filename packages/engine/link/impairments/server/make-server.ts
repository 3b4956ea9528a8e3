import type { Rate } from "../settings/direction-settings.ts";
import { BurstServer } from "./burst-server.ts";
import { RateServer } from "./rate-server.ts";
import type { Server, ServerState } from "./server.ts";
import { TraceServer } from "./trace-server.ts";

export function makeServer(
  settings: Rate,
  originNs: number,
  state: ServerState | undefined,
  nowNs: number,
): Server {
  const { opportunities, burst } = settings;
  if (opportunities !== undefined) {
    return new TraceServer(opportunities, originNs, state?.kind === "trace" ? state : undefined, nowNs);
  }
  return burst > 0
    ? new BurstServer(settings, originNs, state, nowNs)
    : new RateServer(settings, originNs, state, nowNs);
}
