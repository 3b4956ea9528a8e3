/** The parts of WebAssembly's JavaScript interface that the machine uses; Node's types have none of them. */
declare namespace WebAssembly {
  type Imports = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  interface Memory {
    readonly buffer: ArrayBuffer;
  }
  interface Instance {
    readonly exports: Readonly<Record<string, unknown>>;
  }
  var Instance: new (module: Module, imports: Imports) => Instance;
  var Module: new (code: Uint8Array<ArrayBuffer>) => Module;
}
