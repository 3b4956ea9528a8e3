/** What runs over a server's TCP connections. An application's data are plain JSON; its behaviour is a table by kind. */

import type { Connection } from "../tcp/connection.ts";
import type { TcpEvent } from "../tcp/tcb.ts";
import { answerRequest } from "./http.ts";
import type { HttpConfig } from "./settings.ts";

export type App =
  | { readonly kind: "echo" }
  /** Counts what it receives. */
  | { readonly kind: "sink"; bytes: number; readonly startUs: number; lastUs: number }
  /** Sends bulk data, until a time if it has one. */
  | { readonly kind: "source"; readonly startUs: number; lastUs: number; readonly untilUs?: number }
  | { readonly kind: "http"; request: string }
  /** The client of `http get`. */
  | { readonly kind: "get"; readonly request: string; readonly startUs: number; response: string };

export type AppOf<K extends App["kind"]> = Extract<App, { kind: K }>;

export interface Context {
  readonly nowUs: number;
  readonly http: HttpConfig | undefined;
}

type Handler<K extends App["kind"]> = (
  app: AppOf<K>,
  connection: Connection,
  event: TcpEvent,
  context: Context,
) => void;

/** The echo stops reading while this much of its answer is not acknowledged. */
const ECHO_BACKLOG_BYTES = 65_536;
/** What `http get` keeps of an answer. */
const MAX_RESPONSE_CHARACTERS = 65_536;
const MAX_REQUEST_CHARACTERS = 16_384;

const HANDLERS: { readonly [K in App["kind"]]: Handler<K> } = {
  echo(_app, connection, event) {
    const { queue, unacknowledged, isPaused } = connection.tcb;
    if (event.kind === "data" && typeof event.bytes === "string") {
      connection.send({ text: event.bytes });
      if (queue.end - unacknowledged > ECHO_BACKLOG_BYTES) connection.pause(true);
    } else if (
      event.kind === "acknowledged" &&
      isPaused &&
      queue.end - unacknowledged < ECHO_BACKLOG_BYTES / 2
    )
      connection.pause(false);
    else if (event.kind === "end") connection.close();
  },
  sink(app, connection, event, { nowUs }) {
    if (event.kind === "data") {
      app.bytes += typeof event.bytes === "number" ? event.bytes : event.bytes.length;
      app.lastUs = nowUs;
    } else if (event.kind === "end") connection.close();
  },
  source(app, connection, event, { nowUs }) {
    if (event.kind === "acknowledged") app.lastUs = nowUs;
    else if (event.kind === "end") connection.close();
  },
  http(app, connection, event, { http }) {
    if (event.kind === "end") connection.close();
    if (event.kind !== "data" || typeof event.bytes !== "string" || http === undefined) return;
    app.request += event.bytes;
    for (let end = app.request.indexOf("\r\n\r\n"); end >= 0; end = app.request.indexOf("\r\n\r\n")) {
      const answer = answerRequest(app.request.slice(0, end), http);
      app.request = app.request.slice(end + 4);
      connection.send({ text: answer.text });
      if (answer.isLast) connection.close();
    }
    if (app.request.length > MAX_REQUEST_CHARACTERS) connection.abort();
  },
  get(app, connection, event) {
    if (event.kind === "connected") connection.send({ text: app.request });
    else if (event.kind === "end") connection.close();
    else if (event.kind === "data" && typeof event.bytes === "string")
      app.response = (app.response + event.bytes).slice(0, MAX_RESPONSE_CHARACTERS);
  },
};

export const handle = (app: App, connection: Connection, event: TcpEvent, context: Context): void =>
  HANDLERS[app.kind](app as never, connection, event, context);

/** Whether an application counts what it receives only. */
export const discardsData = ({ kind }: App): boolean => kind === "sink" || kind === "source";
