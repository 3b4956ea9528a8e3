/** Reads streams of events over HTTP. */

import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request } from "node:http";

export interface SeenEvent {
  readonly action: string;
  // biome-ignore lint/suspicious/noExplicitAny: the service's objects, which the tests check
  readonly event: any;
  readonly seq: number;
}

export class EventFollower {
  readonly response: IncomingMessage;
  readonly ended: Promise<unknown>;
  readonly #outgoing: ClientRequest;
  #text = "";
  #waiting: (() => void)[] = [];

  /** Resolves when the stream has begun. @param url of the stream. */
  static async open(url: string): Promise<EventFollower> {
    const outgoing = request(url);
    const [response] = (await once(outgoing.end(), "response")) as [IncomingMessage];
    const follower = new EventFollower(outgoing, response);
    while (follower.lines.length === 0) await follower.#more();
    return follower;
  }

  constructor(outgoing: ClientRequest, response: IncomingMessage) {
    this.#outgoing = outgoing;
    this.response = response;
    response.setEncoding("utf8").on("data", (text: string) => {
      this.#text += text;
      for (const wake of this.#waiting.splice(0)) wake();
    });
    this.ended = new Promise((resolve) => response.on("close", resolve));
  }

  get lines(): SeenEvent[] {
    return this.#text
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  }

  /** Without pings. */
  get events(): SeenEvent[] {
    return this.lines.filter(({ action }) => action !== "ping");
  }

  /** Waits until the stream has an event for which `isWanted`, and returns the events up to it. */
  async until(isWanted: (event: SeenEvent) => boolean): Promise<SeenEvent[]> {
    for (;;) {
      const { events } = this;
      const place = events.findIndex(isWanted);
      if (place >= 0) return events.slice(0, place + 1);
      await this.#more();
    }
  }

  #more(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  close(): void {
    this.#outgoing.destroy();
  }
}
