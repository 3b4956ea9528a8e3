/** The other end of a guest's channel: answers the requests of the simulation, one after another. */
import { type MessagePort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { Exchange } from "./exchange.ts";
import type { Reply, Request } from "./protocol.ts";

/** What a thread that serves is started with. */
export interface ServeData {
  readonly port: MessagePort;
  readonly memory: SharedArrayBuffer;
}

/**
 * Does not return: the thread has nothing else to do, so it is blocked until the next request.
 * @param answer an error of it is the reply.
 */
export async function serve(answer: (request: Request) => Reply | Promise<Reply>): Promise<never> {
  const { port, memory } = workerData as ServeData;
  const exchange = new Exchange(memory);
  const received = (): Request => receiveMessageOnPort(port)!.message as Request;
  for (let count = 0; ; count++) {
    exchange.waitForRequest(count);
    const reply = await answerOrFail(answer, exchange.readRequest() ?? received());
    const isInMemory = reply.kind === "advanced" && exchange.writeReply(reply);
    if (!isInMemory) port.postMessage(reply, buffersOf(reply));
    exchange.sendReply(isInMemory);
  }
}

/** A saved state moves to the other thread: a copy of it may be some hundred megabytes. */
function buffersOf(reply: Reply): ArrayBuffer[] {
  if (reply.kind !== "saved") return [];
  const { buffer, byteLength } = reply.difference;
  return byteLength === buffer.byteLength ? [buffer as ArrayBuffer] : [];
}

async function answerOrFail(
  answer: (request: Request) => Reply | Promise<Reply>,
  request: Request,
): Promise<Reply> {
  try {
    return await answer(request);
  } catch (error) {
    return { kind: "failed", message: error instanceof Error ? error.message : String(error) };
  }
}
