/** The target of a request line is a path, or an absolute URL if the client uses this server as a proxy. */
export function splitTarget(target: string): { fullPath: string; query: string } {
  const local = target.replace(/^https?:\/\/[^/?]*/i, "") || "/";
  const mark = local.indexOf("?");
  return mark < 0
    ? { fullPath: local, query: "" }
    : { fullPath: local.slice(0, mark), query: local.slice(mark + 1) };
}
