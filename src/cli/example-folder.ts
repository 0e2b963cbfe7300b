import { fileURLToPath } from 'node:url';

/** The example tenant that comes with the package. */
export const exampleFolder = fileURLToPath(new URL('../../examples/acme', import.meta.url));
