/**
 * In place of the SDK's event streams: no operation that is called here has one. The SDK loads them by `import()`, which
 * keeps the whole of the modules that they share with the clients.
 */

const refuse = (): never => {
  throw new Error("event streams are left out of the bundles (infra/bundle/replacements/event-streams.ts)");
};

/** Called when a client is made, and used when an operation has a stream. */
export const eventStreamSerdeProvider = () => ({ serialize: refuse, deserialize: refuse });

export const resolveEventStreamSerdeConfig = <T extends object>(config: T) =>
  Object.assign(config, { eventStreamMarshaller: eventStreamSerdeProvider() });

export class EventStreamSerde {
  constructor() {
    refuse();
  }
}
