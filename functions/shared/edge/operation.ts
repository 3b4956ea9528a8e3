/** Types of an operation's request and response; both follow from the route's declaration. */
import type { Readable } from "node:stream";
import type * as z from "zod/mini";
import type { Access } from "./access.ts";
import type { Receipt } from "./idempotency.ts";
import type { Later } from "./load.ts";
import type { Body, Params, Query, ResponseSpec, Route, RouteGroup } from "./route.ts";

/** The address at which the caller reached the service. */
export interface Origin {
  readonly protocol: "http" | "https";
  readonly host: string;
  readonly port: number;
}

export interface OperationRequest<R extends Route> {
  readonly params: Params<R>;
  readonly query: Query<R>;
  readonly body: Body<R>;
  /** Lower-case header names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly origin: Origin;
  /** What the caller may do; their role has been checked already, except for actions that only a project's owner may do. */
  readonly access: Access;
  /** Present when the request has an idempotency key; ids of new resources come from `newId`. */
  readonly receipt?: Receipt | undefined;
  /** The method is HEAD: the response's body is not sent. */
  readonly headOnly?: boolean;
  /** Aborted shortly before the function times out. */
  readonly signal: AbortSignal;
  /** Returns the remaining time of the function. */
  readonly remainingTimeMs: () => number;
}

type Bytes = { readonly body: Uint8Array | Readable; readonly contentType?: string };
type Json<Z extends z.ZodMiniType> = { readonly body: z.output<Z> };

/** A response with both a schema and a content type is one or the other, as the request asks. */
type BodyOf<S extends ResponseSpec> = S extends { schema: infer Z extends z.ZodMiniType }
  ? S extends { contentType: string }
    ? Json<Z> | Bytes
    : Json<Z>
  : S extends { contentType: string }
    ? Bytes
    : { readonly body?: undefined };

/** One of the responses that the route declares. */
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

/** The operations of a group; its handler loads some of them with their first request. */
export type BoundOperations<G extends RouteGroup> = {
  readonly [K in keyof G["routes"]]: Operation<G["routes"][K]> | Later<Operation<G["routes"][K]>>;
};
