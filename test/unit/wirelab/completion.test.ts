import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { runCli } from "./run-cli.ts";

/** What bash offers for the last of `words`. */
function completeInBash(script: string, words: readonly string[]): string[] {
  const commands = `${script}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; COMPREPLY=()
_wirelab; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", commands], { encoding: "utf8" });
  expect(stderr).toBe("");
  return stdout.split("\n").filter((line) => line !== "");
}

const scriptFor = async (shell: string): Promise<string> =>
  (await runCli(["completion", shell])).stdout.toString();

describe("wirelab completion", () => {
  test("bash completes commands, options of a command, and files", async () => {
    const script = await scriptFor("bash");
    expect(completeInBash(script, ["wirelab", "tr"])).toEqual(["trace"]);
    expect(completeInBash(script, ["wirelab", "test", "--se"])).toEqual(["--seed", "--seeds"]);
    expect(completeInBash(script, ["wirelab", "run", "package.js"])).toEqual(["package.json"]);
  });

  test.each([
    ["zsh", "compdef _wirelab wirelab", '    explain) options="--link-type" ;;'],
    ["fish", "-n __fish_use_subcommand -a explain", '-n "__fish_seen_subcommand_from explain" -l link-type'],
  ])("%s has each command with its options", async (shell, ...texts) => {
    const script = await scriptFor(shell);
    for (const text of texts) expect(script).toContain(text);
  });

  test("is refused for another shell", async () => {
    expect(await runCli(["completion", "tcsh"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"tcsh" is none of bash, zsh, fish'),
    });
  });
});
