/**
 * Adds the first user of a stack with `auth=basic`, as `wirelab users` does in a deployed one: the table has the hash alone. A password
 * that was made here is saved in a file that only its owner can read.
 */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { LocalProblem } from "./problem.ts";
import { readSecrets, saveSecret } from "./secrets.ts";

const FIRST_USER = "admin";

/** The key in the file of secrets. Earlier releases used the name of the template's secret. */
const SAVED_AS = "first-password";
const EARLIER_KEY = /^[a-z0-9-]+-authorizerfirstpassword[0-9a-f]+$/;

const COMMAND = fileURLToPath(new URL("../../packages/wirelab/wirelab.js", import.meta.url));

export interface FirstUser {
  /** Undefined when the password was changed since, or was never saved. */
  readonly password: string | undefined;
  /** True when this start has made the password: the user has not seen it yet. */
  readonly isNew: boolean;
}

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `wirelab users`. The command has the clients of the store, which take their settings from the environment of a process. */
function users(args: readonly string[], table: TableAccess, stdin = ""): Promise<Ran> {
  const env = { ...process.env, ...table.environment, WIRELAB_TABLE: table.name };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [COMMAND, "users", ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code) || 1, stdout, stderr }),
    );
    child.stdin!.end(stdin);
  });
}

export interface TableAccess {
  readonly name: string;
  /** The SDK's variables: endpoint, region and credentials. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * @param given the password that the first user must have; it is not written to the file.
 * @throws LocalProblem when the table does not take the user.
 */
export async function ensureFirstUser(
  table: TableAccess,
  secretsFile: string,
  given: string | undefined,
): Promise<FirstUser> {
  const saved = savedPassword(secretsFile);
  const password = given ?? saved;
  if (password !== undefined) {
    const added = await users(["add", FIRST_USER, "--role", "admin", "--password-stdin"], table, password);
    const isThere = added.code !== 0 && added.stderr.includes("already");
    if (added.code !== 0 && !isThere) throw refused(added);
    if (isThere && given !== undefined) {
      const changed = await users(["passwd", FIRST_USER, "--password-stdin"], table, given);
      if (changed.code !== 0) throw refused(changed);
    }
    return { password, isNew: false };
  }
  const made = await users(["first"], table);
  if (made.code !== 0) throw refused(made);
  const value = made.stdout.trim();
  if (value === "") return { password: undefined, isNew: false };
  saveSecret(secretsFile, SAVED_AS, value);
  return { password: value, isNew: true };
}

const refused = ({ stderr }: Ran): LocalProblem =>
  new LocalProblem(`The first user cannot be added: ${stderr.trim()}`);

function savedPassword(file: string): string | undefined {
  const saved = readSecrets(file);
  const earlier = Object.keys(saved).find((key) => EARLIER_KEY.test(key));
  return saved[SAVED_AS] ?? (earlier === undefined ? undefined : saved[earlier]);
}
