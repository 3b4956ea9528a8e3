/** The names of what the stack made. */

/** @throws Error when the stack did not set the variable: a fault of the deployment, not of a request. */
export function requiredEnv(name: "TABLE_NAME" | "BUCKET_NAME"): string {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set`);
  return value;
}
