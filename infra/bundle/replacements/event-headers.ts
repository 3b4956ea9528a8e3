/** In place of how headers of a stream of events are signed: no call here sends one. */
export class HeaderFormatter {
  format(): never {
    throw new Error("Streams of events are left out of the bundles: infra/bundle/packages.ts");
  }
}
