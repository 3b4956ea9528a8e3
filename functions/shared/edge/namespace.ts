/**
 * Namespaces: each is a user who expires with their projects, such as the one of a pull request. The name of such a user contains that of
 * the namespace, so it is known without a read.
 */

const SUFFIX = "@namespaces";

export const namespaceUser = (namespace: string): string => `${namespace}${SUFFIX}`;

/** @returns undefined for a user of no namespace. */
export const namespaceOf = (user: string | undefined): string | undefined =>
  user?.endsWith(SUFFIX) ? user.slice(0, -SUFFIX.length) : undefined;
