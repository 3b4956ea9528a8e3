/** Which settings of protocols want neighbours to be watched with BFD. */
import { interfacesOf } from "../../../../net/plane/config.ts";
import type { RouterConfig } from "../base/config.ts";

export const watchesWithBfd = (config: RouterConfig): boolean =>
  [...interfacesOf(config).map(({ ospf }) => ospf), ...Object.values(config.bgp?.neighbors ?? {})].some(
    (each) => each?.bfd === true || each?.bfdProfile !== undefined,
  );
