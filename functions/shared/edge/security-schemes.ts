/** Authentication schemes for the OpenAPI document: docs/security.md, "Ways to sign in". */

interface SecurityScheme {
  readonly type: "http" | "apiKey";
  readonly description: string;
  readonly [field: string]: string;
}

/** A stack accepts one of these schemes, according to its context `auth`; an open stack, such as a local one, accepts any request. */
export const SECURITY_SCHEMES = {
  basic: {
    type: "http",
    scheme: "basic",
    description: "Name and password of a user, where the stack has auth=basic, as it has by default",
  },
  jwt: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "A token of the OpenID Connect issuer that the stack trusts, where it has auth=jwt",
  },
  // OpenAPI cannot describe signatures; API Gateway writes them in this form in its own exports.
  iam: {
    type: "apiKey",
    in: "header",
    name: "Authorization",
    "x-amazon-apigateway-authtype": "awsSigv4",
    description:
      "A signature of AWS, version 4, for the service execute-api, where the stack has auth=iam; without one the answer is 403",
  },
} as const satisfies Record<string, SecurityScheme>;

/** Each scheme is sufficient by itself. */
export const SECURITY = Object.keys(SECURITY_SCHEMES).map((name) => ({ [name]: [] as const }));
