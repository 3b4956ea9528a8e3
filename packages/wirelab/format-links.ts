/** The table of the links of a run. */
import type { LinkCount } from "@wirelab/lab/report/report";
import { alignColumns } from "./lab-test/reporters/table.ts";

export const formatLinks = (links: readonly LinkCount[]): string[] => [
  ...alignColumns([
    ["link", "from", "to", "sent", "delivered", "dropped", "corrupted", "in flight", "bytes"],
    ...links.map((each) => [
      each.link,
      each.from,
      each.to,
      ...[each.entered, each.delivered, each.dropped, each.corrupted, each.inFlight, each.deliveredBytes].map(
        String,
      ),
    ]),
  ]),
  "",
];
