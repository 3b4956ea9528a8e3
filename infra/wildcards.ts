/**
 * Every wildcard in the stack's policies, and why it is there; test/unit/infra/wildcards.test.ts reads the template and fails
 * for one that is not in this table, and for a row that none is like. Grants are told as there:
 *
 *     whose policy  effect  who (in policies of resources)  action  on  resource
 *
 * Wildcards in conditions narrow what is granted, and need no reason: keys of the table, prefixes, names of log groups. The
 * attribute `Arn` of a log group, on which its function may write, ends in one for the group's streams.
 */

interface Wildcard {
  readonly grant: RegExp;
  readonly reason: string;
}

export const OBJECT_NAMES =
  "The objects below this prefix are the function's, and their names are made up as they come.";
export const TRACES = "X-Ray's actions know no resources.";
export const GATEWAY_LOGS = "What API Gateway documents for the role with which it writes logs.";

export const WILDCARDS: readonly Wildcard[] = [
  {
    grant: /^role Allow s3:\w+ on <BucketData\.Arn>\/(segments|captures|symbols)\/\*$/,
    reason: OBJECT_NAMES,
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
    reason:
      "The CDK's own function, which empties the buckets of a stack that does not last, writes its log.",
  },
  {
    grant: /^bucket Deny \* s3:\* on <Bucket(Data|AccessLog)\.Arn>(\/\*)?$/,
    reason: "It refuses: nobody does anything without TLS, or with one older than 1.2.",
  },
  {
    grant: /^bucket Allow logging\.s3\.amazonaws\.com s3:PutObject on <BucketAccessLog\.Arn>\/\*$/,
    reason: "S3 names the objects of an access log by the time.",
  },
  {
    grant:
      /^bucket Allow <CustomS3AutoDeleteObjectsCustomResourceProviderRole\.Arn> s3:(DeleteObject\*|GetBucket\*|List\*|PutBucketPolicy) on <Bucket(Data|AccessLog)\.Arn>(\/\*)?$/,
    reason: "The CDK's own function empties the buckets of a stack that does not last when it is destroyed.",
  },
  {
    grant: /^key Allow arn:<AWS::Partition>:iam::<AWS::AccountId>:root kms:\* on \*$/,
    reason:
      "The account decides by its own policies who administers the key; one that nobody may is lost for ever.",
  },
  {
    grant: /^key Allow logs\.<AWS::Region>\.amazonaws\.com kms:\w+ on \*$/,
    reason: "In the policy of a key, the asterisk is that key; the condition names the stack's log groups.",
  },
  {
    grant:
      /^key Allow arn:<AWS::Partition>:iam::<AWS::AccountId>:root kms:(CreateGrant|Decrypt|DescribeKey|Encrypt|GenerateDataKey\*|ReEncrypt\*) on \*$/,
    reason: "The CDK's statement for a secret under a key: through Secrets Manager only, by its condition.",
  },
  {
    grant: /^permission Allow apigateway\.amazonaws\.com lambda:InvokeFunction from \S+\/\*\/\*\/\*$/,
    reason:
      "Every method of this API may call its function; one permission for each would pass a size limit.",
  },
];
