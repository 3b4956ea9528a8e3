/** Converts an API Gateway event to an operation's request: checks body limits first, then JSON, then schemas. */
import type { APIGatewayProxyEvent } from "aws-lambda";
import type * as z from "zod/mini";
import { PATH_PARAMETERS } from "../../schemas/ids.ts";
import { failure, invalidRequest, type Problem } from "../errors.ts";
import type { Origin } from "../operation.ts";
import type { BodySpec, Route } from "../route.ts";
import { decodeBody } from "./decode-body.ts";
import { decodeJson } from "./json.ts";

/** Existing clients expect this limit for all bodies except uploads. */
const JSON_BODY_MAX_BYTES = 1_048_576;

/** @throws ApiError 400 with all problems of path, query and body; 413 and 415 before any other check. */
export function parseRequest(route: Route, pathValues: Record<string, string>, event: APIGatewayProxyEvent) {
  const payload = readPayload(route.body, event);
  const problems: Problem[] = [];
  const params: Record<string, unknown> = {};
  for (const [name, raw] of Object.entries(pathValues)) {
    const schema = PATH_PARAMETERS[name as keyof typeof PATH_PARAMETERS];
    params[name] = check(schema, raw, name, problems);
  }
  const query = route.query ? check(route.query, event.queryStringParameters ?? {}, "query", problems) : {};
  const body = route.body?.kind === "json" ? check(route.body.schema, payload, "body", problems) : payload;
  if (problems.length > 0) throw invalidRequest(problems);
  return { params, query, body: route.body?.kind === "ignored" ? undefined : body };
}

function readPayload(spec: BodySpec | undefined, event: APIGatewayProxyEvent): unknown {
  const bytes = Buffer.from(event.body ?? "", event.isBase64Encoded ? "base64" : "utf8");
  const limit = spec?.kind === "raw" ? spec.maxBytes : JSON_BODY_MAX_BYTES;
  if (bytes.length > limit) throw failure("request.too-large", { limit });
  if (spec === undefined) return undefined;
  const decoded = decodeBody(bytes, event.headers["content-encoding"], limit);
  if (spec.kind === "raw") return decoded;
  const value = decoded.length === 0 ? {} : decodeJson(decoded);
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return spec.kind === "json" && spec.ignoresOthers && !isObject ? {} : value;
}

function check(schema: z.ZodMiniType, value: unknown, part: string, problems: Problem[]): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  for (const issue of result.error.issues) {
    problems.push({ path: [part, ...issue.path.map(String)].join("."), message: issue.message });
  }
  return undefined;
}

/** Returns the address at which the caller reached the service; API Gateway sets these headers itself. */
export function originOf(event: APIGatewayProxyEvent): Origin {
  const protocol = event.headers["x-forwarded-proto"] === "http" ? "http" : "https";
  const port = Number(event.headers["x-forwarded-port"]);
  return {
    protocol,
    host: event.requestContext.domainName?.replace(/:\d+$/, "") ?? "localhost",
    port: Number.isInteger(port) && port > 0 ? port : protocol === "http" ? 80 : 443,
  };
}
