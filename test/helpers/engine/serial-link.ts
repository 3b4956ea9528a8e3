/** Makes a link a serial one, in the table: no node type of the service has serial ports. */
import { DynamoDBClient, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { localStack } from "../stack/this-stack.ts";

export async function makeSerial({
  projectId,
  linkId,
}: {
  projectId: string;
  linkId: string;
}): Promise<void> {
  const { region, credentials, dynamodbEndpoint, tableName } = localStack();
  const client = new DynamoDBClient({ region, credentials, endpoint: dynamodbEndpoint });
  await client.send(
    new UpdateItemCommand({
      TableName: tableName,
      Key: { pk: { S: `PROJECT#${projectId}` }, sk: { S: `LINK#${linkId}` } },
      UpdateExpression: "SET link_type = :serial",
      ConditionExpression: "attribute_exists(pk)",
      ExpressionAttributeValues: { ":serial": { S: "serial" } },
    }),
  );
  client.destroy();
}
