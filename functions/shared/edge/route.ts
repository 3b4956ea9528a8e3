/**
 * The declaration of a route: plain data. The API Gateway method, the dispatch in the function, request validation, the OpenAPI
 * document and the contract tests derive from it.
 */
import type * as z from "zod/mini";
import type { PATH_PARAMETERS } from "../schemas/ids.ts";
import type { ErrorCode } from "./errors.ts";
import type { Role } from "./principal.ts";

type Method = "GET" | "POST" | "PUT" | "DELETE";

/**
 * A request's body: a JSON value of a schema, raw bytes, or anything (well-formed JSON, which is ignored). `ignoresOthers`: JSON that is
 * no object counts as `{}`, for routes whose bodies the interface ignores and which take an object of their own.
 */
export type BodySpec =
  | { readonly kind: "json"; readonly schema: z.ZodMiniType; readonly ignoresOthers?: true }
  | { readonly kind: "raw"; readonly maxBytes: number; readonly contentType: string }
  | { readonly kind: "ignored" };

/** A response's body: `schema` for JSON, `contentType` for bytes, both for either, neither for no body. */
export interface ResponseSpec {
  readonly description: string;
  readonly schema?: z.ZodMiniType;
  readonly contentType?: string;
  /** Headers that belong to the interface: name -> description. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Route {
  readonly method: Method;
  /** Path below the version prefix; `{name}` is one segment, `{name+}` any text, slashes included. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** The role that callers need; by default viewers may read and editors may change. `public` admits all callers. */
  readonly role?: Role | "public";
  readonly query?: z.ZodMiniObject;
  readonly body?: BodySpec;
  /** Accepts an `Idempotency-Key` (see idempotency.ts), for routes whose effect must not happen twice. */
  readonly idempotent?: true;
  /** May outlast its request, as a run of a lab with Linux nodes does: `Prefer: wait` (prefer.ts) has the request wait for the outcome. */
  readonly outlasts?: true;
  /** Runs a lab, or may write much: the number of such requests of a user in a minute is limited. */
  readonly paced?: true;
  /** How long caches may store the response, which is the same for every caller until the next deployment. */
  readonly cacheSeconds?: number;
  readonly responses: Readonly<Record<number, ResponseSpec>>;
  /** Errors besides `commonErrors`. */
  readonly errors: readonly ErrorCode[];
}

export interface RouteGroup {
  /** Also the name of the group's folder and function. */
  readonly name: string;
  readonly description: string;
  readonly routes: Readonly<Record<string, Route>>;
}

const IDEMPOTENCY_ERRORS = [
  "idempotency.key-reused",
  "idempotency.in-progress",
  "idempotency.answer-not-kept",
] as const satisfies readonly ErrorCode[];

export const neededRole = ({ role, method }: Pick<Route, "role" | "method">): Role | "public" =>
  role ?? (method === "GET" ? "viewer" : "editor");

/** Returns the errors that a route can return besides those that it declares. */
export function commonErrors(route: Route): readonly ErrorCode[] {
  const role = neededRole(route);
  return [
    "request.invalid",
    "request.too-large",
    ...(route.body === undefined ? [] : (["request.encoded"] as const)),
    "store.too-large",
    "store.busy",
    "store.unavailable",
    "store.missing",
    "store.damaged",
    "request.out-of-time",
    ...(role === "public" ? [] : (["access.role"] as const)),
    ...(route.method === "GET" ? [] : (["access.cross-site"] as const)),
    ...(role !== "viewer" && route.path.startsWith("/projects") ? (["access.read-only"] as const) : []),
    ...(route.idempotent ? IDEMPOTENCY_ERRORS : []),
    ...(route.paced ? (["request.too-many"] as const) : []),
  ];
}

/** The response to a caller that already has the current response of a route with `cacheSeconds`. */
export const NOT_MODIFIED = {
  description: "The caller has the answer that If-None-Match names",
} as const satisfies ResponseSpec;

/** Preserves the literal types of a group's declaration, from which its operations' types follow. */
export const defineGroup = <const G extends RouteGroup>(group: G): G => group;

/** Names of the variables in a path: `"/a/{b}/{c+}"` -> `"b" | "c"`. */
type PathVariables<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Greedy}+` ? Greedy : Name) | PathVariables<Rest>
  : never;

export type Params<R extends Route> = {
  [K in PathVariables<R["path"]> & keyof typeof PATH_PARAMETERS]: z.output<(typeof PATH_PARAMETERS)[K]>;
};
export type Query<R extends Route> = R extends { query: infer Q extends z.ZodMiniType }
  ? z.output<Q>
  : Record<never, never>;
export type Body<R extends Route> = R extends {
  body: { kind: "json"; schema: infer S extends z.ZodMiniType };
}
  ? z.output<S>
  : R extends { body: { kind: "raw" } }
    ? Uint8Array
    : undefined;

/** Returns the methods that a route accepts; HEAD is not declared separately. */
export const verbsOf = ({ method }: Pick<Route, "method">): readonly string[] =>
  method === "GET" ? ["GET", "HEAD"] : [method];
