/** The event that the local gateway makes of a request to one of the declared routes. */
import type { APIGatewayProxyEvent } from "aws-lambda";
import { GROUPS } from "../../../functions/routes.ts";
import { parsePath } from "../../../functions/shared/edge/path-template.ts";
import { buildProxyEvent } from "../../../infra/local/proxy-event.ts";
import { makeRouteTree } from "../../../infra/local/route-tree.ts";
import type { Call } from "./client.ts";

const findRoute = makeRouteTree(
  GROUPS.flatMap(({ name, routes }) =>
    Object.values(routes).map(({ method, path }) => ({
      method,
      resourcePath: parsePath(path).gatewayPath,
      functionId: name,
      streaming: true,
      timeoutMs: 29_000,
    })),
  ),
);

/**
 * @param target as sent over the wire, below the stage.
 * @returns the event; `requestContext.resourceId` is the name of the route's group.
 */
export function makeEvent(
  method: string,
  target: string,
  { body, raw, headers = {} }: Call,
): APIGatewayProxyEvent {
  const mark = target.indexOf("?");
  const [path, query] = mark < 0 ? [target, ""] : [target.slice(0, mark), target.slice(mark + 1)];
  const match = findRoute(method, path);
  if (match === null) throw new Error(`${method} ${path} is no route`);
  const request = {
    requestId: crypto.randomUUID(),
    method,
    fullPath: `/v2${path}`,
    path,
    query,
    rawHeaders: Object.entries(headers).flat(),
    body: Buffer.from(raw ?? (body === undefined ? "" : JSON.stringify(body))),
    sourceIp: "127.0.0.1",
    protocol: "https",
    port: 443,
    receivedAtMs: Date.now(),
  };
  const event = buildProxyEvent(request, match, "v2", true);
  if (event === null) throw new Error(`${target} is refused by the gateway`);
  event.requestContext.resourceId = match.route.functionId;
  return event;
}
