/** An interface of this machine, through socat: Node has no way to open one. */
import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { DataError } from "../../failure.ts";
import type { Network } from "./network.ts";
import { openUdp } from "./udp.ts";
import type { Receive, Wire } from "./wire.ts";

const LOOPBACK = "127.0.0.1";

/** @param address socat's: `TUN,tun-type=tap,...`. @throws DataError if socat is missing or refuses. */
export async function openSocat(network: Network, address: string, receive: Receive): Promise<Wire> {
  const [ours, theirs] = [await freePort(), await freePort()];
  const wire = await openUdp(
    network,
    { host: LOOPBACK, port: ours },
    { host: LOOPBACK, port: theirs },
    receive,
  );
  // -b: no datagram is divided. The largest frame fits.
  const udp = `UDP4-DATAGRAM:${LOOPBACK}:${ours},bind=${LOOPBACK}:${theirs}`;
  const child = spawn("socat", ["-d", "-d", "-b", "65536", address, udp], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  const ended = new Promise<never>((_resolve, reject) => {
    child.once("error", (error) =>
      reject(new DataError(`cannot start socat (${error.message}); the package socat has it`)),
    );
    child.once("exit", () => reject(new DataError(`socat ended: ${errorIn(said)}`)));
  });
  const running = new Promise<void>((resolve) => {
    child.stderr.on("data", (text: Buffer) => {
      said = `${said}${text}`.slice(-4_096);
      if (said.includes("starting data transfer loop")) resolve();
    });
  });
  try {
    await Promise.race([running, ended]);
  } catch (error) {
    await wire.close();
    throw error;
  }
  ended.catch(() => {});
  return {
    send: wire.send,
    async close() {
      child.removeAllListeners("exit");
      const gone = child.exitCode === null ? once(child, "exit") : undefined;
      child.kill();
      await Promise.all([gone, wire.close()]);
    },
  };
}

/** A line of socat is `DATE TIME socat[PID] LEVEL text`; E is an error (socat(1)). */
const errorIn = (text: string): string =>
  /\] E (.*)$/m.exec(text)?.[1] ?? text.trim().split("\n").at(-1) ?? "";

/** Asks the kernel for a port; another program could take it before socat does, and socat then says so. */
async function freePort(): Promise<number> {
  const socket = createSocket("udp4");
  await new Promise<void>((resolve) => socket.bind(0, LOOPBACK, resolve));
  const { port } = socket.address();
  await new Promise<void>((resolve) => socket.close(() => resolve()));
  return port;
}
