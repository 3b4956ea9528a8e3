/** What the person at the keyboard can put right: main prints the message alone, without a stack trace. */
export class LocalProblem extends Error {
  override readonly name = "LocalProblem";
}
