/** A server: a host with a console. `properties.ts` parses and checks its configuration from the API's `properties`. */
import type { HostSpec } from "../../net/host/config.ts";

export interface ServerSpec extends HostSpec {
  readonly type: "server";
}
