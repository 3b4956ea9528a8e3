/** Checks the endpoints that environment variables set in place of the embedded DynamoDB and S3. */
import { once } from "node:events";
import { connect } from "node:net";
import { LocalProblem } from "./problem.ts";

const STORES = {
  AWS_ENDPOINT_URL_DYNAMODB: { name: "DynamoDB", example: "http://127.0.0.1:8000" },
  AWS_ENDPOINT_URL_S3: { name: "S3", example: "http://127.0.0.1:9000" },
} as const;

export type EndpointVariable = keyof typeof STORES;

const CONNECT_MS = 3_000;
const DEFAULT_PORTS: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

/** @throws LocalProblem when a variable is not a URL, or when its server does not accept connections. */
export async function checkEndpoints(): Promise<void> {
  for (const variable of Object.keys(STORES) as EndpointVariable[]) {
    const given = process.env[variable];
    if (given) await checkEndpoint(variable, given);
  }
}

async function checkEndpoint(variable: EndpointVariable, given: string): Promise<void> {
  const { name, example } = STORES[variable];
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const defaultPort = DEFAULT_PORTS[url?.protocol ?? ""];
  if (url === undefined || defaultPort === undefined) {
    throw new LocalProblem(
      `${variable} is ${JSON.stringify(given)}, and must be an http or https URL such as ${example}.`,
    );
  }
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const socket = connect({ host, port: Number(url.port) || defaultPort });
  try {
    await once(socket, "connect", { signal: AbortSignal.timeout(CONNECT_MS) });
  } catch (error) {
    const { code, name: kind } = error as NodeJS.ErrnoException;
    const reason = kind === "AbortError" ? `no connection in ${CONNECT_MS / 1000} s` : code;
    throw new LocalProblem(
      `No ${name} accepts connections at ${given} (${reason}): start it, or correct ${variable}.`,
    );
  } finally {
    socket.on("error", () => {}).destroy();
  }
}

/** Calls a store. @throws LocalProblem with the endpoint if a call to a configured endpoint fails. */
export async function explainStore<Result>(
  variable: EndpointVariable,
  call: () => Promise<Result>,
): Promise<Result> {
  const given = process.env[variable];
  if (!given) return call();
  try {
    return await call();
  } catch (error) {
    const { name, message } = error as Error;
    const reason = message === name || message === "" ? name : `${name}: ${message.split("\n", 1)[0]}`;
    throw new LocalProblem(
      `${given} does not work as ${STORES[variable].name} (${reason}): correct ${variable}, or the credentials in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`,
    );
  }
}
