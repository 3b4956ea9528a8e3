/**
 * Pages of other origins that may use the service: `-c cors_origins=https://lab.example,http://localhost:4200`. API Gateway answers
 * their preflight requests, which have no credentials; the functions add the headers to their responses
 * (functions/shared/edge/cors.ts).
 */
import type { Operation } from "./api/document.ts";
import { fixedAnswer } from "./api/fixed-answer.ts";
import type { Settings } from "./chosen-settings.ts";

/** As browsers send it: a scheme, a host in lower case, and a port unless it is the scheme's own. */
const ORIGIN = /^https?:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:\d+)?$/;

/** @throws Error for a value that no browser sends as an origin; `*` would admit every page. */
export function readCorsOrigins(settings: Settings): readonly string[] {
  const origins = (settings.get("cors_origins") ?? "").split(",").map((origin) => origin.trim());
  return origins.filter(Boolean).map((origin) => {
    if (ORIGIN.test(origin) && new URL(origin).origin === origin) return origin;
    throw new Error(
      `The context key cors_origins has ${origin}; it must list origins such as https://lab.example, separated by commas`,
    );
  });
}

/** Returns environment variables for the functions. */
export const corsVariables = (origins: readonly string[]): Record<string, string> =>
  origins.length > 0 ? { CORS_ORIGINS: origins.join(",") } : {};

/**
 * Returns headers for API Gateway's own errors, which have fixed values: so that a page can read them, the setting must have a single
 * origin.
 */
export const gatewayErrorHeaders = (origins: readonly string[]): Record<string, string> =>
  origins.length === 1
    ? {
        "Access-Control-Allow-Origin": `'${origins[0]}'`,
        "Access-Control-Allow-Credentials": "'true'",
        Vary: "'Origin'",
      }
    : {};

const PREFLIGHT_HEADERS = {
  "Access-Control-Allow-Methods": "'DELETE,GET,HEAD,POST,PUT'",
  "Access-Control-Allow-Headers":
    "'Accept,Authorization,Content-Encoding,Content-Type,Idempotency-Key,If-None-Match,Prefer'",
  "Access-Control-Max-Age": "'600'",
  Vary: "'Origin'",
};

/**
 * Returns the operation that answers preflight requests, which a browser sends without credentials. Only listed origins get the headers
 * that admit them.
 */
export const preflight = (origins: readonly string[]): Operation =>
  fixedAnswer({
    status: 204,
    description: "What pages of listed origins may send",
    headers: PREFLIGHT_HEADERS,
    template: preflightTemplate(origins),
  });

/** The name of a header is in lower case over HTTP/2, and API Gateway's parameters keep its case. */
const preflightTemplate = (origins: readonly string[]): string =>
  [
    '#set($origin = $input.params("Origin"))',
    '#if($origin == "")',
    '#set($origin = $input.params("origin"))',
    "#end",
    `#if(${origins.map((origin) => `$origin == "${origin}"`).join(" || ")})`,
    "#set($context.responseOverride.header.Access-Control-Allow-Origin = $origin)",
    '#set($context.responseOverride.header.Access-Control-Allow-Credentials = "true")',
    "#end",
  ].join("\n");
