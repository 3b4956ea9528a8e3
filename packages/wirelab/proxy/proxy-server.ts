/** The proxy: a server on the loopback interface in front of a service. */
import { createServer } from "node:http";
import type { Service } from "../service/service.ts";
import { TELNET_HOST } from "../telnet/telnet-server.ts";
import { forwardHttp, sendText } from "./forward-http.ts";
import { forwardSocket, refuse } from "./forward-socket.ts";
import { NodePorts } from "./node-ports.ts";
import { refusalOf } from "./own-requests.ts";

export interface ProxyServer {
  readonly port: number;
  readonly nodePorts: NodePorts;
  stop(): Promise<void>;
}

/**
 * @param port 0 for any free port.
 * @throws NodeJS.ErrnoException `EADDRINUSE` when the port is taken.
 */
export async function startProxy(service: Service, port: number): Promise<ProxyServer> {
  const nodePorts = new NodePorts(service);
  const rewrite = (value: unknown) => nodePorts.rewrite(value);
  const noteDeleted = (path: string) => nodePorts.noteDeleted(path);
  const server = createServer((request, response) => {
    const refusal = refusalOf(request.headers);
    if (refusal !== undefined) sendText(response, 403, refusal);
    else forwardHttp(request, response, { service, rewrite, noteDeleted }).catch(() => response.destroy());
  });
  server.on("upgrade", (request, socket, head) => {
    if (refusalOf(request.headers) !== undefined) refuse(socket, 403);
    else forwardSocket(request, socket, head, service, rewrite);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, TELNET_HOST, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    nodePorts,
    async stop() {
      nodePorts.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
