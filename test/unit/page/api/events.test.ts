/** Following events over WebSockets that close, refuse and repeat; with a service, sockets and pauses of this test. */
import fc from "fast-check";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { pauseAfter } from "../../../../page/src/api/pause-after.ts";

type Message = { action: string; event?: object; seq?: number };

interface FakeSocket {
  onopen: (() => void) | null;
  onmessage: ((message: { data: string }) => void) | null;
  onclose: (() => void) | null;
  close(): void;
}

let events: {
  follow(path: string, follower: object, around: object): Promise<void>;
};
let ApiProblem: new (status: number, code: string, message: string) => Error;

beforeEach(async () => {
  vi.stubGlobal("sessionStorage", { getItem: () => null, setItem() {}, removeItem() {} });
  // The modules are written for browsers; these tests do not have their types.
  events = await import("../../../../page/src/api/events.ts" as string);
  ({ ApiProblem } = await import("../../../../page/src/api/call.ts" as string));
});

/** Lets everything happen that waits for nothing but promises. */
const settle = async () => {
  for (let index = 0; index < 20; index++) await new Promise(setImmediate);
};

class Connection {
  readonly socket: FakeSocket = { onopen: null, onmessage: null, onclose: null, close: () => this.closed() };
  readonly since: number | undefined;
  isOpen = false;
  isClosed = false;
  position: number;
  constructor(since: number | undefined, position: number) {
    this.since = since;
    this.position = position;
  }
  open(): void {
    this.isOpen = true;
    this.socket.onopen?.();
    this.send({ action: "ping", seq: this.position });
  }
  send(message: Message): void {
    this.socket.onmessage?.({ data: JSON.stringify(message) });
  }
  closed(): void {
    this.isClosed = true;
  }
  /** The service or the network ends the connection. */
  end(): void {
    this.isClosed = true;
    this.socket.onclose?.();
  }
}

/** A service that numbers its events, and a page that follows it. */
function makeService({ socketsPass = true } = {}) {
  const controller = new AbortController();
  const state = {
    /** Events up to this number have happened; those up to `expired` are gone. */
    last: 0,
    expired: 0,
    socketsPass,
    /** The status with which requests fail; 0 for no network. */
    failing: undefined as number | undefined,
    refusals: 0,
    connections: [] as Connection[],
    requests: [] as string[],
    streams: [] as ReadableStreamDefaultController<Uint8Array>[],
    pauses: [] as number[],
    resume: [] as (() => void)[],
    offline: [] as (() => void)[],
    isOnline: true,
  };
  /** What the page has: the state that it read at the last gap, and the events after that. */
  const page = {
    read: [] as number[],
    got: [] as (number | string)[],
    isConnected: undefined as boolean | undefined,
  };
  const sinceOf = (path: string) => {
    const text = new URL(path, "http://x").searchParams.get("since");
    return text === null ? undefined : Number(text);
  };
  const follower = {
    signal: controller.signal,
    onEvent: ({ action, seq }: Message) => page.got.push(seq ?? action),
    onGap: () => {
      page.read.push(state.last);
      page.got.push(`read ${state.last}`);
    },
    onConnection: (isThere: boolean) => {
      page.isConnected = isThere;
    },
  };
  const check = (since: number | undefined) => {
    if (state.failing !== undefined) throw new ApiProblem(state.failing, "", "failing on purpose");
    if (since !== undefined && since < state.expired) throw new ApiProblem(410, "events.expired", "expired");
  };
  const around = {
    openSocket: async (path: string) => {
      const since = sinceOf(path);
      const connection = new Connection(since, since ?? state.last);
      state.connections.push(connection);
      setImmediate(() => {
        const isExpired = since !== undefined && since < state.expired;
        const isRefused =
          !state.socketsPass || state.failing !== undefined || isExpired || state.refusals > 0;
        if (state.refusals > 0) state.refusals -= 1;
        if (isRefused) connection.end();
        else if (!connection.isClosed) connection.open();
      });
      return connection.socket;
    },
    send: async (method: string, path: string, { signal }: { signal: AbortSignal }) => {
      state.requests.push(`${method} ${path}`);
      check(sinceOf(path));
      if (method === "HEAD") return new Response(null);
      const body = new ReadableStream<Uint8Array>({
        start: (stream) => {
          state.streams.push(stream);
          signal.addEventListener("abort", () => stream.error(signal.reason));
        },
      });
      return new Response(body);
    },
    pause: (ms: number) => {
      state.pauses.push(ms);
      return new Promise<void>((resolve) => state.resume.push(resolve));
    },
    random: () => 0.5,
    isOnline: () => state.isOnline,
    whenOffline: (task: () => void) => {
      state.offline.push(task);
      return () => state.offline.splice(state.offline.indexOf(task), 1);
    },
  };
  const current = () => state.connections.findLast(({ isClosed }) => !isClosed);
  return {
    state,
    page,
    current,
    stop: () => controller.abort(),
    follow: () => events.follow("/notifications", follower, around),
    publish: () => {
      state.last += 1;
    },
    /** Sends the open connection its next event; again an earlier one with `repeats`. */
    deliver({ repeats = 0 } = {}) {
      const connection = current();
      if (!connection?.isOpen) return;
      connection.position = Math.max(connection.since ?? 0, connection.position - repeats);
      if (connection.position >= state.last) return;
      connection.position += 1;
      connection.send({ action: "node.updated", event: {}, seq: connection.position });
    },
    goOn: () => {
      for (const resume of state.resume.splice(0)) resume();
    },
    line: (message: Message) =>
      state.streams.at(-1)!.enqueue(new TextEncoder().encode(`${JSON.stringify(message)}\n`)),
  };
}

describe("a page that follows events", () => {
  test("reads what it shows when its WebSocket has opened, and holds no request", async () => {
    const { follow, page, state, publish, deliver, stop, current } = makeService();
    publish();
    const following = follow();
    await settle();
    expect(page).toEqual({ read: [1], got: ["read 1"], isConnected: true });
    publish();
    deliver();
    expect(page.got).toEqual(["read 1", 2]);
    expect(state.requests).toEqual([]);
    const open = current()!;
    stop();
    await following;
    expect(open.isClosed).toBe(true);
  });

  test("continues after the number of the first ping, if no event came before the connection was lost", async () => {
    const { follow, page, state, publish, deliver, goOn, current } = makeService();
    publish();
    void follow();
    await settle();
    current()!.end();
    publish();
    await settle();
    goOn();
    await settle();
    expect(state.connections.map(({ since }) => since)).toEqual([undefined, 1]);
    deliver();
    expect(page.got).toEqual(["read 1", 2]);
  });

  test("reads anew if the events after its last one have expired", async () => {
    const { follow, page, state, publish, deliver, goOn, current } = makeService();
    publish();
    void follow();
    await settle();
    publish();
    deliver();
    current()!.end();
    await settle();
    publish();
    publish();
    state.expired = 3;
    goOn();
    await settle();
    expect(state.requests).toEqual(["HEAD /notifications?since=2"]);
    goOn();
    await settle();
    expect(page.got).toEqual(["read 1", 2, "read 4"]);
  });

  test("reads anew for an event that was larger than a message", async () => {
    const { follow, page, publish, current } = makeService();
    void follow();
    await settle();
    publish();
    current()!.send({ action: "log.warning", event: { message: "large", replaces: "node.updated" }, seq: 1 });
    expect(page.got).toEqual(["read 0", "read 1"]);
  });

  test("passes on what has no number, and ignores the gateway's own messages", async () => {
    const { follow, page, current } = makeService();
    void follow();
    await settle();
    current()!.send({ message: "Internal server error" } as never);
    current()!.send({ action: "log.error", event: {} });
    expect(page.got).toEqual(["read 0", "log.error"]);
  });

  test.each([401, 403, 404])("ends when the service answers %i", async (status) => {
    const { follow, state } = makeService();
    state.failing = status;
    await follow();
    expect(state.connections.length).toBe(1);
  });

  test("notices a connection that has gone silent, and one that never opens", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const { follow, state, goOn, current } = makeService();
      void follow();
      await settle();
      const first = current()!;
      vi.advanceTimersByTime(320_000);
      first.send({ action: "ping" });
      vi.advanceTimersByTime(320_000);
      await settle();
      expect(first.isClosed).toBe(false);
      vi.advanceTimersByTime(10_000);
      await settle();
      expect(first.isClosed).toBe(true);
      goOn();
      await settle();
      expect(state.connections.length).toBe(2);
    } finally {
      vi.useRealTimers();
    }
  });

  test("gives up its connection at once when the browser is offline, and says so until the service is there again", async () => {
    const { follow, page, state, goOn } = makeService();
    void follow();
    await settle();
    state.isOnline = false;
    state.failing = 0;
    for (const task of [...state.offline]) task();
    await settle();
    goOn();
    await settle();
    expect(page.isConnected).toBe(false);
    expect(state.connections.length).toBe(1);
    state.isOnline = true;
    state.failing = undefined;
    goOn();
    await settle();
    expect(page.isConnected).toBe(true);
    expect(page.got).toEqual(["read 0"]);
  });
});

describe("a network that lets no WebSocket pass", () => {
  test("is followed by a stream at once, and WebSockets are tried again after it", async () => {
    const { follow, page, state, line, goOn } = makeService({ socketsPass: false });
    void follow();
    await settle();
    expect(state.requests).toEqual(["GET /notifications"]);
    line({ action: "ping", seq: 0 });
    line({ action: "node.created", event: {}, seq: 1 });
    // What a compute reports has the number of the event before it.
    line({ action: "log.info", event: {}, seq: 1 });
    await settle();
    expect(page.got).toEqual(["read 0", 1, 1]);
    state.socketsPass = true;
    state.last = 2;
    state.streams[0]!.close();
    await settle();
    goOn();
    await settle();
    expect(state.connections.at(-1)!.since).toBe(1);
    expect(state.requests.length).toBe(1);
  });

  test("is followed by a stream only after three failures, if it has let one pass before", async () => {
    const { follow, state, goOn, current } = makeService();
    void follow();
    await settle();
    state.socketsPass = false;
    current()!.end();
    for (let index = 0; index < 4; index++) {
      await settle();
      goOn();
    }
    await settle();
    expect(state.requests).toEqual(["HEAD /notifications?since=0", "GET /notifications?since=0"]);
  });
});

test("pauses grow to half a minute, and pages that lost their connections together come back at different times", () => {
  expect([0, 1, 2, 3, 6, 60].map((failures) => pauseAfter(failures, 1))).toEqual([
    1_000, 1_000, 2_000, 4_000, 30_000, 30_000,
  ]);
  expect(pauseAfter(3, 0)).toBe(2_000);
});

test("no interleaving of events, closings, refusals and repetitions loses an event or shows one twice", async () => {
  const step = fc.constantFrom(
    "publish",
    "deliver",
    "repeat",
    "close",
    "refuse",
    "expire",
    "block",
    "pass",
    "offline",
    "online",
    "wait",
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const service = makeService();
      const { state, page, current } = service;
      const following = service.follow();
      await new Promise(setImmediate);
      const flush = () => {
        for (const stream of state.streams.splice(0)) {
          // A stream that an offline browser has given up.
          try {
            stream.close();
          } catch {}
        }
      };
      for (const each of steps) {
        if (each === "publish") service.publish();
        else if (each === "deliver") service.deliver();
        else if (each === "repeat") service.deliver({ repeats: 2 });
        else if (each === "close") current()?.end();
        else if (each === "refuse") state.refusals += 1;
        else if (each === "expire") state.expired = state.last;
        else if (each === "block") state.socketsPass = false;
        else if (each === "pass") state.socketsPass = true;
        else if (each === "online") state.failing = undefined;
        else if (each === "wait") service.goOn();
        else state.failing = 0;
        if (each === "wait") flush();
        await new Promise(setImmediate);
      }
      Object.assign(state, { socketsPass: true, failing: undefined, refusals: 0 });
      for (let index = 0; index < 8; index++) {
        flush();
        service.goOn();
        await settle();
      }
      for (let index = 0; index <= state.last; index++) service.deliver();
      service.stop();
      await following;
      // Replays what the page shows: a reading has all until then, and perhaps events that are still on their way.
      let shown = 0;
      let last = 0;
      for (const each of page.got) {
        if (typeof each !== "number") shown = Number(each.split(" ")[1]);
        else {
          expect(each, "an event that came twice").toBeGreaterThan(last);
          expect(each, "an event was lost").toBeLessThanOrEqual(shown + 1);
          last = each;
          shown = Math.max(shown, each);
        }
      }
      expect(shown).toBe(state.last);
    }),
    { numRuns: 150 },
  );
});
