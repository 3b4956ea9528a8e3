/**
 * A CloudFront Function, which CloudFront calls for every request of a client (infra/edge.ts): CloudFront Functions have one function named
 * `handler`, and no modules. https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-event-structure.html
 */

const UUID = "[0-9a-fA-F-]{36}";
const SOCKETS = new RegExp(
  `^/v2/(notifications/ws|projects/${UUID}/notifications/ws|projects/${UUID}/nodes/${UUID}/console/ws)$`,
);

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it.
function handler(event) {
  const request = event.request;
  if (request.uri === "/") return redirect("/v2/page");
  if (!request.uri.startsWith("/v2")) return request;
  // The functions compare the origins of pages with it. A page cannot set this header, and what a client sent is replaced.
  request.headers["x-forwarded-host"] = { value: request.headers.host.value };
  if (!SOCKETS.test(request.uri)) return request;
  const upgrade = request.headers.upgrade;
  if (upgrade === undefined || upgrade.value.toLowerCase() !== "websocket") return refuse();
  // API Gateway accepts WebSockets at the path of the stage only.
  request.querystring.path = { value: encodeURIComponent(request.uri) };
  request.uri = "/v2";
  return request;
}

function redirect(location) {
  return { statusCode: 302, statusDescription: "Found", headers: { location: { value: location } } };
}

/** As functions/upgrades answers. */
function refuse() {
  const message =
    "This path is a WebSocket; send a handshake with the headers Connection: Upgrade and Upgrade: websocket";
  return {
    statusCode: 400,
    statusDescription: "Bad Request",
    headers: {
      "content-type": { value: "application/json" },
      "cache-control": { value: "no-store" },
      "x-content-type-options": { value: "nosniff" },
    },
    body: JSON.stringify({ code: "request.no-upgrade", message, status: 400 }),
  };
}
