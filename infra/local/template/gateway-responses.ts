/** Reads the responses that API Gateway gives without a function. */
import { GATEWAY_RESPONSES } from "../../api/document.ts";
import type { RestApi } from "./api.ts";

export interface GatewayResponseDefinition {
  readonly responseType: string;
  readonly statusCode?: number;
  /** Text in quotes, or `context.` and a name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType?: string;
  readonly template?: string;
}

export const readGatewayResponses = ({ document }: RestApi): GatewayResponseDefinition[] =>
  Object.entries(document[GATEWAY_RESPONSES] ?? {}).map(
    ([responseType, { statusCode, responseParameters = {}, responseTemplates = {} }]) => {
      const templates = Object.entries(responseTemplates);
      const found = templates.find(([type]) => type === "application/json") ?? templates[0];
      return {
        responseType,
        ...(statusCode !== undefined && { statusCode: Number(statusCode) }),
        ...(found && { contentType: found[0], template: found[1] }),
        headers: Object.fromEntries(
          Object.entries(responseParameters).map(([name, value]) => [
            name.replace("gatewayresponse.header.", ""),
            value,
          ]),
        ),
      };
    },
  );
