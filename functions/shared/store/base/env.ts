/** Names of stores, the endpoint of the WebSocket connections, the state machines and other functions, from environment variables that the stack sets. */

/** @throws Error when the stack did not set the variable. That is a fault of the deployment, not of a request. */
export function requiredEnv(
  name:
    | "TABLE_NAME"
    | "BUCKET_NAME"
    | "SOCKETS_ENDPOINT"
    | "COMPUTE_SECRETS"
    | "SWEEP_MACHINE"
    | "GUEST_MACHINE"
    | "SOCKETS_FUNCTION"
    | "WATCHER_FUNCTION",
): string {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set`);
  return value;
}
