/**
 * Hands the log lines of functions that run in the test process to the test runner, which prints them if their test fails. Powertools'
 * logger writes past the console, so the runner does not see its lines.
 */
for (const stream of [process.stdout, process.stderr]) {
  const write = stream.write.bind(stream);
  stream.write = ((chunk: Uint8Array | string, ...rest: never[]) => {
    const text = String(chunk);
    if (!text.startsWith('{"level":')) return write(chunk, ...rest);
    console.log(text.trimEnd());
    return true;
  }) as typeof stream.write;
}
