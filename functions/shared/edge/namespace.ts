/**
 * A namespace is a user who expires with their projects, for a pull request for example. The user's name contains the name of the namespace, so
 * a function knows the namespace without a read.
 */

const SUFFIX = "@namespaces";

export const namespaceUser = (namespace: string): string => `${namespace}${SUFFIX}`;

/** @returns undefined for a user of no namespace. */
export const namespaceOf = (user: string | undefined): string | undefined =>
  user?.endsWith(SUFFIX) ? user.slice(0, -SUFFIX.length) : undefined;
