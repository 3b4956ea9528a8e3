/** `npm start`: runs the service on this machine until Ctrl-C. usage.ts has its environment variables. */
import { passwordProblem } from "../../functions/shared/edge/password-rules.ts";
import type { FirstUser } from "./first-user.ts";
import { isUnspecified } from "./free-port.ts";
import { DEFAULT_PORT, type LocalStack, startLocalStack } from "./local-stack.ts";
import { LocalProblem } from "./problem.ts";
import { contextFrom, endingOf } from "./usage.ts";

/** npm forwards a Ctrl-C that the terminal has sent to this process, too: signals within this time count as one. */
const SAME_SIGNAL_MS = 500;
const PARENT_POLL_MS = 250;

const ending = endingOf(process.argv.slice(2));
if (ending) {
  (ending.code === 0 ? console.log : console.error)(ending.text);
  process.exit(ending.code);
}

const port = readPort(process.env.PORT);

const giveUp = new AbortController();
const starting = startLocalStack({
  ...(process.env.HOST && { host: process.env.HOST }),
  port,
  auth: readAuth(process.env.WIRELAB_AUTH),
  context: contextFrom(process.env),
  adminPassword: readPassword(process.env.WIRELAB_ADMIN_PASSWORD),
  telnet: true,
  dataDir: process.env.WIRELAB_DATA || ".wirelab",
  printLogs: process.env.WIRELAB_LOG ? console.log : undefined,
  signal: giveUp.signal,
  onFault: (message) => void end(1, message),
});
/** The time of the first signal, in milliseconds since 1970. */
let stoppingSinceMs = Number.POSITIVE_INFINITY;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, interrupt);
if (process.env.npm_lifecycle_event) stopWithParent(process.ppid);

try {
  const stack = await starting;
  const { url, stage, port: chosen } = stack;
  const settings = [
    ...(stack.firstUser ? ["WIRELAB_PASSWORD=..."] : []),
    ...(chosen === DEFAULT_PORT ? [] : [`PORT=${chosen}`]),
  ];
  const demo = [...settings, "npm run demo"].join(" ");
  console.log(`
Wirelab is ready:  ${url}${describeHost(process.env.HOST)}
Interface:         ${url}/${stage}
Documentation:     ${url}/${stage}/docs
See it at work:    ${demo}
${describeConsoles(stack)}${describeUsers(stack)}
Ctrl-C stops it; the data stays.`);
} catch (error) {
  // A start that the user has cancelled fails: that is no error to report.
  if (!Number.isFinite(stoppingSinceMs)) {
    console.error(error instanceof LocalProblem ? error.message : error);
    process.exit(1);
  }
}

/** Needed if the service listens on all addresses: the URL contains only one of them. */
function describeHost(host = ""): string {
  if (!isUnspecified(host)) return "";
  return `\n                   (it listens on ${host}: other machines use an address of this one)`;
}

function describeConsoles({ firstUser }: LocalStack): string {
  const consoles = "Consoles:          ";
  if (firstUser === undefined) return `${consoles}telnet 127.0.0.1 and the number \`console\` of a node\n`;
  return `${consoles}WIRELAB_PASSWORD=... npx wirelab console PROJECT NODE\n`;
}

/** Prints a new password only once; later starts print the file that it is saved in. */
function describeUsers(stack: LocalStack): string {
  const { firstUser, secretsFile, dynamodbEndpoint, region, credentials, tableName } = stack;
  if (firstUser === undefined) return "";
  const { accessKeyId, secretAccessKey } = credentials;
  const found = describePassword(firstUser, secretsFile);
  const account =
    accessKeyId === process.env.AWS_ACCESS_KEY_ID
      ? ""
      : `AWS_ACCESS_KEY_ID=${accessKeyId} AWS_SECRET_ACCESS_KEY=${secretAccessKey} `;
  return `
First user:        admin, ${found}
Other users:       AWS_ENDPOINT_URL_DYNAMODB=${dynamodbEndpoint} AWS_REGION=${region} ${account}\\
                   WIRELAB_TABLE=${tableName} npx wirelab users --help
`;
}

function describePassword({ password, isNew }: FirstUser, secretsFile: string): string {
  if (isNew) return `with the password ${password}`;
  if (process.env.WIRELAB_ADMIN_PASSWORD) return "with the password of WIRELAB_ADMIN_PASSWORD";
  if (password === undefined) return "with the password that was set";
  return `with the password in ${secretsFile}, unless it was changed`;
}

function readAuth(text = "none"): "basic" | "none" {
  if (text === "basic" || text === "none") return text;
  console.error(`WIRELAB_AUTH is ${JSON.stringify(text)}, and must be basic or none.`);
  process.exit(1);
}

/** The password must be strong: beyond the loopback interface it is the only protection of the service. */
function readPassword(text: string | undefined): string | undefined {
  if (!text) return undefined;
  const problem = passwordProblem(text);
  if (problem === null) return text;
  console.error(`WIRELAB_ADMIN_PASSWORD ${problem}.`);
  process.exit(1);
}

function readPort(text = String(DEFAULT_PORT)): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isInteger(value) && value >= 0 && value <= 65_535) return value;
  console.error(`PORT is ${JSON.stringify(text)}, and must be a number from 0 to 65535.`);
  process.exit(1);
}

function interrupt(): void {
  if (Date.now() - stoppingSinceMs > SAME_SIGNAL_MS) process.exit(130);
  if (Number.isFinite(stoppingSinceMs)) return;
  stoppingSinceMs = Date.now();
  giveUp.abort();
  void end(0, "\nStopping");
}

/** npm sends SIGTERM to the shell between npm and this process. The shell ends without forwarding it. */
function stopWithParent(parent: number): void {
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    interrupt();
  }, PARENT_POLL_MS);
  watch.unref();
}

async function end(code: number, message: string): Promise<void> {
  if (code === 0) console.log(message);
  else console.error(message);
  const stack = await starting.catch(() => null);
  await stack?.stop();
  if (code === 0) console.log("Stopped; the data are stored.");
  process.exit(code);
}
