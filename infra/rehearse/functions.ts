/**
 * The quotas of functions that no schema has.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
import { render } from "./render.ts";
import { type Json, ofType, type Problem, type StackTemplate } from "./template.ts";

/** Names and values of all variables together. */
const ENVIRONMENT_BYTES = 4_096;
/** Of 1,000 executions of an account, 100 cannot be reserved. */
const RESERVABLE = 900;
/** The most memory that a function of a new account can have. */
const NEW_ACCOUNT_MB = 3_008;

export function checkFunctions(stack: StackTemplate): readonly Problem[] {
  const problems: Problem[] = [];
  let reserved = 0;
  for (const [logicalId, properties] of ofType(stack, "AWS::Lambda::Function")) {
    const { Environment, MemorySize, ReservedConcurrentExecutions } = render(stack, properties) as Json;
    const variables = (Environment as { Variables?: Json } | undefined)?.Variables ?? {};
    const bytes = Buffer.byteLength(JSON.stringify(variables));
    if (bytes > ENVIRONMENT_BYTES)
      problems.push({
        logicalId,
        text: `the environment has ${bytes} bytes, Lambda takes ${ENVIRONMENT_BYTES}: put settings that few functions read into one variable, or into the table`,
      });
    if (Number(MemorySize) > NEW_ACCOUNT_MB)
      problems.push({
        logicalId,
        text: `has ${MemorySize} MB, a new account gives a function ${NEW_ACCOUNT_MB}`,
      });
    reserved += Number(ReservedConcurrentExecutions ?? 0);
  }
  if (reserved > RESERVABLE)
    problems.push({
      logicalId: "",
      text: `the functions reserve ${reserved} executions, an account has ${RESERVABLE} to reserve: lower the concurrency_ settings`,
    });
  return problems;
}
