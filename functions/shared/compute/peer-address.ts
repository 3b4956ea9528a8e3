/** Refuses computes at addresses to which the service must not connect: when they are registered, and before each call. */
import { isIP } from "node:net";
import { failureOf } from "../edge/errors.ts";
import { CALL_ERRORS } from "../edge/own-errors/call.ts";
import { isCallable } from "./address.ts";

/** The local service sets it, whose computes may be on the same machine. */
const allowsLoopback = (): boolean => process.env.COMPUTE_LOOPBACK === "true";

/** An IPv6 address may be written as in a URL. */
export const withoutBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, "$1");

/** @throws ApiError `compute.address-refused` */
export function refuseAddress({ name }: { readonly name: string }, address: string): void {
  if (!isCallable(address, allowsLoopback()))
    throw failureOf(CALL_ERRORS, "compute.address-refused", { name, address });
}

/** A name is looked up when the compute is called. @throws ApiError `compute.address-refused` for an IP address. */
export function refuseHost(compute: { readonly name: string; readonly host: string }): void {
  const address = withoutBrackets(compute.host);
  if (isIP(address) !== 0) refuseAddress(compute, address);
}
