/** `wirelab proxy`: brings a service to this machine for clients that know neither its address nor its credentials. */
import { CommandLineError, parseCommandLine, type Surroundings } from "./command-line.ts";
import { startProxy } from "./proxy/proxy-server.ts";
import { holdToken } from "./service/hold-token.ts";
import { findService, SERVICE_HELP, SERVICE_OPTIONS } from "./service/service.ts";
import { untilSignal } from "./until-signal.ts";

export const help = `Usage: wirelab proxy [options]

Listens on 127.0.0.1 and forwards HTTP and WebSockets to a service, with the user's credentials. Each node with a console gets a telnet
port, which clients see in its fields console and console_host. Ctrl-C ends the proxy.

  --port N        the port of the proxy, 3080 when absent
${SERVICE_HELP}`;

const DEFAULT_PORT = "3080";

export async function run(args: string[], { stdout }: Surroundings): Promise<void> {
  const { values } = parseCommandLine(args, {
    options: { ...SERVICE_OPTIONS, port: { type: "string", default: DEFAULT_PORT } },
    positionals: [],
  });
  const service = findService(values);
  await holdToken(service);
  const proxy = await startProxy(service, readPort(values.port));
  try {
    const nodes = await proxy.nodePorts.openAll();
    stdout.write(`http://127.0.0.1:${proxy.port}/v2 is ${service.url}\n`);
    for (const { name, console } of nodes) stdout.write(`telnet 127.0.0.1 ${console}   ${name}\n`);
    await untilSignal();
  } finally {
    await proxy.stop();
  }
}

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new CommandLineError(`--port is ${JSON.stringify(text)}, and must be a number from 0 to 65535`);
}
