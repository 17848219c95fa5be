import type { StaticEndpoint, StaticEndpoints } from '../../http/routing/endpoints.js'

/** The page that displays a document. */
export interface Viewer {
  /** The path of the page, relative to the prefix: `/docs`. The page's files are under this path. */
  readonly path: string
  /** The title of the API. */
  readonly title: string
}

/** The folder of the files that are part of this package. They are not modules, so that bundles of apps do not contain them. */
const ASSETS = 'openapi/viewer/assets'

/** The files of the page, by their paths relative to the page: the package that contains them and their media types. */
const FILES: Readonly<Record<string, readonly [name: ViewerPackage, folder: string, type: string]>> = {
  '/viewer.js': ['@routewright/runtime', ASSETS, 'text/javascript; charset=utf-8'],
  '/viewer.css': ['@routewright/runtime', ASSETS, 'text/css; charset=utf-8'],
  '/logo.svg': ['@routewright/runtime', ASSETS, 'image/svg+xml'],
  '/swagger-ui.css': ['swagger-ui-dist', '.', 'text/css; charset=utf-8'],
  '/swagger-ui-bundle.js': ['swagger-ui-dist', '.', 'text/javascript; charset=utf-8'],
}

/**
 * Creates the endpoints of the page that displays the document, and of its files. The page uses Swagger UI from the installed package. It
 * has no inline scripts, so that a strict content security policy is possible. If a package is not installed, requests for its files fail
 * with an error that names the package.
 */
export function viewerEndpoints({ path, title }: Viewer): StaticEndpoints {
  const page = async () =>
    respond(html(path.slice(1), title), 'text/html; charset=utf-8', { 'Content-Security-Policy': POLICY })
  const files = Object.entries(FILES).map(([file, [name, folder, type]]): [string, StaticEndpoint] => [
    path + file,
    async () => respond(await readPackageFile(name, folder + file), type, name === 'swagger-ui-dist' ? CACHED : {}),
  ])
  return new Map([[path, page], ...files])
}

/** The content security policy that Swagger UI needs. Requests sent from the page go to the servers in the document. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  'connect-src *',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

/** The files of Swagger UI only change with its package. */
const CACHED = { 'Cache-Control': 'public, max-age=3600' }

function respond(body: BodyInit, type: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(body, {
    headers: { 'Content-Type': type, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-cache', ...headers },
  })
}

function html(folder: string, title: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escapeHtml(title)}</title>
    <link rel="stylesheet" href="${folder}/swagger-ui.css">
    <link rel="stylesheet" href="${folder}/viewer.css">
    <link rel="icon" href="${folder}/logo.svg" type="image/svg+xml">
    <meta name="color-scheme" content="light dark">
  </head>
  <body>
    <header>
      <a class="brand" href="${folder}"><img src="${folder}/logo.svg" alt="">Routewright</a>
      <a href="openapi.json">openapi.json</a>
    </header>
    <main>
      <div id="viewer"></div>
    </main>
    <script src="${folder}/swagger-ui-bundle.js"></script>
    <script src="${folder}/viewer.js"></script>
  </body>
</html>
`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)
}

/** The packages that contain the files of the page. */
type ViewerPackage = 'swagger-ui-dist' | '@routewright/runtime'

/**
 * Reads a file of an installed package.
 * @param path the path of the file in the package
 * @throws Error that explains how to install the package
 */
async function readPackageFile(name: ViewerPackage, path: string): Promise<Uint8Array<ArrayBuffer>> {
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
