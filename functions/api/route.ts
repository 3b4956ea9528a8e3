/**
 * The declaration of a route: plain data from which the API Gateway method, the dispatch in the function, request
 * validation, the OpenAPI document and the contract tests are made.
 */
import type * as z from "zod/mini";
import type { ErrorCode } from "./errors.ts";
import type { Role } from "./principal.ts";
import type { PATH_PARAMETERS } from "./schemas/ids.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** What a request may carry: a JSON value of a schema, raw bytes, or anything (well-formed JSON, then ignored). */
export type BodySpec =
  | { readonly kind: "json"; readonly schema: z.ZodMiniType }
  | { readonly kind: "raw"; readonly maxBytes: number; readonly contentType: string }
  | { readonly kind: "ignored" };

/** What an answer carries; `schema` for JSON, `contentType` for bytes, both for either, neither for no body. */
export interface ResponseSpec {
  readonly description: string;
  readonly schema?: z.ZodMiniType;
  readonly contentType?: string;
  /** Headers that belong to the interface, by name, and what each is. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Route {
  readonly method: Method;
  /** Path below the version prefix; `{name}` is one segment, `{name+}` any text, slashes included. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** Who may use it; when absent, viewers may read and editors do the rest. `public` is open to everybody. */
  readonly role?: Role | "public";
  readonly query?: z.ZodMiniObject;
  readonly body?: BodySpec;
  /** Takes an `Idempotency-Key`: see idempotency.ts. Of routes that do something that must not be done twice. */
  readonly idempotent?: true;
  /** Runs a lab, or may write much: a user may send so many such requests a minute. */
  readonly paced?: true;
  /** How long caches may keep the answer, which is the same for every caller until the next deployment. */
  readonly cacheSeconds?: number;
  readonly responses: Readonly<Record<number, ResponseSpec>>;
  /** Errors besides `commonErrors`. */
  readonly errors: readonly ErrorCode[];
}

export interface RouteGroup {
  /** Also the name of the folder and of the function. */
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

/** Errors that a route can answer besides those that it declares. */
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

/** The answer to a caller who has the present answer of a route with `cacheSeconds` already. */
export const NOT_MODIFIED = {
  description: "The caller has the answer that If-None-Match names",
} as const satisfies ResponseSpec;

/** Keeps the literal types of a group's declaration, from which its operations' types follow. */
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

/** The methods that a route answers: HEAD has no declaration of its own. */
export const verbsOf = ({ method }: Pick<Route, "method">): readonly string[] =>
  method === "GET" ? ["GET", "HEAD"] : [method];

/** How a path stands in API Gateway, where a greedy variable must be last: it takes what follows it, too. */
export function gatewayPath(path: string): string {
  const greedy = /\{(\w+?)(?:_id)?\+\}.*$/.exec(path);
  return greedy ? `${path.slice(0, greedy.index)}{${greedy[1]}_path+}` : path;
}

/** What must follow a greedy variable's value (`/raw`), or null when the path has none. */
export function greedySuffix(path: string): string | null {
  const greedy = /\{\w+\+\}(.*)$/.exec(path);
  return greedy ? greedy[1]! : null;
}
