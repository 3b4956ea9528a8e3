/** Leaves a committed run pending, like a function that died before it wrote the run out: functions/shared/store/commit/commit.ts. */
import { gzipSync } from "node:zlib";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { DynamoDBDocumentClient, GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";

interface Stores {
  readonly dynamodbEndpoint: string;
  readonly s3Endpoint: string;
  readonly tableName: string;
  readonly bucketName: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

interface Place {
  readonly projectId: string;
  readonly nodeId: string;
  /** A link with a running capture. */
  readonly linkId: string;
}

/** The run stopped the node and added a segment, whose object is missing, to the capture. */
export async function leavePendingRun(stores: Stores, { projectId, nodeId, linkId }: Place): Promise<void> {
  const {
    dynamodbEndpoint: endpoint,
    region,
    credentials,
    tableName: TableName,
    bucketName: Bucket,
  } = stores;
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({ endpoint, region, credentials: { ...credentials } }),
  );
  const pk = `PROJECT#${projectId}`;
  const read = async (sk: string) => (await client.send(new GetCommand({ TableName, Key: { pk, sk } }))).Item;
  const [project, link] = [await read("META"), await read(`LINK#${linkId}`)];
  const { capture } = link!;
  const run = (project!.run ?? 0) + 1;
  const attempt = crypto.randomUUID();
  const added = {
    capture_id: capture.capture_id,
    number: capture.segments,
    segment: { object_id: crypto.randomUUID(), offset: 0, length: 0 },
    packets: capture.packets,
    bytes: capture.bytes,
    end_ns: capture.end_ns,
    limit_reached: false,
  };
  const changes = [
    { kind: "node", node_id: nodeId, status: "stopped", state: {} },
    { kind: "link", link_id: linkId, revision: link!.revision, added },
    { kind: "put", sk: "SERIES#put", item: { entity: "series", series: "put", next: 1 } },
    { kind: "delete", sk: "SERIES#deleted" },
  ];
  const s3 = new S3Client({
    endpoint: stores.s3Endpoint,
    region,
    credentials: { ...credentials },
    forcePathStyle: true,
  });
  const Body = gzipSync(JSON.stringify({ run, changes }));
  await s3.send(new PutObjectCommand({ Bucket, Key: `commits/${projectId}/${attempt}`, Body }));
  s3.destroy();
  await client.send(
    new UpdateCommand({
      TableName,
      Key: { pk, sk: "META" },
      UpdateExpression: "SET #run = :run, #pending = :attempt",
      ExpressionAttributeNames: { "#run": "run", "#pending": "pending" },
      ExpressionAttributeValues: { ":run": run, ":attempt": attempt },
    }),
  );
  client.destroy();
}
