/** Calls operations in the test's process, against the service's table and bucket. */
import { withAccess } from "../../functions/api/access.ts";
import type { Operation } from "../../functions/api/operation.ts";
import { type Caller, LOCAL } from "../../functions/api/principal.ts";
import type { Route } from "../../functions/api/route.ts";
import { localStack } from "./this-stack.ts";

/** Before the store is imported: it makes its clients then. */
export function useServiceStores(): void {
  const { region, credentials, dynamodbEndpoint, s3Endpoint, tableName, bucketName } = localStack();
  Object.assign(process.env, {
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodbEndpoint,
    AWS_ENDPOINT_URL_S3: s3Endpoint,
    TABLE_NAME: tableName,
    BUCKET_NAME: bucketName,
  });
}

/** Calls an operation as its function would, and gives the body of the answer. */
export async function perform<R extends Route>(
  operation: Operation<R>,
  request: object,
  caller: Caller = LOCAL,
): Promise<unknown> {
  const common = { caller, query: {}, headers: {}, body: {}, remainingTimeMs: () => 29_000 };
  const answer = await withAccess({ caller, needed: "editor" }, () =>
    operation({ ...common, ...request } as never),
  );
  return answer.body;
}
