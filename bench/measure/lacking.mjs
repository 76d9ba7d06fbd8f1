/** Thrown where a build does not have what is to be measured; whatever else is thrown is a failure. */
export class Lacking extends Error {}
