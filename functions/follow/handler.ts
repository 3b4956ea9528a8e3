import { bind } from "../shared/edge/bind.ts";
import { group } from "./routes.ts";
import { streamPcap } from "./stream-pcap.ts";

export const handler = bind(group, { streamPcap });
