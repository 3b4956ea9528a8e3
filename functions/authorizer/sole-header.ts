import type { APIGatewayRequestAuthorizerEvent } from "aws-lambda";

/**
 * Returns the value of a header that occurs once in the request, else undefined: of two values, a gateway or proxy on the way may have
 * checked the other one.
 * @param name in lower case
 */
export function soleHeader(
  { multiValueHeaders, headers }: Pick<APIGatewayRequestAuthorizerEvent, "multiValueHeaders" | "headers">,
  name: string,
): string {
  const named = <T>(of: Record<string, T | undefined> | null): T[] =>
    Object.entries(of ?? {}).flatMap(([key, value]) =>
      key.toLowerCase() === name && value !== undefined ? [value] : [],
    );
  const multiple = named(multiValueHeaders).flat();
  const values = multiple.length > 0 ? multiple : named(headers);
  return values.length === 1 ? values[0]! : "";
}
