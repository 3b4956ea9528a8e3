/**
 * The service as a construct for any CDK app, and the entry of the package `wirelab-construct`:
 *
 *     new Wirelab(this, "Labs", { auth: Auth.iam(), quotas: { nodes: 200 } });
 *
 * Its properties are the settings of infra/settings.ts in the CDK's spelling. An app can have several, also in one stack.
 */
import { Stack } from "aws-cdk-lib";
import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import { Grant, type IGrantable } from "aws-cdk-lib/aws-iam";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import type { IBucket } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import { asInterface } from "./as-interface.ts";
import { refuseUnknown, Settings } from "./chosen-settings.ts";
import type { WirelabSettings } from "./settings.ts";
import { Service } from "./stack.ts";
import { STAGE_NAME } from "./stage-name.ts";

/** How callers sign in. */
export class Auth {
  readonly settings: WirelabSettings;

  private constructor(settings: WirelabSettings) {
    this.settings = settings;
  }

  /** Users and passwords in the table: the default. */
  static basic(): Auth {
    return new Auth({ auth: "basic" });
  }

  /** Tokens of an OpenID Connect issuer. */
  static jwt(issuer: JwtIssuer): Auth {
    return new Auth({
      auth: "jwt",
      jwt_issuer: issuer.issuer,
      jwt_audience: issuer.audience,
      jwt_client_id: issuer.clientId,
      jwt_user_claim: issuer.userClaim,
      jwt_role_claim: issuer.roleClaim,
    });
  }

  /** Requests signed with SigV4. All callers have one role, by default admin. */
  static iam(role?: WirelabSettings["iam_role"]): Auth {
    return new Auth({ auth: "iam", iam_role: role });
  }

  /** Admits all callers; requires `ephemeral`. */
  static none(): Auth {
    return new Auth({ auth: "none" });
  }
}

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

type Camel<Text extends string> = Text extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Text;

/** Settings that other properties have, or the stack of the construct. */
type Others =
  | "auth"
  | "iam_role"
  | `jwt_${string}`
  | "stack_name"
  | `quota_${string}`
  | `concurrency_${string}`;

type Plain = {
  readonly [Key in keyof WirelabSettings as Key extends Others ? never : Camel<Key>]?: WirelabSettings[Key];
};

type Quotas = {
  readonly [Key in keyof WirelabSettings as Key extends `quota_${infer Name}`
    ? Camel<Name>
    : never]?: WirelabSettings[Key];
};

export type WirelabProps = Plain & {
  /** How callers sign in. Default: Auth.basic(). */
  readonly auth?: Auth | undefined;
  /** What there may be: `{ nodes: 200 }`. */
  readonly quotas?: Quotas | undefined;
  /** How many instances of a function run at once: `{ runs: 5 }`. */
  readonly concurrency?: Readonly<Record<string, number>> | undefined;
};

export class Wirelab extends Construct {
  readonly #service: Service;
  readonly #signedCalls: boolean;

  /** @throws Error for an unknown property and for a value that a setting does not allow. */
  constructor(scope: Construct, id: string, props: WirelabProps = {}) {
    super(scope, id);
    const settings = settingsOf(props);
    this.#signedCalls = settings.get("auth") === "iam";
    this.#service = new Service(this, "Default", settings);
  }

  /** The URL to which clients append the paths of the interface, and what IAM policies name. */
  get api(): { readonly url: string; readonly domain: string; readonly arn: string } {
    const { url } = this.#service;
    const { domain, id } = this.#service.api;
    const arn = Stack.of(this).formatArn({
      service: "execute-api",
      resource: id,
      resourceName: `${STAGE_NAME}/*`,
    });
    return { url, domain, arn };
  }

  get table(): ITable {
    return asInterface<ITable>(this.#service.table.resource);
  }

  /** Symbols, captures and files. */
  get bucket(): IBucket {
    return asInterface<IBucket>(this.#service.bucket.resource);
  }

  /** The functions by their names, as `runs` and `authorizer`. */
  get functions(): Readonly<Record<string, IFunction>> {
    return Object.fromEntries(this.#service.functions.map(({ name, handler }) => [name, handler]));
  }

  /** Allows a role or user of IAM to send requests. @throws Error unless callers sign in with IAM. */
  grantInvoke(grantee: IGrantable): Grant {
    if (!this.#signedCalls) throw new Error(`${this.node.path}: grantInvoke requires auth: Auth.iam()`);
    return Grant.addToPrincipal({
      grantee,
      actions: ["execute-api:Invoke"],
      resourceArns: [this.api.arn],
    });
  }
}

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const prefixed = (prefix: string, values: object = {}): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}${snake(name)}`, value]));

function settingsOf({ auth, quotas, concurrency, ...plain }: WirelabProps): Settings {
  const given = {
    ...prefixed("", plain),
    ...auth?.settings,
    ...prefixed("quota_", quotas),
    ...prefixed("concurrency_", concurrency),
  };
  refuseUnknown(Object.keys(given), (key) => `Wirelab has no property for a setting ${key}`);
  return new Settings(given, "Wirelab: the setting");
}
