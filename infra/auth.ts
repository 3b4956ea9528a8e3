/** The authentication mode in the context: `-c auth=basic` (the default), `iam`, `jwt`, or `none`. */
import type { Node } from "constructs";
import { givenText, readText, variablesFor } from "./settings.ts";

export type AuthMode =
  /** HTTP Basic with the users in the table. */
  | "basic"
  /** SigV4 with the account's IAM policies. All callers have the same role. */
  | "iam"
  /** Tokens of an OpenID Connect issuer. */
  | "jwt"
  /** Admits all callers. */
  | "none";

/** @throws Error for an invalid or unsafe context. */
export function readAuth(node: Node, { ephemeral }: { readonly ephemeral: boolean }): AuthMode {
  const mode = readText(node, "auth") as AuthMode;
  if (mode === "none" && !ephemeral)
    throw new Error("The context key auth is none, which admits all callers; it requires ephemeral=true");
  const required = mode === "jwt" ? (["jwt_issuer", "jwt_audience"] as const) : [];
  const missing = required.find((key) => givenText(node, key) === undefined);
  if (missing === undefined) return mode;
  throw new Error(`The context key auth is jwt, which requires the key ${missing}`);
}

/** Returns environment variables for the functions: functions/shared/edge/principal.ts. */
export const authVariables = (node: Node, mode: AuthMode): Record<string, string> => ({
  AUTH_MODE: mode,
  ...(mode === "iam" && variablesFor(node, ["iam_role"])),
});
