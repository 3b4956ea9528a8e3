/** The parts that all authorizers share: the policy for a verdict, and the log line. */
import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent, Context } from "aws-lambda";
import { logger } from "../shared/edge/log.ts";
import { Overloaded, timeLimit } from "./overloaded.ts";
import { type Admitted, allow, deny } from "./policy.ts";

/**
 * Returns the caller, or a word that gives the reason for the refusal.
 * @param signal aborted when the function has no time left.
 */
export type Judge = (
  event: APIGatewayRequestAuthorizerEvent,
  signal: AbortSignal,
) => Promise<Admitted | string>;

type Handler = (
  event: APIGatewayRequestAuthorizerEvent,
  context: Pick<Context, "getRemainingTimeInMillis">,
) => Promise<APIGatewayAuthorizerResult>;

/** An error of `judge` is a failure of the service: the gateway then responds with 503, admits no caller, and caches nothing. */
export const makeHandler =
  (judge: Judge): Handler =>
  async (event, context) => {
    const { identity, requestId: correlation_id } = event.requestContext;
    try {
      const verdict = await judge(event, timeLimit(context.getRemainingTimeInMillis()));
      if (typeof verdict !== "string") return allow(event, verdict);
      // The name is not logged, because users sometimes type passwords in its place.
      logger.info("refused", { correlation_id, reason: verdict, source: identity.sourceIp });
      return deny(event);
    } catch (error) {
      if (error instanceof Overloaded)
        logger.warn("overloaded", { correlation_id, reason: error.message, source: identity.sourceIp });
      else logger.error("fault", { correlation_id, error: error as Error });
      throw error;
    }
  };
