/** The stack action's bundles, as GitHub runs them: main and post step are processes, which share files and the environment. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FakeCheckout } from "../../helpers/stack/fake-checkout.ts";
import { makeFolder, NODE } from "../wirelab/run-cli.ts";

const DIST = new URL("../../../stack/dist", import.meta.url).pathname;
const OUTPUTS = { ApiUrl: "https://a1.execute-api.test/v2/", FirstUserCommand: "npx wirelab users first" };

const root = makeFolder();
let counter = 0;

/** One job with the action. */
class Job {
  readonly checkout = new FakeCheckout();
  readonly #folder = join(root, `job-${counter++}`);
  readonly #environment: Record<string, string>;

  constructor(inputs: Record<string, string> = {}, environment: Record<string, string> = {}) {
    mkdirSync(this.#folder);
    const names = ["settings", "stack", "config", "assembly", "expires", "source"];
    const given: Record<string, string> = { source: this.checkout.folder, ...inputs };
    this.#environment = {
      PATH: process.env.PATH!,
      AWS_REGION: "eu-central-1",
      GITHUB_REPOSITORY: "alice/Net.Labs",
      GITHUB_REF: "refs/pull/12/merge",
      GITHUB_WORKSPACE: this.#folder,
      RUNNER_TEMP: this.#folder,
      GITHUB_OUTPUT: join(this.#folder, "output"),
      GITHUB_STATE: join(this.#folder, "state"),
      FAKE_CALLS: this.checkout.callsFile,
      FAKE_OUTPUTS: JSON.stringify(OUTPUTS),
      ...Object.fromEntries(names.map((name) => [`INPUT_${name.toUpperCase()}`, given[name] ?? ""])),
      ...environment,
    };
  }

  #run(script: string, added: Record<string, string>) {
    return new Promise<{ code: number | null; stdout: string }>((resolve) => {
      const child = spawn(NODE, [join(DIST, script)], { env: { ...this.#environment, ...added } });
      let stdout = "";
      let isCancelled = false;
      child.stdout.on("data", (chunk: Buffer) => {
        stdout += chunk;
        if (isCancelled || !stdout.includes("hanging")) return;
        isCancelled = true;
        child.kill("SIGINT");
      });
      child.once("close", (code) => resolve({ code, stdout }));
    });
  }

  main = (added: Record<string, string> = {}) => this.#run("main.js", added);

  /** GitHub passes what the main step saved. */
  post = (added: Record<string, string> = {}) => {
    const state = Object.entries(this.#values("state")).map(([name, value]) => [`STATE_${name}`, value]);
    return this.#run("post.js", { ...Object.fromEntries(state), ...added });
  };

  get outputs() {
    return this.#values("output");
  }

  get state() {
    return this.#values("state");
  }

  #values(name: string): Record<string, string> {
    const file = join(this.#folder, name);
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    return Object.fromEntries(
      [...text.matchAll(/^(\w+)<<(\S+)\n([\s\S]*?)\n\2$/gm)].map(([, key, , value]) => [key!, value!]),
    );
  }
}

const errorsIn = (stdout: string) => stdout.split("\n").filter((line) => line.startsWith("::error::"));

describe("the main step", () => {
  test("synthesizes an ephemeral stack once, deploys it with its end as a tag, and gives its first user a masked password", async () => {
    const job = new Job({ settings: "waf=true\n\n# a comment\nquota_nodes=5\n", expires: "2" });
    const before = Date.now();
    const { code, stdout } = await job.main();
    expect(code, stdout).toBe(0);
    const { password } = job.outputs;
    expect(job.outputs).toEqual({
      stack: "wirelab-net-labs-pr-12",
      url: "https://a1.execute-api.test/v2",
      user: "admin",
      password: expect.stringMatching(/^[\w-]{32}$/),
    });
    expect(stdout).toContain(`::add-mask::${password}\n`);
    const [synth, deploy, first, passwd] = job.checkout.calls;
    const { assembly } = job.state;
    const given = ["waf=true", "quota_nodes=5", "ephemeral=true", "stack_name=wirelab-net-labs-pr-12"];
    const context = [...given, expect.stringMatching(/^expires=/)].flatMap((each) => ["-c", each]);
    expect(synth!.args).toEqual(["synth", "--quiet", "--output", assembly, ...context]);
    const expiresMs = Date.parse(synth!.args.at(-1)!.slice("expires=".length));
    expect(expiresMs - before).toBeGreaterThanOrEqual(7_200_000);
    expect(expiresMs - Date.now()).toBeLessThanOrEqual(7_200_000);
    expect(deploy!.args.slice(0, 3)).toEqual(["deploy", "--app", assembly]);
    expect(deploy!.args).not.toContain("--tags");
    const users = (action: string[]) => ["users", ...action, "--password-stdin", "--stack", job.state.stack];
    expect([first, passwd]).toEqual([
      { args: users(["first"]), stdin: password },
      { args: users(["passwd", "admin"]), stdin: password },
    ]);
    // A password in arguments could be read by other processes.
    expect(JSON.stringify(job.checkout.calls.map(({ args }) => args))).not.toContain(password);
  });

  test("has neither user nor password for a stack whose callers do not sign in with passwords", async () => {
    const job = new Job(
      { settings: "auth=none" },
      { FAKE_OUTPUTS: JSON.stringify({ ApiUrl: "https://a/v2/" }) },
    );
    expect((await job.main()).code).toBe(0);
    expect(job.outputs).toMatchObject({ url: "https://a/v2", user: "", password: "" });
    expect(job.checkout.calls).toHaveLength(2);
  });

  test("uses a configuration", async () => {
    const config = join(makeFolder(), "labs.config.ts");
    writeFileSync(config, "export default {};");
    const job = new Job({ config, stack: "mine" });
    expect((await job.main()).code).toBe(0);
    const own = join(job.checkout.folder, "wirelab.config.ts");
    expect(readFileSync(own, "utf8")).toBe("export default {};");
    expect(job.outputs.stack).toBe("mine");
    writeFileSync(own, "export default { waf: true };");
    const { stdout } = await job.main();
    expect(errorsIn(stdout)).toEqual([
      expect.stringContaining(`and ${own} is another one; remove one of them`),
    ]);
  });

  test("deploys an assembly that was made before, without a synthesis, and destroys it", async () => {
    const assembly = join(makeFolder(), "cdk.out");
    mkdirSync(assembly);
    const properties = { stackName: "made-before", tags: { team: "net", "wirelab-lifetime": "ephemeral" } };
    const artifacts = {
      Wirelab: { type: "aws:cloudformation:stack", properties },
      Tree: { type: "cdk:tree" },
    };
    writeFileSync(join(assembly, "manifest.json"), JSON.stringify({ artifacts }));
    const job = new Job({ assembly });
    expect((await job.main()).code).toBe(0);
    expect((await job.post()).code).toBe(0);
    expect(job.outputs.stack).toBe("made-before");
    const { args } = job.checkout.calls[0]!;
    expect(args.filter((_, index) => args[index - 1] === "--tags")).toEqual([
      "team=net",
      "wirelab-lifetime=ephemeral",
      expect.stringMatching(/^expires=2/),
    ]);
    expect(job.checkout.calls.map(({ args }) => args[0])).toEqual(["deploy", "users", "users", "destroy"]);
  });

  test.each([
    ["settings", { settings: "waf" }, 'settings has the line "waf"; write each as key=value'],
    [
      "settings",
      { settings: "ephemeral=false" },
      "settings has ephemeral, which the action sets; remove the line",
    ],
    ["stack", { stack: "no spaces" }, 'stack is "no spaces"; a name has'],
    ["expires", { expires: "200" }, 'expires is "200"; it must be hours, above 0 and up to 168'],
    ["expires", { expires: "soon" }, 'expires is "soon"; it must be hours'],
    [
      "assembly",
      { assembly: "a", stack: "b" },
      "assembly is given, which has its settings and its name; remove",
    ],
    ["assembly", { assembly: "nowhere" }, "which has no manifest.json; make it with npx cdk synth"],
    ["config", { config: "nowhere.ts" }, "nowhere.ts, which does not exist; name a file of the job"],
    ["source", { source: "nowhere" }, "which has no cdk.json; name a folder with a checkout"],
  ])("refuses a wrong %s: %o", async (_name, inputs, message) => {
    const job = new Job(inputs);
    const { code, stdout } = await job.main();
    expect(code).toBe(1);
    expect(errorsIn(stdout)).toEqual([expect.stringContaining(message)]);
    expect(job.checkout.calls).toEqual([]);
    expect((await job.post()).code).toBe(0);
    expect(job.checkout.calls).toEqual([]);
  });

  test.each([
    [{ Wirelab: { type: "aws:cloudformation:stack" } }, "has the stack Wirelab, which keeps its data"],
    [{}, "which has 0 stacks"],
  ])("refuses the assembly of a lasting stack, and one without a stack", async (artifacts, message) => {
    const assembly = makeFolder();
    writeFileSync(join(assembly, "manifest.json"), JSON.stringify({ artifacts }));
    const { code, stdout } = await new Job({ assembly }).main();
    expect([code, errorsIn(stdout)]).toEqual([1, [expect.stringContaining(message)]]);
  });

  test("refuses to begin without a region", async () => {
    const job = new Job({}, { AWS_REGION: "" });
    const { code, stdout } = await job.main();
    expect([code, errorsIn(stdout)]).toEqual([
      1,
      [expect.stringContaining("AWS_REGION is not set; sign in")],
    ]);
  });

  test.each([
    ["synth", "cannot be synthesized; its reason is above"],
    ["deploy", "cannot be deployed; its reason is above"],
    ["users", "the first user of wirelab-net-labs-pr-12 cannot be added; the role of this job needs"],
  ])("fails when %s fails", async (what, message) => {
    const job = new Job();
    const { code, stdout } = await job.main({ FAKE_FAILS: what });
    expect([code, errorsIn(stdout)]).toEqual([1, [expect.stringContaining(message)]]);
  });

  test("fails outside of GitHub's workflows", async () => {
    const { code, stdout } = await new Job({}, { GITHUB_STATE: "" }).main();
    expect([code, errorsIn(stdout)]).toEqual([
      1,
      [expect.stringContaining("GITHUB_STATE is not set; run this")],
    ]);
  });
});

describe("the post step", () => {
  test("destroys the stack from the same assembly", async () => {
    const job = new Job();
    await job.main();
    const { code } = await job.post();
    expect(code).toBe(0);
    expect(job.checkout.calls.at(-1)!.args).toEqual(["destroy", "--app", job.state.assembly, "--force"]);
  });

  test("destroys a stack whose deployment failed, and one whose job was cancelled meanwhile", async () => {
    for (const how of ["FAKE_FAILS", "FAKE_HANGS"]) {
      const job = new Job();
      expect((await job.main({ [how]: "deploy" })).code).toBe(1);
      expect((await job.post()).code).toBe(0);
      expect(job.checkout.calls.map(({ args }) => args[0])).toEqual(["synth", "deploy", "destroy"]);
    }
  });

  test("destroys nothing when the synthesis failed", async () => {
    const job = new Job();
    await job.main({ FAKE_FAILS: "synth" });
    const { code, stdout } = await job.post();
    expect([code, stdout]).toEqual([0, "::notice::Nothing was deployed, so nothing is destroyed\n"]);
  });

  test("names the stack that it cannot destroy, and two ways out", async () => {
    const job = new Job();
    await job.main();
    const { code, stdout } = await job.post({ FAKE_FAILS: "destroy" });
    const [error] = errorsIn(stdout);
    expect(code).toBe(1);
    expect(error).toContain("aws cloudformation delete-stack --stack-name wirelab-net-labs-pr-12");
    expect(error).toContain("npm run janitor");
  });
});
