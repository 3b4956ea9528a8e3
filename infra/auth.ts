/** The authentication mode in the context: `-c auth=basic` (the default), `iam`, `jwt`, or `none`. */
import type { Settings } from "./chosen-settings.ts";

export type AuthMode =
  /** HTTP Basic with the users in the table. */
  | "basic"
  /** SigV4 with the account's IAM policies. All callers have the same role. */
  | "iam"
  /** Tokens of an OpenID Connect issuer. */
  | "jwt"
  /** Admits all callers. */
  | "none";

/** @throws Error for unsafe or missing settings. */
export function readAuth(settings: Settings): AuthMode {
  const mode = settings.get("auth");
  if (mode === "none" && !settings.get("ephemeral"))
    throw new Error("The context key auth is none, which admits all callers; it requires ephemeral=true");
  const required = mode === "jwt" ? (["jwt_issuer", "jwt_audience"] as const) : [];
  const missing = required.find((key) => settings.get(key) === undefined);
  if (missing === undefined) return mode;
  throw new Error(`The context key auth is jwt, which requires the key ${missing}`);
}

/** Returns environment variables for the functions: functions/shared/edge/principal.ts. */
export const authVariables = (settings: Settings, mode: AuthMode): Record<string, string> => ({
  AUTH_MODE: mode,
  ...(mode === "iam" && settings.variables(["iam_role"])),
});
