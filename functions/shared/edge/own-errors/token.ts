import { define } from "../error-definition.ts";

export const TOKEN_ERRORS = {
  "token.not-issued": define(
    409,
    () => "This stack does not check passwords, so it issues no tokens; sign in as before",
  ),
} as const;
