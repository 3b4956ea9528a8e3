/** The authentication mode in the context: `-c auth=basic` (the default), `iam`, `jwt`, or `none`. */
import type { Node } from "constructs";
import { type ContextKey, givenText, readText } from "./settings.ts";

export type Auth =
  /** HTTP Basic with the users in the table. */
  | { readonly mode: "basic" }
  /** SigV4 with the account's IAM policies. All callers have the same role. */
  | { readonly mode: "iam"; readonly role?: string }
  /** Tokens of an OpenID Connect issuer. */
  | {
      readonly mode: "jwt";
      readonly issuer: string;
      readonly audience: string;
      readonly roleClaim?: string;
      readonly userClaim?: string;
    }
  /** Admits all callers. */
  | { readonly mode: "none" };

export type AuthMode = Auth["mode"];

const ROLES = ["viewer", "editor", "admin"];

/** @throws Error for an invalid or unsafe context. */
export function readAuth(node: Node, { ephemeral }: { readonly ephemeral: boolean }): Auth {
  const read = (key: ContextKey): string | undefined => givenText(node, key);
  const mode = readText(node, "auth");
  switch (mode) {
    case "basic":
      return { mode };
    case "iam":
      return { mode, ...optional("role", readRole(read("iam_role"))) };
    case "jwt":
      return {
        mode,
        issuer: readIssuer(read("jwt_issuer") ?? missing("jwt_issuer")),
        audience: read("jwt_audience") ?? missing("jwt_audience"),
        ...optional("roleClaim", read("jwt_role_claim")),
        ...optional("userClaim", read("jwt_user_claim")),
      };
    case "none":
      if (ephemeral) return { mode };
      throw new Error("The context key auth is none, which admits all callers; it requires ephemeral=true");
    default:
      throw new Error(`The context key auth is ${mode}; it must be basic, iam, jwt or none`);
  }
}

/** Returns environment variables for the functions: functions/shared/edge/principal.ts. */
export const authVariables = (auth: Auth): Record<string, string> => ({
  AUTH_MODE: auth.mode,
  ...(auth.mode === "iam" && auth.role !== undefined && { IAM_ROLE: auth.role }),
});

const optional = <K extends string>(key: K, value: string | undefined): { [P in K]?: string } =>
  (value === undefined ? {} : { [key]: value }) as { [P in K]?: string };

function readRole(role: string | undefined): string | undefined {
  if (role === undefined || ROLES.includes(role)) return role;
  throw new Error(`The context key iam_role is ${role}; it must be one of ${ROLES.join(", ")}`);
}

/** Requires HTTPS: over HTTP, an attacker on the network could replace the issuer's keys and sign valid tokens. */
function readIssuer(issuer: string): string {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  const isLocal = url?.protocol === "http:" && ["127.0.0.1", "localhost"].includes(url.hostname);
  if (url?.protocol === "https:" || isLocal) return issuer;
  throw new Error(`The context key jwt_issuer is ${issuer}; it must begin with https://`);
}

function missing(key: string): never {
  throw new Error(`The context key auth is jwt, which requires the key ${key}`);
}
