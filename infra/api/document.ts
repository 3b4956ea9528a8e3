/**
 * The parts of an OpenAPI document, with API Gateway's extensions, of which this stack's REST API consists: infra/api/body.ts writes
 * them, the local gateway reads them.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-swagger-extensions.html
 */

/** The operation that serves each method without one of its own. */
export const ANY_METHOD = "x-amazon-apigateway-any-method";
export const INTEGRATION = "x-amazon-apigateway-integration";
export const GATEWAY_RESPONSES = "x-amazon-apigateway-gateway-responses";
export const BINARY_MEDIA_TYPES = "x-amazon-apigateway-binary-media-types";
export const SECURITY_POLICY = "x-amazon-apigateway-security-policy";
export const ENDPOINT_ACCESS_MODE = "x-amazon-apigateway-endpoint-access-mode";
export const AUTH_TYPE = "x-amazon-apigateway-authtype";
export const AUTHORIZER = "x-amazon-apigateway-authorizer";

type Texts = Readonly<Record<string, string>>;

export interface ApiDocument {
  readonly openapi: "3.0.1";
  readonly info: { readonly title: string; readonly description: string; readonly version: string };
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components?: { readonly securitySchemes: Readonly<Record<string, SecurityScheme>> };
  readonly [GATEWAY_RESPONSES]: Readonly<Record<string, GatewayResponse>>;
  readonly [BINARY_MEDIA_TYPES]: readonly string[];
  readonly [SECURITY_POLICY]: string;
  readonly [ENDPOINT_ACCESS_MODE]: string;
}

/** The methods of OpenAPI that API Gateway has, too. */
export const VERBS = ["delete", "get", "head", "options", "patch", "post", "put"] as const;
export type Verb = (typeof VERBS)[number];

export type PathItem = Readonly<Partial<Record<Verb | typeof ANY_METHOD, Operation>>> & {
  readonly parameters?: readonly PathParameter[];
};

interface PathParameter {
  readonly name: string;
  readonly in: "path";
  readonly required: true;
  readonly schema: { readonly type: "string" };
}

export interface Operation {
  /** Names one security scheme; absent for an operation that admits all callers. */
  readonly security?: readonly Readonly<Record<string, readonly never[]>>[];
  readonly responses: Readonly<Record<string, OperationResponse>>;
  readonly [INTEGRATION]: FunctionIntegration | MockIntegration;
}

interface OperationResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly schema: { readonly type: "string" } }>>;
}

export interface FunctionIntegration {
  readonly type: "aws_proxy";
  readonly httpMethod: "POST";
  readonly uri: string;
  readonly responseTransferMode?: "STREAM";
  readonly timeoutInMillis?: number;
}

/** API Gateway responds without a function. */
export interface MockIntegration {
  readonly type: "mock";
  readonly passthroughBehavior: "never";
  readonly contentHandling?: "CONVERT_TO_TEXT";
  readonly requestTemplates: Texts;
  readonly responses: Readonly<Record<string, MockResponse>>;
}

interface MockResponse {
  readonly statusCode: string;
  readonly contentHandling?: "CONVERT_TO_TEXT";
  /** `method.response.header.NAME` -> text in quotes, or `context.` and a name. */
  readonly responseParameters: Texts;
  readonly responseTemplates: Texts;
}

/** A response of API Gateway's own, to a request that it does not pass on. */
export interface GatewayResponse {
  readonly statusCode: string;
  /** `gatewayresponse.header.NAME` -> text in quotes, or `context.` and a name. */
  readonly responseParameters: Texts;
  readonly responseTemplates: Texts;
}

export interface SecurityScheme {
  readonly type: "apiKey";
  readonly name: string;
  readonly in: "header";
  /** `custom` for a function, `awsSigv4` for signatures of IAM. */
  readonly [AUTH_TYPE]: "custom" | "awsSigv4";
  readonly [AUTHORIZER]?: LambdaAuthorizer;
}

export interface LambdaAuthorizer {
  readonly type: "request";
  readonly authorizerUri: string;
  /** Separated by commas. */
  readonly identitySource: string;
  readonly authorizerResultTtlInSeconds?: number;
}
