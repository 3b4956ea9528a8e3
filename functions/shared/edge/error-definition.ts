/** What an error of the interface is. */

/** What a message names. */
export type Facts<Name extends string> = Readonly<Record<Name, string | number>>;

export interface ErrorDefinition<Needed> {
  readonly status: 400 | 403 | 404 | 405 | 409 | 410 | 413 | 415 | 422 | 429 | 500 | 503;
  readonly message: (facts: Needed) => string;
}

/** For messages: `1 node`, `2 nodes`. */
export const some = (count: unknown, thing: string): string => `${count} ${thing}${count === 1 ? "" : "s"}`;

/* @__NO_SIDE_EFFECTS__ */
export const define = <Needed = object>(
  status: ErrorDefinition<Needed>["status"],
  message: ErrorDefinition<Needed>["message"],
): ErrorDefinition<Needed> => ({ status, message });
