/** Starts the embedded DynamoDB, which is over Node's SQLite. It has the operations that the product uses. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { EmbeddedServer } from "../embedded-server.ts";
import { LocalProblem } from "../problem.ts";
import { LIMITS, type Limits } from "./limits.ts";

export interface ServerSetup {
  readonly host: string;
  readonly file: string | undefined;
  readonly limits: Limits;
}

/**
 * @param file the database file, or undefined for a database in memory.
 * @param onDeath called with a message if the thread ends before `stop` is called.
 * @throws LocalProblem if the file cannot be opened.
 */
export async function startDynamoDb(
  host: string,
  file: string | undefined,
  onDeath: (message: string) => void,
  limits: Partial<Limits> = {},
): Promise<EmbeddedServer> {
  const setup: ServerSetup = { host, file, limits: { ...LIMITS, ...limits } };
  const thread = new Worker(new URL("./server.ts", import.meta.url), { workerData: setup, execArgv: [] });
  const [port] = await once(thread, "message").catch((error: Error) => {
    throw explainDeath(error.message, file);
  });
  let isStopping = false;
  let problem = "";
  thread.on("error", (error) => {
    problem = error.stack ?? String(error);
  });
  const ended = new Promise<void>((resolve) => thread.once("exit", () => resolve()));
  void ended.then(() => {
    if (!isStopping) onDeath(`DynamoDB ended unexpectedly: ${problem}`);
  });
  return {
    endpoint: `http://${host}:${port}`,
    async stop() {
      isStopping = true;
      thread.postMessage("stop");
      await ended;
    },
  };
}

const DAMAGED = /file is not a database|malformed/;

/** @param complaint what the database has printed. */
function explainDeath(complaint: string, file = "in memory"): LocalProblem {
  if (DAMAGED.test(complaint)) {
    return new LocalProblem(
      `The database ${file} is damaged: put a copy of the data folder in its place, or move the file away to start with an empty database.`,
    );
  }
  const lastLine = complaint.split("\n").at(-1);
  return new LocalProblem(`The embedded DynamoDB does not start with the database ${file}: ${lastLine}`);
}
