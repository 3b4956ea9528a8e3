/** A failure whose message says what is wrong and what to do. */
export class ActionError extends Error {
  override readonly name = "ActionError";
}
