/** The captures of a compute in memory: files that grow while a capture runs, and outlive a restart. */
import type { ServerResponse } from "node:http";
import { encodeRecords, type RecordInput } from "@wirelab/engine/pcap/capture-writer";
import { encodeCaptureHeader } from "@wirelab/engine/pcap/file-header";

interface Running {
  readonly file: string;
  readonly followers: Set<ServerResponse>;
}

const LINKTYPE_ETHERNET = 1;

export class FakeCaptures {
  /** By project and name. */
  readonly files = new Map<string, Buffer>();
  /** By node and port. */
  readonly #running = new Map<string, Running>();

  isRunning(port: string): boolean {
    return this.#running.has(port);
  }

  /** The ports on which captures run. */
  get running(): string[] {
    return [...this.#running.keys()];
  }

  /** @returns false when a capture is running there. Truncates an existing file, as uBridge does. */
  start(port: string, file: string): boolean {
    if (this.#running.has(port)) return false;
    this.files.set(file, Buffer.from(encodeCaptureHeader({ linkType: LINKTYPE_ETHERNET })));
    this.#running.set(port, { file, followers: new Set() });
    return true;
  }

  stop(port: string): void {
    for (const follower of this.#running.get(port)?.followers ?? []) follower.end();
    this.#running.delete(port);
  }

  /** Ends all captures of a node, or of all nodes. */
  stopAll(nodeId = ""): void {
    for (const port of this.#running.keys()) if (port.startsWith(nodeId)) this.stop(port);
  }

  /** Adds packets to the captures that run on the node. */
  record(nodeId: string, packets: readonly RecordInput[]): void {
    this.append(nodeId, Buffer.from(encodeRecords(packets)));
  }

  append(nodeId: string, bytes: Buffer): void {
    for (const [port, { file, followers }] of this.#running) {
      if (!port.startsWith(nodeId)) continue;
      this.files.set(file, Buffer.concat([this.files.get(file)!, bytes]));
      for (const follower of followers) follower.write(bytes);
    }
  }

  /** Breaks off the streams of followers; the captures go on. */
  hangUp(): void {
    for (const { followers } of this.#running.values()) {
      for (const follower of followers) follower.destroy();
      followers.clear();
    }
  }

  /** Streams the file of the capture that runs on a port, until it is stopped. @returns false when none does. */
  follow(port: string, response: ServerResponse): boolean {
    const running = this.#running.get(port);
    if (running === undefined) return false;
    response.writeHead(200, { "content-type": "application/vnd.tcpdump.pcap" });
    response.write(this.files.get(running.file)!);
    running.followers.add(response);
    return true;
  }
}
