/**
 * Lists every wildcard in the stack's policies with its reason. test/unit/infra/wildcards.test.ts reads the template; it fails for
 * a wildcard that no row matches, and for a row that matches no wildcard. The test writes a grant in this form:
 *
 *     kind of policy  effect  principal (in resource policies)  action  on  resource
 *
 * Wildcards in conditions restrict a grant, and need no reason: keys of the table, prefixes, names of log groups. The attribute
 * `Arn` of a log group, to which its function may write, ends in a wildcard for the group's streams.
 */

interface Wildcard {
  readonly grant: RegExp;
  readonly reason: string;
}

export const OBJECT_NAMES =
  "The function uses all objects with this prefix, and their names are known only at run time.";
export const TRACES = "X-Ray's actions support no resource-level permissions.";
export const CONNECTIONS =
  "The function sends to all connections of this API, and API Gateway names them when they open.";
export const GATEWAY_LOGS =
  "API Gateway's documentation requires this policy for the role that writes its logs.";

export const PASSWORDS =
  "A secret has the name of its compute, which clients register, and Secrets Manager ends its ARN with random characters.";

export const STREAMS =
  "Lambda lists the table's streams, and the name of a stream is the time at which DynamoDB created it.";

export const EXECUTIONS =
  "An execution of this state machine has the name of its sweep or run, which is made at run time.";

export const INSTANCES =
  "EC2's Describe actions support no resource-level permissions; EC2 names instances, volumes and interfaces when it makes them, and conditions restrict the other actions to this stack's tag and template.";
export const NETWORK_INTERFACES =
  "Lambda requires these permissions of a function in a network, on interfaces that it names itself.";

export const WILDCARDS: readonly Wildcard[] = [
  {
    grant:
      /^role Allow s3:\w+ on <BucketData\.Arn>\/(segments|captures|commits|symbols|files|snapshots|labs|sweeps|guests|images|runs|states)\/\*$/,
    reason: OBJECT_NAMES,
  },
  {
    grant:
      /^role Allow secretsmanager:\w+ on arn:<AWS::Partition>:secretsmanager:<AWS::Region>:<AWS::AccountId>:secret:\w+\/computes\/\*$/,
    reason: PASSWORDS,
  },
  { grant: /^role Allow dynamodb:ListStreams on <TableState\.Arn>\/stream\/\*$/, reason: STREAMS },
  {
    grant:
      /^role Allow execute-api:ManageConnections on arn:<AWS::Partition>:execute-api:<AWS::Region>:<AWS::AccountId>:<SocketsApi>\/v2\/(POST|GET|DELETE)\/@connections\/\*$/,
    reason: CONNECTIONS,
  },
  { grant: /^role Allow ec2:Describe(Instances|InstanceTypes) on \*$/, reason: INSTANCES },
  {
    grant:
      /^role Allow ec2:(CreateNetworkInterface|DeleteNetworkInterface|DescribeNetworkInterfaces|DescribeSubnets|(Una|A)ssignPrivateIpAddresses) on \*$/,
    reason: NETWORK_INTERFACES,
  },
  {
    grant:
      /^role Allow states:(DescribeExecution|StopExecution) on arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:<(labcases|guests)Machine\.Name>:\*$/,
    reason: EXECUTIONS,
  },
  { grant: /^role Allow xray:Put(TraceSegments|TelemetryRecords) on \*$/, reason: TRACES },
  {
    grant:
      /^managed ApiRestCloudWatchRole arn:<AWS::Partition>:iam::aws:policy\/service-role\/AmazonAPIGatewayPushToCloudWatchLogs$/,
    reason: GATEWAY_LOGS,
  },
  {
    grant:
      /^managed CustomS3AutoDeleteObjectsCustomResourceProviderRole arn:<AWS::Partition>:iam::aws:policy\/service-role\/AWSLambdaBasicExecutionRole$/,
    reason: "The CDK's function that empties the buckets of an ephemeral stack writes its log.",
  },
  {
    grant: /^bucket Deny \* s3:\* on <(Bucket(Data|AccessLog)|EdgePages)\.Arn>(\/\*)?$/,
    reason: "The statement denies all requests without TLS, or with a version older than 1.2.",
  },
  {
    grant: /^bucket Allow logging\.s3\.amazonaws\.com s3:PutObject on <BucketAccessLog\.Arn>\/(pages\/)?\*$/,
    reason: "S3 names the objects of an access log by their time.",
  },
  {
    grant:
      /^bucket Allow <CustomS3AutoDeleteObjectsCustomResourceProviderRole\.Arn> s3:(DeleteObject\*|GetBucket\*|List\*|PutBucketPolicy) on <(Bucket(Data|AccessLog)|EdgePages)\.Arn>(\/\*)?$/,
    reason: "The CDK's function empties the buckets of an ephemeral stack when the stack is destroyed.",
  },
  {
    grant: /^bucket Allow cloudfront\.amazonaws\.com s3:(GetObject|ListBucket) on <EdgePages\.Arn>\/\*$/,
    reason: "CloudFront reads all pages; the condition names this stack's distribution.",
  },
  {
    grant: /^key Allow arn:<AWS::Partition>:iam::<AWS::AccountId>:root kms:\* on \*$/,
    reason:
      "The account's IAM policies decide who may administer the key; without an administrator it would be lost for ever.",
  },
  {
    grant: /^key Allow logs\.<AWS::Region>\.amazonaws\.com kms:\w+ on \*$/,
    reason: "In a key policy, the asterisk stands for that key; the condition names the stack's log groups.",
  },
  {
    grant:
      /^key Allow arn:<AWS::Partition>:iam::<AWS::AccountId>:root kms:(CreateGrant|Decrypt|DescribeKey|Encrypt|GenerateDataKey\*|ReEncrypt\*) on \*$/,
    reason:
      "The CDK adds this statement for a secret with a key; its condition allows only requests through Secrets Manager.",
  },
  {
    grant: /^permission Allow apigateway\.amazonaws\.com lambda:InvokeFunction from \S+\/\*\/\*\/\*$/,
    reason:
      "Every method of this API may call its function; a permission for each would exceed a size limit.",
  },
  {
    grant: /^permission Allow apigateway\.amazonaws\.com lambda:InvokeFunction from \S+\/authorizers\/\*$/,
    reason:
      "This API has one authorizer, whose id API Gateway chooses when it reads the API's OpenAPI document.",
  },
  {
    grant:
      /^permission Allow apigateway\.amazonaws\.com lambda:InvokeFunction from arn:<AWS::Partition>:execute-api:<AWS::Region>:<AWS::AccountId>:<SocketsApi>\/v2\/\*$/,
    reason: "The three routes of the WebSocket API call one function.",
  },
];
