/** Where the bytes of projects' files lie in the bucket: `files/<project>/<object>`, a new object for each upload. */

const FILE_OBJECTS = "files/";

export const filePrefix = (projectId: string): string => `${FILE_OBJECTS}${projectId}/`;

export const newFileKey = (projectId: string): string => filePrefix(projectId) + crypto.randomUUID();

/** Returns the project of a file's object, or undefined for a key of another kind of object. */
export const projectOfFileKey = (key: string): string | undefined => /^files\/([^/]+)\//.exec(key)?.[1];
