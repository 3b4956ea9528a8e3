/** How much the newest capture of a link has recorded. The service makes no event of it, so it is read while someone looks at it. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Capture } from "../../../functions/shared/schemas/capture.ts";
import { call } from "../api/call.ts";
import type { Link } from "../api/types.ts";
import type { Lab } from "../lab/lab.ts";

type Counts = Pick<Capture, "packets" | "bytes" | "limit_reached">;

/** By link id: the newest capture of the links that were looked at. */
const counts = signal<ReadonlyMap<string, Counts>>(new Map());

const READ_EVERY_MS = 2000;

async function read(lab: Lab, linkId: string): Promise<void> {
  const captures = await call<Capture[]>("GET", `${lab.path}/links/${linkId}/captures`);
  const newest = captures.at(-1);
  if (newest !== undefined) counts.value = new Map(counts.peek()).set(linkId, newest);
}

/**
 * Reads the counts once, and again and again while the link is being captured, the page is in sight and the service can be reached.
 * @returns in words; empty for a link without a capture.
 */
export function useCaptureCounts(lab: Lab, { link_id: id, capturing }: Link): string {
  const isConnected = lab.isConnected.value;
  useEffect(() => {
    if (!isConnected) return;
    const readNow = () => {
      // A later reading mends a failure; the panel shows what it has.
      if (document.visibilityState === "visible") read(lab, id).catch(() => {});
    };
    readNow();
    if (!capturing) return;
    const timer = setInterval(readNow, READ_EVERY_MS);
    return () => clearInterval(timer);
  }, [lab, id, capturing, isConnected]);
  const found = counts.value.get(id);
  return found === undefined ? "" : countWords(found, capturing);
}

const COUNT = new Intl.NumberFormat("en");

function countWords({ packets, bytes, limit_reached }: Counts, isRunning: boolean): string {
  const amount = `${COUNT.format(packets)} ${packets === 1 ? "packet" : "packets"}, ${COUNT.format(bytes)} bytes`;
  if (!isRunning) return `Last capture: ${amount}`;
  return limit_reached ? `Captured: ${amount}; its limit is reached` : `Captured so far: ${amount}`;
}
