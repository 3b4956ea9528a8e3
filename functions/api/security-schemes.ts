/** How a request says whose it is, for the OpenAPI document: docs/security.md, "Ways to sign in". */

interface SecurityScheme {
  readonly type: "http" | "apiKey";
  readonly description: string;
  readonly [field: string]: string;
}

/** A stack takes one of them: which, its context `auth` says. One that is open, as on one's own machine, looks at none. */
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
  // OpenAPI has no word for signatures; this is how API Gateway writes them in its own exports.
  iam: {
    type: "apiKey",
    in: "header",
    name: "Authorization",
    "x-amazon-apigateway-authtype": "awsSigv4",
    description:
      "A signature of AWS, version 4, for the service execute-api, where the stack has auth=iam; without one the answer is 403",
  },
} as const satisfies Record<string, SecurityScheme>;

/** Each is enough by itself. */
export const SECURITY = Object.keys(SECURITY_SCHEMES).map((name) => ({ [name]: [] as const }));
