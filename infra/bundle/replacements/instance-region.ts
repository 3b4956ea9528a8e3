/** In place of asking a machine's metadata service for the region: a function has it in its environment. */
export const getInstanceMetadataRegion = async () => undefined;
