/** Rules for passwords that a user chooses: on the command line, or for a service on one machine. */

const PASSWORD_MIN_CHARACTERS = 12;
/** The service hashes a password before it knows the user, so its length is bounded. */
export const PASSWORD_MAX_BYTES = 512;

/** Returns the rule that a chosen password breaks, or null. */
export function passwordProblem(password: string): string | null {
  if ([...password].length < PASSWORD_MIN_CHARACTERS)
    return `has to have at least ${PASSWORD_MIN_CHARACTERS} characters`;
  if (Buffer.byteLength(password) > PASSWORD_MAX_BYTES) return `may have at most ${PASSWORD_MAX_BYTES} bytes`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 7617 allows none in HTTP Basic
  if (/[\0-\x1f\x7f]/.test(password)) return "may not have control characters";
  return null;
}
