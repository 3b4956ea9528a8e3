/** The version of the interface that responses name: `-c interface_version=2.2.54`, for clients of another release. */
import type { Node } from "constructs";

/** A release of the interface that the service implements, or a development version of one. */
const VERSION = /^2\.2\.\d+(\.\w+)?(\+[\w.]+)?$/;

/** Returns environment variables for the functions: functions/shared/edge/version.ts. @throws Error for another interface. */
export function interfaceVersion(node: Node): Record<string, string> {
  const given = String(node.tryGetContext("interface_version") ?? "");
  if (given === "") return {};
  if (VERSION.test(given)) return { INTERFACE_VERSION: given };
  throw new Error(`The context key interface_version is ${given}; it must be a version 2.2, such as 2.2.60`);
}
