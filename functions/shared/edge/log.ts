/** The log of a function: lines of JSON on its output, which CloudWatch Logs stores and Logs Insights searches. */
import { Logger } from "@aws-lambda-powertools/logger";
import type { LogAttributes, LogItemExtraInput, LogItemMessage } from "@aws-lambda-powertools/logger/types";
import { ownBundleHash } from "./bundle-hash.ts";

const functionName = process.env.AWS_LAMBDA_FUNCTION_NAME;

/** Adds to each error the bundle that its stack trace is of: `npm run trace` shows the lines of the source. */
class ServiceLogger extends Logger {
  override error(input: LogItemMessage, ...extraInput: LogItemExtraInput): void {
    super.error(input, ...([...extraInput, { bundle: ownBundleHash() }] as LogAttributes[]));
  }
}

/**
 * Log lines share no state. Each call passes the attributes of its request, because on one machine an environment handles many
 * requests at once.
 */
export const logger = new ServiceLogger({
  serviceName: "wirelab",
  ...(functionName && { persistentKeys: { function_name: functionName } }),
});
