/** `wirelab users`: manages the users with passwords in the table of a stack. */
import { text } from "node:stream/consumers";
import { namespaceOf } from "../../functions/shared/edge/namespace.ts";
import { passwordProblem } from "../../functions/shared/edge/password-rules.ts";
import { ROLES, type Role } from "../../functions/shared/edge/principal.ts";
import { readStackOutput } from "../../functions/shared/store/base/stack-outputs.ts";
import { generatePassword } from "../../functions/shared/store/user/password.ts";
import { clearAttempts } from "../../functions/shared/store/user/sign-in.ts";
import {
  addUser,
  changePassword,
  changeRole,
  FIRST_USER,
  isUserName,
  listUsers,
  removeUser,
} from "../../functions/shared/store/user/user.ts";
import { CommandLineError, parseCommandLine, type Surroundings } from "./command-line.ts";
import { DataError } from "./failure.ts";

export const help = `Usage: wirelab users [--table NAME | --stack NAME] ACTION ...

  first                    adds the user admin to a table without users
  add NAME [--role ROLE]   adds a user: viewer (the default), editor or admin
  list [--json]            lists the users
  passwd NAME              changes a user's password
  role NAME ROLE           changes a user's role
  remove NAME              removes a user; the user's data stay
  unlock NAME              clears the failed logins counted for a name, from all addresses

  --password-stdin         first, add, passwd: takes the password from standard input; otherwise one is generated and printed
  --keep                   first: adds the user also to a table with other users, for a password that moves there
  --table NAME             the table; the environment variable WIRELAB_TABLE when absent
  --stack NAME             the deployed stack that owns the table

Region and credentials are those of the AWS SDK's standard variables and files. The service notices a change within a minute.
`;

const STACK_OUTPUT = "TableName";

interface Request {
  readonly operands: readonly string[];
  readonly role: string | undefined;
  readonly json: boolean;
  readonly keep: boolean;
  /** Returns the password on standard input, or a generated one, which the command must print. */
  readonly choosePassword: () => Promise<Choice>;
  readonly surroundings: Surroundings;
}

interface Choice {
  readonly password: string;
  readonly isMadeUp: boolean;
}

interface Action {
  /** Names of the operands. */
  readonly operands: readonly string[];
  /** Options besides the table's. */
  readonly options: readonly string[];
  readonly perform: (request: Request) => Promise<void>;
}

const ACTIONS: Readonly<Record<string, Action>> = {
  first: { operands: [], options: ["keep", "password-stdin"], perform: first },
  add: { operands: ["NAME"], options: ["role", "password-stdin"], perform: add },
  list: { operands: [], options: ["json"], perform: list },
  passwd: { operands: ["NAME"], options: ["password-stdin"], perform: passwd },
  role: { operands: ["NAME", "ROLE"], options: [], perform: setRole },
  remove: { operands: ["NAME"], options: [], perform: remove },
  unlock: { operands: ["NAME"], options: [], perform: unlock },
};

const KNOWN = Object.keys(ACTIONS).join(", ");

export async function run(args: string[], surroundings: Surroundings): Promise<void> {
  const { values, positionals } = parseCommandLine(args, {
    options: {
      table: { type: "string" },
      stack: { type: "string" },
      role: { type: "string" },
      json: { type: "boolean" },
      keep: { type: "boolean" },
      "password-stdin": { type: "boolean" },
    },
    positionals: ["[ACTION]", "[NAME]", "[ROLE]"],
  });
  const [name, ...operands] = positionals;
  if (name === undefined) throw new CommandLineError(`an action is missing; the actions are ${KNOWN}`);
  const action = findAction(name, operands, Object.keys(values));
  const { table, stack, role, json = false, keep = false } = values;
  const choosePassword = async (): Promise<Choice> =>
    values["password-stdin"]
      ? { password: await readPassword(surroundings), isMadeUp: false }
      : { password: generatePassword(), isMadeUp: true };
  try {
    process.env.TABLE_NAME = await findTable(table, stack);
    await action.perform({ operands, role, json, keep, choosePassword, surroundings });
  } catch (error) {
    if (isOfCode(error, "store.unavailable")) throw noAnswer(error.cause);
    if (isOfCode(error, "store.missing")) throw new DataError(error.message);
    if (!isServicesAnswer(error)) throw error;
    throw new DataError(describeAnswer(error));
  }
}

function findAction(name: string, operands: readonly string[], options: readonly string[]): Action {
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (action === undefined) {
    throw new CommandLineError(`unknown action ${JSON.stringify(name)}; the actions are ${KNOWN}`);
  }
  if (operands.length !== action.operands.length) {
    throw new CommandLineError(`expected users ${[name, ...action.operands].join(" ")}`);
  }
  const stray = options.find((option) => !["table", "stack", ...action.options].includes(option));
  if (stray !== undefined) throw new CommandLineError(`users ${name} takes no --${stray}`);
  return action;
}

async function findTable(table: string | undefined, stack: string | undefined): Promise<string> {
  if (table !== undefined && stack !== undefined)
    throw new CommandLineError("--table and --stack exclude each other");
  if (stack !== undefined) {
    const found = await readStackOutput(stack, STACK_OUTPUT);
    if (found === undefined) throw new DataError(`the stack ${stack} has no output ${STACK_OUTPUT}`);
    return found;
  }
  const name = table ?? process.env.WIRELAB_TABLE;
  if (!name)
    throw new CommandLineError(
      "no table is given; use --table, --stack or the environment variable WIRELAB_TABLE",
    );
  return name;
}

const NO_REGION = /^Region is missing/;

/** Returns true for errors of the SDK: a failed request, missing credentials or a missing region. */
const isServicesAnswer = (error: unknown): error is Error =>
  error instanceof Error &&
  ("$fault" in error || error.name === "CredentialsProviderError" || NO_REGION.test(error.message));

function describeAnswer({ name, message }: Error): string {
  if (NO_REGION.test(message)) {
    return "no AWS region is set; set AWS_REGION, or a region in the AWS configuration file";
  }
  return name === "Error" ? message : `${name}: ${message}`;
}

const isOfCode = (error: unknown, code: `store.${string}`): error is Error =>
  error instanceof Error && "code" in error && error.code === code;

/** Makes the error for a table that throttles, fails or cannot be reached. */
function noAnswer(cause: unknown): DataError {
  const { name, message, code } = cause as Error & { readonly code?: string };
  const place = process.env.AWS_ENDPOINT_URL_DYNAMODB;
  const why = [code ?? (name === "Error" ? undefined : name), message].filter(Boolean).join(": ");
  return new DataError(
    `the table ${process.env.TABLE_NAME} does not answer${place ? ` at ${place}` : ""} (${why})`,
  );
}

/** Returns the whole standard input without its final line break. */
async function readPassword({ stdin }: Surroundings): Promise<string> {
  const password = (await text(stdin)).replace(/\r?\n$/, "");
  const problem = passwordProblem(password);
  if (problem !== null) throw new DataError(`the password ${problem}`);
  return password;
}

async function add({ operands: [name = ""], role = "viewer", choosePassword, surroundings }: Request) {
  checkName(name);
  if (namespaceOf(name) !== undefined)
    throw new CommandLineError(`${name} is the name of a namespace's user: wirelab namespace makes these`);
  const chosen = checkRole(role);
  const choice = await choosePassword();
  if (!(await addUser(name, chosen, choice.password))) throw new DataError(`there is a user ${name} already`);
  reportPassword(`${name} is ${article(chosen)} now`, choice, surroundings);
}

/** Adds no user to a table that has users, so that each deployment can repeat the command. */
async function first({ keep, choosePassword, surroundings }: Request) {
  const { stderr } = surroundings;
  const there = await listUsers();
  if (keep ? there.some(({ name }) => name === FIRST_USER) : there.length > 0) {
    stderr.write("there are users already\n");
    return;
  }
  const choice = await choosePassword();
  await addUser(FIRST_USER, "admin", choice.password);
  reportPassword(`${FIRST_USER} is an admin now`, choice, surroundings);
}

async function list({ json, surroundings: { stdout } }: Request) {
  const users = (await listUsers()).map(({ name, role, created_at }) => ({ name, role, created_at }));
  if (json) stdout.write(`${JSON.stringify(users, null, 2)}\n`);
  else {
    const width = Math.max(0, ...users.map(({ name }) => name.length));
    for (const { name, role, created_at } of users) {
      stdout.write(`${name.padEnd(width)}  ${role.padEnd(6)}  ${created_at}\n`);
    }
  }
}

async function passwd({ operands: [name = ""], choosePassword, surroundings }: Request) {
  const choice = await choosePassword();
  if (!(await changePassword(name, choice.password))) throw noSuchUser(name);
  reportPassword(`${name} has another password now`, choice, surroundings);
}

async function setRole({ operands: [name = "", role = ""], surroundings: { stderr } }: Request) {
  const chosen = checkRole(role);
  if (!(await changeRole(name, chosen))) throw noSuchUser(name);
  stderr.write(`${name} is ${article(chosen)} now\n`);
}

async function remove({ operands: [name = ""], surroundings: { stderr } }: Request) {
  if (!(await removeUser(name))) throw noSuchUser(name);
  stderr.write(`${name} is removed\n`);
}

/** Unlocks any name, because the service counts failed attempts for every name. */
async function unlock({ operands: [name = ""], surroundings: { stderr } }: Request) {
  checkName(name);
  const places = await clearAttempts(name);
  stderr.write(places === 0 ? `nothing is counted against ${name}\n` : `${name} may try again\n`);
}

/** Prints a generated password on standard output and all other text on standard error, for scripts. */
function reportPassword(
  done: string,
  { password, isMadeUp }: Choice,
  { stdout, stderr }: Surroundings,
): void {
  stderr.write(isMadeUp ? `${done}; the password:\n` : `${done}\n`);
  if (isMadeUp) stdout.write(`${password}\n`);
}

function checkName(name: string): void {
  if (isUserName(name)) return;
  throw new CommandLineError(`${JSON.stringify(name)}: a name has up to 64 of A-Z a-z 0-9 . _ @ + -`);
}

const article = (role: Role): string => (role === "viewer" ? `a ${role}` : `an ${role}`);

function checkRole(text: string): Role {
  const role = ROLES.find((each) => each === text);
  if (role === undefined) throw new CommandLineError(`${text} is no role; the roles are ${ROLES.join(", ")}`);
  return role;
}

const noSuchUser = (name: string): DataError => new DataError(`there is no user ${name}`);
