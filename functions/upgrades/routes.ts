import { defineGroup, type Route } from "../shared/edge/route.ts";

/** @param path the path of a WebSocket: functions/sockets has what it leads to. */
const upgrade = <const P extends string>(path: P, summary: string) =>
  ({
    method: "GET",
    path,
    summary,
    description:
      "Answers 101 to a WebSocket handshake. A stack has its WebSockets at its CloudFront address (`edge=true`), or at the URL in its " +
      "output `SocketsUrl` with this path in the query: `?path=/v2/notifications/ws`.",
    responses: {},
    errors: ["request.no-upgrade", "events.expired"],
  }) as const satisfies Route;

export const group = defineGroup({
  name: "upgrades",
  description: "WebSockets",
  routes: {
    followServiceSocket: upgrade("/notifications/ws", "Follow the events of the service over a WebSocket"),
    followProjectSocket: {
      ...upgrade(
        "/projects/{project_id}/notifications/ws",
        "Follow the events of a project over a WebSocket",
      ),
      errors: ["request.no-upgrade", "project.not-found", "events.expired"],
    },
    openConsoleSocket: {
      ...upgrade(
        "/projects/{project_id}/nodes/{node_id}/console/ws",
        "Open a node's console over a WebSocket",
      ),
      // Typing changes the lab.
      role: "editor",
      errors: ["request.no-upgrade", "project.not-found", "node.needs-guests"],
    },
  },
});
