/** A server of this process: one of the services of AWS that functions call. */
export interface EmbeddedServer {
  readonly endpoint: string;
  stop(): Promise<void>;
}
