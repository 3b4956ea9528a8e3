/** What an operation of a route group gets and answers; both follow from the route's declaration. */
import type { Readable } from "node:stream";
import type * as z from "zod/mini";
import type { Receipt } from "./idempotency.ts";
import type { Caller } from "./principal.ts";
import type { Body, Params, Query, ResponseSpec, Route, RouteGroup } from "./route.ts";

/** Where the caller reached the service. */
export interface Origin {
  readonly protocol: "http" | "https";
  readonly host: string;
  readonly port: number;
}

/** The user whom a request counts for. */
export const userOf = ({ caller }: { readonly caller?: Caller | undefined }): string =>
  caller?.name ?? "local";

export interface OperationRequest<R extends Route> {
  readonly params: Params<R>;
  readonly query: Query<R>;
  readonly body: Body<R>;
  /** Lower-case header names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly origin: Origin;
  /** Who asks: what they may do has been looked at already, but for what is in the hands of a project's owner. */
  readonly caller: Caller;
  /** What the request is carried out under when it has an idempotency key; ids of what it makes come from `newId`. */
  readonly receipt?: Receipt | undefined;
  /** The request is HEAD: the body of the answer is not sent. */
  readonly headOnly?: boolean;
  /** Aborted shortly before the function's time is over. */
  readonly signal: AbortSignal;
  /** What is left of the function's time. */
  readonly remainingTimeMs: () => number;
}

type Bytes = { readonly body: Uint8Array | Readable; readonly contentType?: string };
type Json<Z extends z.ZodMiniType> = { readonly body: z.output<Z> };

/** An answer with both a schema and a content type is one or the other, as the request asks. */
type BodyOf<S extends ResponseSpec> = S extends { schema: infer Z extends z.ZodMiniType }
  ? S extends { contentType: string }
    ? Json<Z> | Bytes
    : Json<Z>
  : S extends { contentType: string }
    ? Bytes
    : { readonly body?: undefined };

/** One of the answers that the route declares. */
export type Answer<R extends Route> = {
  [S in keyof R["responses"]]: { readonly status: S; readonly headers?: Record<string, string> } & BodyOf<
    R["responses"][S] & ResponseSpec
  >;
}[keyof R["responses"]];

export type Operation<R extends Route> = (request: OperationRequest<R>) => Promise<Answer<R>>;

/** One operation for each route of a group. */
export type Operations<G extends RouteGroup> = {
  readonly [K in keyof G["routes"]]: Operation<G["routes"][K]>;
};
