/** One worker that plays the lab of a view; signals follow what it reports. */
import { signal } from "@preact/signals";
import type { LabReport, ShownPacket } from "@wirelab/lab/report/report";
import { send } from "../api/call.ts";
import type { TestRequest, TestResponse } from "./model.ts";
import type { SweepRow } from "./play.ts";
import type { Timeline } from "./timeline.ts";

export interface Sweep {
  readonly pairs: readonly string[];
  /** How many rows there will be. */
  readonly total: number;
  readonly rows: readonly SweepRow[];
}

export class Player {
  readonly isRunning = signal(false);
  readonly report = signal<LabReport | undefined>(undefined);
  readonly timeline = signal<Timeline | undefined>(undefined);
  /** The packets around the time that `showAt` asked for last. */
  readonly packets = signal<readonly ShownPacket[]>([]);
  readonly sweep = signal<Sweep | undefined>(undefined);
  /** What the played lab does not have, in words. */
  readonly warnings = signal<readonly string[]>([]);
  /** What has kept the lab from being played, in words. */
  readonly problem = signal("");
  #worker: Worker | undefined;

  /** @param path of the project. @throws ApiProblem when the lab cannot be exported. */
  async play(path: string, kind: "tests" | "sweep", text: string): Promise<void> {
    this.stop();
    this.report.value = undefined;
    this.sweep.value = undefined;
    this.timeline.value = undefined;
    this.packets.value = [];
    this.warnings.value = [];
    this.problem.value = "";
    this.isRunning.value = true;
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<TestResponse>) => this.#take(data);
    try {
      const exported = await send("GET", `${path}/export`);
      const archive = new Uint8Array(await exported.arrayBuffer());
      const request: TestRequest = { kind, archive, text };
      // Another run may have begun meanwhile; its worker has taken the place of this one.
      if (this.#worker === worker) worker.postMessage(request, [archive.buffer]);
    } catch (error) {
      if (this.#worker === worker) this.stop();
      throw error;
    }
  }

  /** Asks for the packets around a time. */
  showAt(atNs: number): void {
    this.#worker?.postMessage({ kind: "at", atNs } satisfies TestRequest);
  }

  stop(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.isRunning.value = false;
  }

  #take(response: TestResponse): void {
    switch (response.kind) {
      case "warnings":
        this.warnings.value = response.warnings;
        return;
      case "report":
        this.report.value = response.report;
        return;
      case "pairs":
        this.sweep.value = { pairs: response.pairs, total: response.rows, rows: [] };
        return;
      case "row": {
        const sweep = this.sweep.value!;
        this.sweep.value = { ...sweep, rows: [...sweep.rows, response.row] };
        return;
      }
      case "problem":
        this.problem.value = response.message;
        this.stop();
        return;
      case "timeline":
        this.timeline.value = response.timeline;
        return;
      case "packets":
        this.packets.value = response.packets;
        return;
      case "done":
        // The worker keeps the packets of a timeline.
        this.isRunning.value = false;
    }
  }
}
