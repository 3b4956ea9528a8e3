/** With what the name of its user adds (edge/namespace.ts), at most 64 characters, as the names of all users. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/;

export const isNamespaceName = (name: string): boolean => NAME.test(name);
