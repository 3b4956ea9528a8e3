/** Starts a DynamoDB of our own over Node's SQLite, where Dynoxide does not run. It has the operations that the product uses. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { type EmbeddedServer, explainDeath } from "../dynoxide.ts";

export interface ServerSetup {
  readonly host: string;
  readonly file: string | undefined;
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
): Promise<EmbeddedServer> {
  const setup: ServerSetup = { host, file };
  const thread = new Worker(new URL("./server.ts", import.meta.url), { workerData: setup, execArgv: [] });
  const [port] = await once(thread, "message").catch((error: Error) => {
    throw explainDeath(error.message, file);
  });
  let isStopping = false;
  let problem = "";
  thread.on("error", (error) => {
    problem = error.stack ?? String(error);
  });
  thread.once("exit", () => {
    if (!isStopping) onDeath(`DynamoDB ended unexpectedly: ${problem}`);
  });
  return {
    endpoint: `http://${host}:${port}`,
    async stop() {
      isStopping = true;
      const ended = once(thread, "exit");
      thread.postMessage("stop");
      await ended;
    },
  };
}
