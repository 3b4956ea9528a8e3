/** VPCS 0.8.3 prints the recording that `test/unit/engine/devices/pc/console-lines.test.ts` compares with. */
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { RECORDING, realConsole, recordedConsole } from "../helpers/engine/vpcs-console.ts";
import { vpcsVersion } from "../helpers/proof/real-vpcs.ts";

const isThere = vpcsVersion === "0.8.3";
const note = isThere ? "" : ` (skipped: the installed vpcs is ${vpcsVersion ?? "none"}, not 0.8.3)`;

describe.skipIf(!isThere)(`the recorded console of VPCS 0.8.3${note}`, () => {
  // `vitest -u` records the lines again.
  test("equals the program's output", async () => {
    const groups = await Promise.all(
      recordedConsole.map((group) => realConsole(group.map(({ line }) => line))),
    );
    const text = groups.map((group) => group.map((each) => JSON.stringify(each)).join("\n")).join("\n\n");
    await expect(`${text}\n`).toMatchFileSnapshot(fileURLToPath(RECORDING));
  }, 300_000);
});
