/** Loads operations with their first request, so that a function starts without them. */
export interface Later<T> {
  /** Node keeps a module that it has loaded. After a failure the next request loads the module again. */
  readonly load: () => Promise<T>;
}

/** @param names the exports of the module that the handler uses. */
export function load<M, const K extends keyof M>(
  loadModule: () => Promise<M>,
  names: readonly K[],
): { readonly [N in K]: Later<M[N]> } {
  const later = names.map((name) => [name, { load: async () => (await loadModule())[name] }] as const);
  return Object.fromEntries(later) as { readonly [N in K]: Later<M[N]> };
}
