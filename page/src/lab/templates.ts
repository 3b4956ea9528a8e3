/** The templates of the service, and the pictures of their symbols, which the devices of most labs have. */
import { call } from "../api/call.ts";
import type { Template } from "../api/types.ts";
import { pictureOf } from "../ui/symbols.ts";

export function readTemplates(): Promise<readonly Template[]> {
  const reading = call<Template[]>("GET", "/templates");
  // Who shows them reports a failure.
  reading.then(
    (templates) => {
      for (const { symbol } of templates) void pictureOf(symbol);
    },
    () => {},
  );
  return reading;
}
