/** The path of a route, such as `/symbols/{symbol_id+}/raw`, in the parts that its readers need. */

export interface PathTemplate {
  /** The path as API Gateway has it. It requires a greedy variable to be last, so that includes the text after it. */
  readonly gatewayPath: string;
  readonly variables: readonly PathVariable[];
}

interface PathVariable {
  readonly name: string;
  /** The variable's name in API Gateway: that of a greedy variable also has the text after it. */
  readonly gatewayName: string;
  /** The text that must follow a greedy variable's value (`/raw`); undefined for a variable of one segment. */
  readonly suffix?: string;
}

/** @param path `{name}` is one segment, `{name+}` any text, slashes included. */
export function parsePath(path: string): PathTemplate {
  let gatewayPath = path;
  const variables = Array.from(path.matchAll(/\{(\w+)(\+?)\}/g), (match): PathVariable => {
    const [text, name = "", greedy] = match;
    if (!greedy) return { name, gatewayName: name };
    const gatewayName = `${name.replace(/_(id|path)$/, "")}_path`;
    gatewayPath = `${path.slice(0, match.index)}{${gatewayName}+}`;
    return { name, gatewayName, suffix: path.slice(match.index + text.length) };
  });
  return { gatewayPath, variables };
}
