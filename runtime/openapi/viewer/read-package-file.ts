/** The packages that contain the files of the page. */
export type ViewerPackage = 'swagger-ui-dist' | '@routewright/runtime'

/**
 * Reads a file of an installed package.
 * @param path the path of the file in the package
 * @throws Error that explains how to install the package
 */
export async function readPackageFile(name: ViewerPackage, path: string): Promise<Uint8Array<ArrayBuffer>> {
  // Imported here, so that documents can be served without a file system.
  const [{ readFile }, { createRequire }, { pathToFileURL }] = await Promise.all([
    import('node:fs/promises'),
    import('node:module'),
    import('node:url'),
  ])
  let manifest: string
  try {
    manifest = createRequire(import.meta.url).resolve(`${name}/package.json`)
  } catch {
    throw new Error(`The option docs requires the package ${name}. Run npm install ${name}.`)
  }
  return new Uint8Array(await readFile(new URL(path, pathToFileURL(manifest))))
}
