/** gns3fy, the Python client: its whole day passes against a service with users and against one without. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { startClientStack } from "../helpers/service/client-stacks.ts";
import { findClient, findPython } from "../helpers/service/clients.ts";

const SCRIPT = fileURLToPath(new URL("gns3fy_day.py", import.meta.url));
const source = findClient("gns3fy");
const python = findPython("requests", "pydantic");

interface Step {
  readonly step: string;
  readonly fault: string | null;
}

describe.skipIf(source === undefined || python === undefined)(
  "gns3fy (skipped without its source, python3-requests and python3-pydantic: test/clients/fetch.sh)",
  () => {
    test.each(["none", "basic"] as const)("every public method works with auth=%s", async (auth) => {
      const { stack, credentials } = await startClientStack(auth);
      try {
        const account = credentials ? [credentials.user, credentials.password] : [];
        const { stdout } = await promisify(execFile)(python!, [SCRIPT, stack.url, ...account], {
          env: { ...process.env, PYTHONPATH: source },
        });
        const steps = stdout
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line) as Step);
        expect(steps.filter(({ fault }) => fault !== null)).toEqual([]);
        expect(steps.length).toBeGreaterThan(50);
      } finally {
        await stack.stop();
      }
    });
  },
);
