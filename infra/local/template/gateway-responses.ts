/** Reads the responses that API Gateway gives without a function. */
import type { CfnResource } from "../intrinsics.ts";

export interface GatewayResponseDefinition {
  readonly responseType: string;
  readonly statusCode?: number;
  /** Values in CloudFormation's format: text in quotes, or `context.` and a name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType?: string;
  readonly template?: string;
}

export function readGatewayResponse({ Properties = {} }: CfnResource): GatewayResponseDefinition {
  const templates = Object.entries((Properties.ResponseTemplates ?? {}) as Record<string, string>);
  const parameters = Object.entries((Properties.ResponseParameters ?? {}) as Record<string, string>);
  const [contentType, template] =
    templates.find(([type]) => type === "application/json") ?? templates[0] ?? [];
  return {
    responseType: String(Properties.ResponseType),
    ...(Properties.StatusCode !== undefined && { statusCode: Number(Properties.StatusCode) }),
    ...(template !== undefined && { contentType, template }),
    headers: Object.fromEntries(
      parameters.map(([name, value]) => [name.replace("gatewayresponse.header.", ""), value]),
    ),
  };
}
