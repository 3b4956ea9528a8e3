/** The local stack that the tests of a file use exclusively while they run. */
import { inject } from "vitest";
import type { LocalStackHandle } from "./local-stack.ts";
import { PATIENT } from "./patient.ts";

/** Returns the stack of the worker, which runs its files one after another. */
export function localStack(): LocalStackHandle {
  const stack = inject("localStacks")[Number(process.env.VITEST_POOL_ID) - 1];
  if (stack === undefined) throw new Error(`Worker ${process.env.VITEST_POOL_ID} has no stack`);
  return stack;
}

/** The environment variables by which a function finds the stores of a stack. */
export const environmentOf = (
  stack: Omit<LocalStackHandle, "baseUrl" | "methods" | "assembly">,
): Record<string, string> => ({
  ...PATIENT,
  AWS_REGION: stack.region,
  AWS_ACCESS_KEY_ID: stack.credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: stack.credentials.secretAccessKey,
  AWS_ENDPOINT_URL_DYNAMODB: stack.dynamodbEndpoint,
  AWS_ENDPOINT_URL_S3: stack.s3Endpoint,
  AWS_ENDPOINT_URL_SFN: stack.stepFunctionsEndpoint,
  TABLE_NAME: stack.tableName,
  BUCKET_NAME: stack.bucketName,
});
