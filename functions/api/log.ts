/** The log of a function: lines of JSON on its output, which CloudWatch Logs keeps and Logs Insights searches. */
import { Logger } from "@aws-lambda-powertools/logger";

const functionName = process.env.AWS_LAMBDA_FUNCTION_NAME;

/**
 * No line takes anything from the one before it: what belongs to a request is given with each, because on one machine
 * an environment answers many at once.
 */
export const logger = new Logger({
  serviceName: "wirelab",
  ...(functionName && { persistentKeys: { function_name: functionName } }),
});
