/** The OpenAPI document of the REST API in a template. */
import type { Template } from "aws-cdk-lib/assertions";
import {
  ANY_METHOD,
  type ApiDocument,
  AUTH_TYPE,
  type FunctionIntegration,
  INTEGRATION,
  type MockIntegration,
  type Operation,
  type PathItem,
  VERBS,
} from "../../../infra/api/document.ts";

/** Intrinsic functions stand where the document has text. */
export function bodyOf(template: Template): ApiDocument {
  const apis = Object.values(template.findResources("AWS::ApiGateway::RestApi"));
  if (apis.length !== 1) throw new Error(`the template has ${apis.length} REST APIs`);
  return apis[0]!.Properties.Body;
}

export interface Method {
  /** `GET`, `ANY`. */
  readonly verb: string;
  readonly path: string;
  readonly operation: Operation;
  readonly integration: FunctionIntegration | MockIntegration;
  /** `custom`, `awsSigv4`; undefined for a method that admits all callers. */
  readonly authorization: string | undefined;
}

/** The methods of the document by name: `GET /projects`, `ANY /projects`. */
export function methodsOf(template: Template): Map<string, Method> {
  const { paths, components } = bodyOf(template);
  const methods = Object.entries(paths).flatMap(([path, item]: [string, PathItem]) =>
    ([...VERBS, ANY_METHOD] as const).flatMap((key) => {
      const operation = item[key];
      if (operation === undefined) return [];
      const verb = key === ANY_METHOD ? "ANY" : key.toUpperCase();
      const [scheme] = operation.security?.flatMap((requirement) => Object.keys(requirement)) ?? [];
      const authorization =
        scheme === undefined ? undefined : components!.securitySchemes[scheme]![AUTH_TYPE];
      const integration = operation[INTEGRATION];
      return [[`${verb} ${path}`, { verb, path, operation, integration, authorization }] as const];
    }),
  );
  return new Map(methods);
}
