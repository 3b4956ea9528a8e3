/** The smallest possible function. */
export const handler = async () => ({ statusCode: 204 });
