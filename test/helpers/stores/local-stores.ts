/** Lets the test's own process use the service's table and bucket. Import modules of the store after the call. */
import { localStack } from "../stack/this-stack.ts";

export function useLocalStores(): void {
  const stack = localStack();
  Object.assign(process.env, {
    AWS_REGION: stack.region,
    AWS_ACCESS_KEY_ID: stack.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: stack.credentials.secretAccessKey,
    AWS_ENDPOINT_URL_DYNAMODB: stack.dynamodbEndpoint,
    AWS_ENDPOINT_URL_S3: stack.s3Endpoint,
    TABLE_NAME: stack.tableName,
    BUCKET_NAME: stack.bucketName,
  });
}
