/** Finds a port by its name or number. */
/** @param text the port's name, in any case, or its number. */
export function findPort<P extends { readonly name: string; readonly kind: string }>(
  ports: readonly P[],
  text: string,
): P | undefined {
  const named = ports.find((port) => port.name.toLowerCase() === text.toLowerCase());
  if (named !== undefined || !/^\d{1,2}$/.test(text)) return named;
  const port = ports[Number(text)];
  return port?.kind === "port" ? port : undefined;
}

export const noSuchPort = (text: string): string => `There is no port ${text}: show ip lists the ports`;
