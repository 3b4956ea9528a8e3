/** What all authorizers have in common: the policy that comes of a judgement, and the line in the log. */
import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from "aws-lambda";
import { logger } from "../api/log.ts";
import { type Admitted, allow, deny } from "./policy.ts";

/** Who the caller is, or in a word why they are turned away. */
export type Judge = (event: APIGatewayRequestAuthorizerEvent) => Promise<Admitted | string>;

type Handler = (event: APIGatewayRequestAuthorizerEvent) => Promise<APIGatewayAuthorizerResult>;

/** What `judge` throws is a fault of ours: the gateway answers 500, and nobody comes in. */
export const makeHandler =
  (judge: Judge): Handler =>
  async (event) => {
    const { identity, requestId: correlation_id } = event.requestContext;
    try {
      const verdict = await judge(event);
      if (typeof verdict !== "string") return allow(event, verdict);
      // No name: people type passwords where names belong.
      logger.info("refused", { correlation_id, reason: verdict, source: identity.sourceIp });
      return deny(event);
    } catch (error) {
      logger.error("fault", { correlation_id, error: error as Error });
      throw error;
    }
  };
