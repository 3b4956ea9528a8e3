/** The floor for comparing functions: it creates the SDK's two clients and does nothing else. */
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { S3Client } from "@aws-sdk/client-s3";

const clients = [new DynamoDBClient({}), new S3Client({})];

export const handler = async () => ({ statusCode: 204, body: String(clients.length) });
