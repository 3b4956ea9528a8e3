/** In place of the SDK's reading of `~/.aws/config`: a function has its settings in its environment, and no such file. */
export const fromSharedConfigFiles = () => async () => {
  // The SDK asks the next source then.
  throw Object.assign(new Error("functions have no profiles"), { tryNextLink: true });
};
