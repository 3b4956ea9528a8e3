/**
 * Measures requests a second on one machine for five reads, beside a bare node:http server that returns the same bytes. The
 * ratio of the two is the service's cost; the rates alone depend as much on the machine.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import type { LocalStack } from "../../../infra/local/local-stack.ts";

const CONNECTIONS = 8;
const SECONDS = Number(process.env.BENCH_READ_SECONDS ?? 5);

/** @param reads name -> path below the stage. */
export async function printReadRates(
  { port, stage }: LocalStack,
  reads: Readonly<Record<string, string>>,
): Promise<void> {
  console.log(`\n${CONNECTIONS} connections, ${SECONDS} s each`);
  console.log("read                        req/s   bare req/s   x bare");
  for (const [name, path] of Object.entries(reads)) {
    const target = `/${stage}${path}`;
    const response = await fetch(`http://127.0.0.1:${port}${target}`);
    const bare = await startBareServer(response.headers, Buffer.from(await response.arrayBuffer()));
    const rate = await measure(port, target);
    const floor = await measure(bare.port, target);
    bare.close();
    const cells = [
      rate.toFixed(0).padStart(12),
      floor.toFixed(0).padStart(13),
      (rate / floor).toFixed(2).padStart(9),
    ];
    console.log(name.padEnd(22) + cells.join(""));
  }
}

async function startBareServer(headers: Headers, body: Buffer) {
  const { "transfer-encoding": _chunked, connection: _connection, ...own } = Object.fromEntries(headers);
  const answer = { ...own, "content-length": body.length };
  const server = createServer((_request, response) => response.writeHead(200, answer).end(body));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

async function measure(port: number, path: string): Promise<number> {
  const client = fork(fileURLToPath(new URL("connections.ts", import.meta.url)), [
    String(port),
    path,
    String(CONNECTIONS),
    String(SECONDS),
  ]);
  const [rate] = await Promise.race([
    once(client, "message"),
    once(client, "exit").then(() => Promise.reject(new Error(`GET ${path} failed`))),
  ]);
  return rate as number;
}
