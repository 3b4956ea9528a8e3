/** A connection to a neighbour as plain JSON data. TCP stores its own part. */
import { fromHex, toHex } from "../../base/bytes.ts";
import type { Link } from "./state.ts";

export interface SavedLink extends Pick<Link, "connection" | "isOutgoing" | "state"> {
  readonly stream: { readonly bytes: string; readonly filled: number };
}

export const saveLink = ({ connection, isOutgoing, state, stream: { bytes, filled } }: Link): SavedLink => ({
  connection,
  isOutgoing,
  state,
  stream: { bytes: toHex(bytes), filled },
});

export const restoreLink = ({ stream: { bytes, filled }, ...link }: SavedLink): Link => ({
  ...link,
  stream: { bytes: fromHex(bytes), filled },
});
