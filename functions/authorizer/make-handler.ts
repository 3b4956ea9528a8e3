/** The parts that all authorizers share: the policy for a verdict, and the log line. */
import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from "aws-lambda";
import { logger } from "../shared/edge/log.ts";
import { type Admitted, allow, deny } from "./policy.ts";

/** Returns the caller, or a word that gives the reason for the refusal. */
export type Judge = (event: APIGatewayRequestAuthorizerEvent) => Promise<Admitted | string>;

type Handler = (event: APIGatewayRequestAuthorizerEvent) => Promise<APIGatewayAuthorizerResult>;

/** An error of `judge` is a fault of the service: the gateway then responds with 500 and admits no caller. */
export const makeHandler =
  (judge: Judge): Handler =>
  async (event) => {
    const { identity, requestId: correlation_id } = event.requestContext;
    try {
      const verdict = await judge(event);
      if (typeof verdict !== "string") return allow(event, verdict);
      // The name is not logged, because users sometimes type passwords in its place.
      logger.info("refused", { correlation_id, reason: verdict, source: identity.sourceIp });
      return deny(event);
    } catch (error) {
      logger.error("fault", { correlation_id, error: error as Error });
      throw error;
    }
  };
