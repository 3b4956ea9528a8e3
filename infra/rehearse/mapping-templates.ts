/**
 * Renders every mapping template of API Gateway, in resources and in an OpenAPI body, for requests with and without values. A response of
 * the gateway's own takes values alone: directives would be sent to the client as they are.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-mapping-template-reference.html
 */
import velocity from "velocityjs";
import { render } from "./render.ts";
import type { Json, Problem, StackTemplate } from "./template.ts";

interface Found {
  readonly logicalId: string;
  readonly path: string;
  readonly contentType: string;
  readonly template: string;
}

const TEMPLATES = /^(request|response)templates$/i;

function find(logicalId: string, path: string, value: unknown): Found[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => {
    const own = path === "" ? key : `${path}.${key}`;
    if (!TEMPLATES.test(key) || typeof each !== "object" || each === null) return find(logicalId, own, each);
    return Object.entries(each as Json).map(([contentType, template]) => ({
      logicalId,
      path: own,
      contentType,
      template: String(template),
    }));
  });
}

/** What a template can read of a request. */
const request = (parameters: Readonly<Record<string, string>>) => ({
  input: {
    params: (name?: string) => (name === undefined ? parameters : (parameters[name] ?? "")),
    body: "{}",
    path: () => "",
    json: () => '""',
  },
  context: {
    requestId: "c6af9ac6-7b61-11e6-9a41-93e8deadbeef",
    extendedRequestId: "JKJaXmPLvHcESHA=",
    httpMethod: "GET",
    path: "/v2/projects",
    resourcePath: "/projects",
    stage: "v2",
    identity: { sourceIp: "192.0.2.1" },
    error: { message: "message", messageString: '"message"', responseType: "DEFAULT_5XX" },
    authorizer: {},
    responseOverride: { header: {} },
    requestOverride: { header: {} },
  },
  stageVariables: {},
  util: {
    escapeJavaScript: (text: string) => JSON.stringify(text).slice(1, -1),
    urlEncode: encodeURIComponent,
    urlDecode: decodeURIComponent,
    base64Encode: btoa,
    base64Decode: atob,
    parseJson: JSON.parse,
  },
});

const REQUESTS = [request({}), request({ Origin: "https://lab.example", origin: "https://lab.example" })];

function faultOf({ path, contentType, template }: Found): string | undefined {
  if (/gateway-?responses/i.test(path) || path === "ResponseTemplates") {
    const directive = /^\s*#(set|if|else|elseif|end|foreach)\b/m.exec(template)?.[0].trim();
    if (directive !== undefined)
      return `a response of the gateway's own takes no directives, it has ${directive}`;
  }
  for (const values of REQUESTS) {
    let text: string;
    try {
      text = velocity.render(template, values);
    } catch (error) {
      return `cannot be rendered: ${(error as Error).message.split("\n")[0]}`;
    }
    const left = /\$!?\{?[a-zA-Z][\w.]*/.exec(text)?.[0];
    if (left !== undefined) return `${left} has no value`;
    if (!contentType.includes("json") || text.trim() === "") continue;
    try {
      JSON.parse(text);
    } catch {
      return `renders to text that is not JSON: ${text.trim().slice(0, 80)}`;
    }
  }
  return undefined;
}

export const checkMappingTemplates = (stack: StackTemplate): readonly Problem[] =>
  Object.entries(stack.resources)
    .flatMap(([id, { Properties }]) => find(id, "", render(stack, Properties)))
    .flatMap((found) => {
      const fault = faultOf(found);
      return fault === undefined
        ? []
        : [{ logicalId: found.logicalId, text: `${found.path} of ${found.contentType}: ${fault}` }];
    });
