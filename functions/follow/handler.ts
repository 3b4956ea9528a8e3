import { bind } from "../api/bind.ts";
import { group } from "./routes.ts";
import { streamPcap } from "./stream-pcap.ts";

export const handler = bind(group, { streamPcap });
