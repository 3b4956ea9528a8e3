/** The project's file that has the tests of a lab. */
import { ApiProblem, call, send } from "../api/call.ts";

export const TESTS_FILE = "tests.yaml";

export interface TextStore {
  /** @returns undefined if there is no file. */
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
}

/** @param path of the project. */
export const projectFile = (path: string): TextStore => ({
  async read() {
    try {
      return await (await send("GET", `${path}/files/${TESTS_FILE}`)).text();
    } catch (error) {
      if (error instanceof ApiProblem && error.status === 404) return undefined;
      throw error;
    }
  },
  async write(text) {
    await call("POST", `${path}/files/${TESTS_FILE}`, { body: new Blob([text]) });
  },
});
