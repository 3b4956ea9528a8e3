/** Refusals of EC2 in words: what happened, and what the operator or the caller can do. */
import { type ApiError, failureOf } from "../../edge/errors.ts";
import { SIMVM_ERRORS } from "../../edge/own-errors/simvm.ts";
import { readXml, textAt } from "./read-xml.ts";

const CAPACITY_RETRY_S = 120;
const RETRY_S = 10;

/** Refusals that pass: code -> words and seconds until a repetition may help. */
const PASSING: Readonly<Record<string, readonly [words: string, retryAfterS: number]>> = {
  InsufficientInstanceCapacity: [
    "has no capacity for this instance type in the helper's zone now; try again later, or deploy with another type (-c helper=...)",
    CAPACITY_RETRY_S,
  ],
  RequestLimitExceeded: ["throttles the account's requests; try again", RETRY_S],
  Throttling: ["throttles the account's requests; try again", RETRY_S],
  IncorrectInstanceState: ["is still changing the state of the instance; try again", RETRY_S],
  InternalError: ["failed; try again", RETRY_S],
  Unavailable: ["is unavailable; try again", RETRY_S],
};

/** Refusals that last until an operator changes something. */
const LASTING: Readonly<Record<string, string>> = {
  UnauthorizedOperation:
    "does not allow this service to do that; the instance needs the tag wirelab:helper with the name of the stack",
  VcpuLimitExceeded:
    "refuses it: the account's quota of virtual processors is used up; ask AWS for more (Service Quotas)",
  InstanceLimitExceeded:
    "refuses it: the account's quota of instances is used up; ask AWS for more (Service Quotas)",
  UnsupportedHibernationConfiguration:
    "cannot hibernate the instance; deploy with -c helper_hibernation=true and launch it anew, or set when_exit to stop",
  "InvalidInstanceID.NotFound": "has no such instance any more; the next start makes or finds another",
  "InvalidLaunchTemplateId.NotFound": "has no launch template of this stack; deploy the stack again",
};

/** @param text the XML of the response, or anything that a proxy answered. */
export function ec2Failure(action: string, status: number, text: string): ApiError {
  const { code, message } = readError(text);
  const cause = new Error(`${action}: ${status} ${code} ${message}`);
  const passing = PASSING[code] ?? (status >= 500 ? PASSING.InternalError : undefined);
  if (passing) {
    const [words, retryAfterS] = passing;
    return failureOf(
      SIMVM_ERRORS,
      "simvm.unavailable",
      { words: inWords(action, words) },
      { cause, retryAfterS },
    );
  }
  const words = LASTING[code] ?? `refuses it: ${code} ${message}`.trim();
  return failureOf(SIMVM_ERRORS, "simvm.refused", { words: inWords(action, words) }, { cause });
}

export const unreachable = (action: string, cause: unknown): ApiError =>
  failureOf(
    SIMVM_ERRORS,
    "simvm.unavailable",
    { words: inWords(action, "does not answer; try again") },
    { cause, retryAfterS: RETRY_S },
  );

const inWords = (action: string, words: string): string => `EC2 ${words} (${action})`;

const MAX_MESSAGE = 300;

function readError(text: string): { readonly code: string; readonly message: string } {
  try {
    const [error] = (readXml(text).children.find(({ name }) => name === "Errors")?.children ?? []).filter(
      ({ name }) => name === "Error",
    );
    return {
      code: textAt(error, "Code") ?? "Unknown",
      message: (textAt(error, "Message") ?? "").slice(0, MAX_MESSAGE).toWellFormed(),
    };
  } catch {
    return { code: "Unknown", message: "" };
  }
}
