/** Reads the WebSocket API. */
import type { CfnResource, CfnResources } from "../intrinsics.ts";
import { LocalProblem } from "../problem.ts";
import { type FindFunction, ofType, single } from "./resources.ts";

/** The WebSocket API: the functions of its routes, as logical ids. */
export interface SocketsDefinition {
  readonly connect: string;
  readonly message: string;
  readonly disconnect: string;
  /** The authorizer of `$connect`; undefined for an API without authentication. */
  readonly authorizerId?: string;
}

const SOCKET_ROUTES = { connect: "$connect", message: "$default", disconnect: "$disconnect" } as const;

/** @returns nothing for a template without a WebSocket API. */
export function readSockets(
  resources: CfnResources,
  findFunction: FindFunction,
): { sockets?: SocketsDefinition } {
  const apis = ofType(resources, "AWS::ApiGatewayV2::Api");
  if (apis.length === 0) return {};
  const [api, { Properties = {} }] = single(resources, "AWS::ApiGatewayV2::Api");
  if (Properties.ProtocolType !== "WEBSOCKET")
    throw new LocalProblem(
      `${api}.ProtocolType: only WEBSOCKET runs locally, not ${Properties.ProtocolType}`,
    );
  const routes = ofType(resources, "AWS::ApiGatewayV2::Route");
  const find = (key: string): [string, CfnResource] => {
    const found = routes.find(([, route]) => route.Properties?.RouteKey === key);
    if (found === undefined) throw new LocalProblem(`${api} has no route ${key}`);
    return found;
  };
  const targetOf = (key: string): string => {
    const [id, route] = find(key);
    const [, integration] = /"Ref":"(\w+)"/.exec(JSON.stringify(route.Properties?.Target)) ?? [];
    const uri = resources[integration ?? ""]?.Properties?.IntegrationUri;
    return findFunction(uri, `${id}.Target`);
  };
  const [connectId, connect] = find(SOCKET_ROUTES.connect);
  return {
    sockets: {
      connect: targetOf(SOCKET_ROUTES.connect),
      message: targetOf(SOCKET_ROUTES.message),
      disconnect: targetOf(SOCKET_ROUTES.disconnect),
      ...readAuthorization(connectId, connect.Properties ?? {}),
    },
  };
}

/** Rejects other types of authorization: without a check the connections would be open. */
function readAuthorization(
  id: string,
  { AuthorizationType = "NONE", AuthorizerId }: Readonly<Record<string, unknown>>,
): Pick<SocketsDefinition, "authorizerId"> {
  const authorizerId = (AuthorizerId as { Ref?: string } | undefined)?.Ref;
  if (AuthorizationType === "NONE") return {};
  if (AuthorizationType === "CUSTOM" && authorizerId !== undefined) return { authorizerId };
  throw new LocalProblem(`${id}.AuthorizationType: ${AuthorizationType} has no local counterpart`);
}
