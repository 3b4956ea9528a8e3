/** The smallest bundle with both stores: the clients, and the SDK operations that the service uses. */
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import * as bucket from "../../../functions/shared/store/base/bucket.ts";

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const commands = [
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
];

export const handler = async () => [client, commands, bucket];
