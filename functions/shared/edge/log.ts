/** The log of a function: lines of JSON on its output, which CloudWatch Logs stores and Logs Insights searches. */
import { Logger } from "@aws-lambda-powertools/logger";

const functionName = process.env.AWS_LAMBDA_FUNCTION_NAME;

/**
 * Log lines share no state. Each call passes the attributes of its request, because on one machine an environment handles many
 * requests at once.
 */
export const logger = new Logger({
  serviceName: "wirelab",
  ...(functionName && { persistentKeys: { function_name: functionName } }),
});
