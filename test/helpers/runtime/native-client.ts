/**
 * Replaces aws-lambda-ric's compiled addon, which calls the runtime API through libcurl and takes minutes to build. Streamed
 * responses do not pass through it: the package sends them in JavaScript.
 */
const INVOCATION = `http://${process.env.AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime/invocation`;

/** The addon's `done` and `error` return before the response is sent; the next invocation waits until it is sent. */
let posted: Promise<unknown> = Promise.resolve();

const post = (path: string, body: string): void => {
  posted = fetch(`${INVOCATION}/${path}`, { method: "POST", body });
};

export async function next(): Promise<{ bodyJson: string; headers: Record<string, string> }> {
  await posted;
  const response = await fetch(`${INVOCATION}/next`);
  return { bodyJson: await response.text(), headers: Object.fromEntries(response.headers) };
}

export const done = (id: string, body: string): void => post(`${id}/response`, body);

export const error = (id: string, body: string): void => post(`${id}/error`, body);
