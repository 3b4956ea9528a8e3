/** The types of the package `wirelab-construct`, whose properties come from the table of settings with its texts as comments. */
import { describeDefault, SETTINGS, type Setting } from "../settings.ts";

/** Settings that are no properties of their own: infra/wirelab.ts. */
const OTHERS = /^(auth|iam_role|jwt_.*|stack_name|concurrency_.*)$/;
const QUOTA = /^quota_/;

const camel = (key: string): string => key.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Removes links, quotation marks of Markdown, and what would end a comment. */
const plain = (markdown: string): string =>
  markdown
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .replaceAll("`", "")
    .replaceAll("*/", "* /");

function typeOf({ kind }: Setting): string {
  const type = typeof kind.parse(kind.choices?.[0] ?? "1");
  return type === "string" && kind.choices
    ? kind.choices.map((choice) => JSON.stringify(choice)).join(" | ")
    : type;
}

const propertyOf = ([key, setting]: readonly [key: string, setting: Setting]): string =>
  `  /** ${plain(setting.doc)}. Default: ${plain(describeDefault(setting))}. */
  readonly ${camel(key)}?: ${typeOf(setting)} | undefined;`;

export function declarations(): string {
  const rows = Object.entries<Setting>(SETTINGS).filter(([key]) => !OTHERS.test(key));
  const plainRows = rows.filter(([key]) => !QUOTA.test(key));
  const quotas = rows
    .filter(([key]) => QUOTA.test(key))
    .map(([key, setting]) => [key.replace(QUOTA, ""), setting] as const);
  return `import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import type { Grant, IGrantable } from "aws-cdk-lib/aws-iam";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import type { IBucket } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";

/** An OpenID Connect issuer of tokens. */
export interface JwtIssuer {
  /** A URL that begins with https://. */
  readonly issuer: string;
  readonly audience: string;
  /** The client as which the page signs in. Default: the audience. */
  readonly clientId?: string;
  /** The claim that identifies the user. Default: sub. */
  readonly userClaim?: string;
  /** The claim with the user's role. Default: wirelab_role. */
  readonly roleClaim?: string;
}

/** How callers sign in. */
export declare class Auth {
  private constructor();
  /** Users and passwords in the table: the default. */
  static basic(): Auth;
  /** Tokens of an OpenID Connect issuer. */
  static jwt(issuer: JwtIssuer): Auth;
  /** Requests signed with SigV4. All callers have one role, by default admin. */
  static iam(role?: "viewer" | "editor" | "admin"): Auth;
  /** Admits all callers; requires \`ephemeral\`. */
  static none(): Auth;
}

/** What there may be. */
export interface WirelabQuotas {
${quotas.map(propertyOf).join("\n")}
}

export interface WirelabProps {
  /** How callers sign in. Default: Auth.basic(). */
  readonly auth?: Auth | undefined;
  /** What there may be: \`{ nodes: 200 }\`. */
  readonly quotas?: WirelabQuotas | undefined;
  /** How many instances of a function run at once: \`{ runs: 5 }\`. */
  readonly concurrency?: Readonly<Record<string, number>> | undefined;
${plainRows.map(propertyOf).join("\n")}
}

/** The service. An app can have several. */
export declare class Wirelab extends Construct {
  constructor(scope: Construct, id: string, props?: WirelabProps);
  /** The URL to which clients append the paths of the interface, and what IAM policies name. */
  get api(): { readonly url: string; readonly domain: string; readonly arn: string };
  get table(): ITable;
  /** Symbols, captures and files. */
  get bucket(): IBucket;
  /** The functions by their names, as \`runs\` and \`authorizer\`. */
  get functions(): Readonly<Record<string, IFunction>>;
  /** Allows a role or user of IAM to send requests. @throws Error unless callers sign in with IAM. */
  grantInvoke(grantee: IGrantable): Grant;
}
`;
}
