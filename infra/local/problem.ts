/** An error that the user can fix: main.ts prints its message without a stack trace. */
export class LocalProblem extends Error {
  override readonly name = "LocalProblem";
}
