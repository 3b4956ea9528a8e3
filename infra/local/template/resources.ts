/** Finds resources of a synthesized template. */
import type { CfnResource, CfnResources, Resolve } from "../intrinsics.ts";
import { LocalProblem } from "../problem.ts";

export function ofType(resources: CfnResources, type: string): [string, CfnResource][] {
  return Object.entries(resources).filter(([, resource]) => resource.Type === type);
}

export function single(resources: CfnResources, type: string): [string, CfnResource] {
  const found = ofType(resources, type);
  if (found.length !== 1) throw new LocalProblem(`the template has ${found.length} ${type}, one is needed`);
  return found[0]!;
}

/** Returns the logical id of the function that an invocation's URI names. The URI is as in the template, or resolved. */
export type FindFunction = (uri: unknown, where: string) => string;

export function makeFindFunction(resources: CfnResources, resolve: Resolve): FindFunction {
  const byArn = new Map(
    ofType(resources, "AWS::Lambda::Function").map(([id]) => [
      String(resolve({ "Fn::GetAtt": [id, "Arn"] }, id)),
      id,
    ]),
  );
  return (uri, where) => {
    const [arn = ""] = /arn:aws:lambda:[^/]+/.exec(String(resolve(uri, where))) ?? [];
    const id = byArn.get(arn);
    if (id === undefined) throw new LocalProblem(`${where} names no function of this stack`);
    return id;
  };
}

/** Derives names from logical ids, so that the next synthesis has the same names and finds the data. */
export function nameResources(resources: CfnResources): Record<string, string> {
  const properties = {
    "AWS::DynamoDB::Table": "TableName",
    "AWS::S3::Bucket": "BucketName",
    "AWS::SecretsManager::Secret": "Name",
    "AWS::ApiGatewayV2::Api": "Name",
    "AWS::ApiGateway::RestApi": "Name",
    "AWS::Lambda::Function": "FunctionName",
    "AWS::StepFunctions::StateMachine": "StateMachineName",
    "AWS::SQS::Queue": "QueueName",
  };
  return Object.fromEntries(
    Object.entries(properties).flatMap(([type, property]) =>
      ofType(resources, type).map(([id, resource]) => {
        const given = resource.Properties?.[property];
        return [id, typeof given === "string" ? given : `wirelab-${id.toLowerCase()}`.slice(0, 63)];
      }),
    ),
  );
}
