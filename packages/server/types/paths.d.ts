/** Ids as parts of a path. */
/** @param {string} id @param {string} name of the id, for the message */
export declare function segment(id: string, name: string): string;
