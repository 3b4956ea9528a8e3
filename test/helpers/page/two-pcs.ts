/** A lab of two PCs and the link between them, for tests of the page. */

export interface PageLab {
  /** The address of the page with the lab. */
  readonly address: string;
  /** The path of the link below the version prefix. */
  readonly link: string;
  readonly nodes: readonly string[];
  /** @throws Error with the response if the service refuses. */
  readonly api: (method: string, path: string, body?: unknown) => Promise<never>;
}

export async function twoPcs(url: string, authorization?: string): Promise<PageLab> {
  const api = async (method: string, path: string, body?: unknown): Promise<never> => {
    const headers = authorization === undefined ? {} : { authorization };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await fetch(`${url}/v2${path}`, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === "" ? undefined : JSON.parse(text)) as never;
  };
  const name = `two PCs ${crypto.randomUUID()}`;
  const { project_id } = (await api("POST", "/projects", { name })) as { project_id: string };
  const lab = `/projects/${project_id}`;
  const ids: string[] = [];
  for (const [name, x] of [
    ["PC1", -150],
    ["PC2", 150],
  ]) {
    const body = { name, node_type: "vpcs", compute_id: "local", x, y: 0 };
    ids.push(((await api("POST", `${lab}/nodes`, body)) as { node_id: string }).node_id);
  }
  const nodes = ids.map((node_id) => ({ node_id, adapter_number: 0, port_number: 0 }));
  const { link_id } = (await api("POST", `${lab}/links`, { nodes })) as { link_id: string };
  return {
    address: `${url}/v2/page#/labs/${project_id}`,
    link: `${lab}/links/${link_id}`,
    nodes: ids.map((id) => `${lab}/nodes/${id}`),
    api,
  };
}
