/// <reference lib="webworker" />
/** Parses, filters and decodes captures beside the page, so that the page stays responsive. */
import type { Request, Response } from "./model.ts";
import { PacketStore } from "./packet-store.ts";

declare const self: DedicatedWorkerGlobalScope;

/** Counts are reported together, not for each piece of a file. */
const REPORT_MS = 100;

const store = new PacketStore();
let isReportDue = false;

const send = (response: Response): void => self.postMessage(response);

function report(): void {
  if (isReportDue) return;
  isReportDue = true;
  setTimeout(() => {
    isReportDue = false;
    send({ type: "counts", counts: store.counts() });
  }, REPORT_MS);
}

self.onmessage = ({ data: request }: MessageEvent<Request>): void => {
  if (request.type === "rows") {
    const { id, from, count } = request;
    send({ type: "rows", id, rows: store.rows(from, count) });
    return;
  }
  if (request.type === "packet") {
    send({ type: "packet", id: request.id, packet: store.packet(request.index) });
    return;
  }
  if (request.type === "open") store.open(request.sources);
  else if (request.type === "bytes") store.take(request.source, request.bytes);
  else send({ type: "filtered", problem: store.filter(request.expression) });
  report();
};
