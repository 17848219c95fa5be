/** The files of Swagger UI that the page needs, with their media types. */
export const PACKAGE_FILES = {
  '/swagger-ui.css': 'text/css; charset=utf-8',
  '/swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
} as const

/**
 * Reads a file of the installed `swagger-ui-dist`.
 * @throws Error that explains how to install it
 */
export async function readPackageFile(name: keyof typeof PACKAGE_FILES): Promise<Uint8Array<ArrayBuffer>> {
  // Imported here, so that documents can be served without a file system.
  const [{ readFile }, { createRequire }] = await Promise.all([import('node:fs/promises'), import('node:module')])
  let path: string
  try {
    path = createRequire(import.meta.url).resolve(`swagger-ui-dist${name}`)
  } catch {
    throw new Error('The option docs requires the package swagger-ui-dist. Run npm install swagger-ui-dist.')
  }
  return new Uint8Array(await readFile(path))
}
