/** What callers see of a compute that refuses a call, or is away (section 6.2 of docs/interface.md). */
import { type ApiError, failureOf } from "../edge/errors.ts";
import { CALL_ERRORS } from "../edge/own-errors/call.ts";
import type { Call, Peer } from "./peer.ts";

const MAX_DETAIL = 1_000;

/** @param error the cause; its text has no credentials, because they are a header. */
export const unreachable = (peer: Peer, error: unknown): ApiError =>
  failureOf(CALL_ERRORS, "compute.unreachable", { ...named(peer), detail: textOf(error) }, { cause: error });

const named = ({ name, protocol, host, port }: Peer) => ({ name, address: `${protocol}://${host}:${port}` });

function textOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(textOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}

/**
 * @param status 0 for a successful response that is no JSON.
 * @param text the body of the response: GNS3 answers `{"message", "status"}`, and for a missing image also `image`.
 */
export function refusal(peer: Peer, { method, path }: Call, status: number, text: string): ApiError {
  const { message, image } = parse(text);
  const detail = message.slice(0, MAX_DETAIL).toWellFormed();
  const facts = { name: peer.name, detail };
  switch (status) {
    case 400:
      return failureOf(CALL_ERRORS, "compute.bad-request", facts);
    case 401:
      return failureOf(CALL_ERRORS, "compute.unauthorized", { name: peer.name });
    case 403:
      return failureOf(CALL_ERRORS, "compute.forbidden", facts);
    case 404:
      return failureOf(CALL_ERRORS, "compute.missing", { name: peer.name, what: `${method} ${path}` });
    case 408:
    case 503:
    case 504:
      return failureOf(CALL_ERRORS, "compute.unreachable", {
        ...named(peer),
        detail: `it answers ${status} ${detail}`,
      });
    case 409: {
      const missing = image ?? missingImage(detail);
      return missing === undefined
        ? failureOf(CALL_ERRORS, "compute.refused", facts)
        : failureOf(CALL_ERRORS, "compute.image-missing", { name: peer.name, image: missing });
    }
    case 0:
      return failureOf(CALL_ERRORS, "compute.not-gns3", named(peer));
    default:
      if (status < 400) return failureOf(CALL_ERRORS, "compute.not-gns3", named(peer));
      return failureOf(CALL_ERRORS, "compute.refused", {
        ...facts,
        detail: `it answers ${status} ${detail}`.trim(),
      });
  }
}

/** GNS3 2.2 words it `The 'a.qcow2' image is missing` or `QEMU disk image 'a.qcow2' is not accessible`. */
function missingImage(message: string): string | undefined {
  const found =
    /(?:The ['"]?([^'"]+?)['"]? image is missing|image ['"]?([^'"]+?)['"]? is not accessible)/.exec(message);
  return found?.[1] ?? found?.[2];
}

function parse(text: string): { readonly message: string; readonly image?: string } {
  try {
    const { message, image } = JSON.parse(text) as { message?: unknown; image?: unknown };
    return {
      message: typeof message === "string" ? message : text,
      ...(typeof image === "string" && { image }),
    };
  } catch {
    return { message: text };
  }
}
