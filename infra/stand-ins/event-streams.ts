/**
 * Replaces the SDK's event streams, which no called operation uses. The SDK loads them by `import()`, so esbuild would keep
 * all code of the modules that they share with the clients.
 */

const refuse = (): never => {
  throw new Error("event streams are left out of the bundles (infra/stand-ins/event-streams.ts)");
};

/** The SDK calls it for each new client, and uses the result when an operation has a stream. */
export const eventStreamSerdeProvider = () => ({ serialize: refuse, deserialize: refuse });

export const resolveEventStreamSerdeConfig = <T extends object>(config: T) =>
  Object.assign(config, { eventStreamMarshaller: eventStreamSerdeProvider() });

export class EventStreamSerde {
  constructor() {
    refuse();
  }
}
