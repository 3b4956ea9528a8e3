/** The Ansible collection davidban77.gns3: each of its modules works against a service with users and against one without. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { hasProgram } from "../helpers/captures/pcap.ts";
import { startClientStack } from "../helpers/service/client-stacks.ts";
import { findClient, findPython } from "../helpers/service/clients.ts";

const PLAYBOOK = fileURLToPath(new URL("ansible_day.yml", import.meta.url));
const modules = findClient("ansible-collection-gns3/plugins/modules");
const gns3fy = findClient("gns3fy");
const python = findPython("requests", "pydantic");
const complete = modules && gns3fy && python && hasProgram("ansible-playbook");

describe.skipIf(!complete)(
  "the Ansible collection (skipped without ansible-core, the collection and gns3fy: test/clients/fetch.sh)",
  () => {
    test.each(["none", "basic"] as const)("the tasks of a day pass with auth=%s", async (auth) => {
      const { stack, credentials } = await startClientStack(auth);
      try {
        const variables = {
          url_of: "http://127.0.0.1",
          port_of: stack.port,
          user_of: credentials?.user ?? "",
          password_of: credentials?.password ?? "",
          project_of: `ansible-${auth}`,
          ansible_python_interpreter: python,
        };
        const run = await promisify(execFile)(
          "ansible-playbook",
          ["-i", "localhost,", "-c", "local", "-e", JSON.stringify(variables), PLAYBOOK],
          {
            env: {
              ...process.env,
              PYTHONPATH: gns3fy,
              ANSIBLE_LIBRARY: modules,
              ANSIBLE_NOCOLOR: "1",
              ANSIBLE_LOCALHOST_WARNING: "false",
            },
          },
        ).catch((failed: { stdout: string }) => failed);
        expect(run.stdout).toMatch(/ok=17 .*failed=0/);
      } finally {
        await stack.stop();
      }
    });
  },
);
