/** Changes the tests of the lab, so that it can be undone. */
import type { Lab } from "../lab/lab.ts";
import { TESTS_FILE } from "../lab/tests-file.ts";
import { changeParts } from "./change.ts";

/** @param change returns the new text; what it throws is reported, and nothing changes. */
export async function changeTests(
  lab: Lab,
  change: (text: string) => string | Promise<string>,
  name: string,
): Promise<void> {
  await lab.refresh("tests", [TESTS_FILE]);
  const value = await change(lab.testsText.peek() ?? "");
  await changeParts(lab, [{ kind: "tests", id: TESTS_FILE, path: ["text"], value }], name);
}
