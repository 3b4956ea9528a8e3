/** `npm run bench:reads`: compares five reads with a bare server, and a function's time with a bare GetItem. */
import { startLocalStack } from "../../infra/local/local-stack.ts";
import { printReads } from "./reads/print-reads.ts";
import type { Send } from "./recipes.ts";

const stack = await startLocalStack({ inMemory: true, port: 0, quiet: true });

const send: Send = async ({ method, path, body }) => {
  const response = await fetch(`${stack.url}/${stack.stage}${path}`, { method, body: body ?? null });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === "" ? undefined : JSON.parse(text);
};

try {
  await printReads(stack, send);
} finally {
  await stack.stop();
}
