/** Which settings of protocols want neighbours to be watched with BFD. */
import { interfacesOf } from "../../../../net/plane/config.ts";
import type { RouterConfig } from "../base/config.ts";

export const watchesWithBfd = (config: RouterConfig): boolean =>
  interfacesOf(config).some(({ ospf }) => ospf?.bfd === true || ospf?.bfdProfile !== undefined);
