/** Adds checks to the tests of the lab. */
import { openView } from "../dock/open-view.ts";
import { changeTests } from "../edit/tests.ts";
import type { Lab } from "../lab/lab.ts";
import { notifyWithAction } from "../ui/notices.tsx";
import type { Check } from "./add-check.ts";

/** @param make returns the check for the text to which it is added. */
export async function addCheck(
  lab: Lab,
  words: string,
  make: (text: string) => Check | Promise<Check>,
): Promise<void> {
  const { withCheck } = await import("./add-check.ts");
  let isThere = false;
  const add = async (text: string) => {
    const next = withCheck(text, await make(text));
    isThere = next === text;
    return next;
  };
  await changeTests(lab, add, "add a check");
  notifyWithAction(`${isThere ? "The tests have this already" : "Added to the tests"}: ${words}.`, {
    name: "Show",
    run: async () => {
      openView.value = "tests";
    },
  });
}

/** Two devices must reach each other, or must not: from the one that was selected first. */
export async function addReach(lab: Lab, isNegated: boolean): Promise<void> {
  const [from, to] = [...lab.selection.peek()].flatMap((id) => lab.nodes.peek().get(id) ?? []);
  if (from === undefined || to === undefined) return;
  const { mustReach } = await import("./checks.ts");
  const words = `${from.name} must ${isNegated ? "not " : ""}reach ${to.name}`;
  await addCheck(lab, words, () => mustReach(from, to, isNegated));
}
