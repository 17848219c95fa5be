import { PACKAGE_FILES, readPackageFile } from './read-package-file.js'
import { SCRIPT } from './viewer-script.js'
import { LOGO, STYLE } from './viewer-style.js'

/** The page that displays a document. */
export interface Viewer {
  /** The path of the page, relative to the prefix: `/docs`. The page's files are under this path. */
  readonly path: string
  /** The title of the API. */
  readonly title: string
}

/** The page and its files, by their paths relative to the page. */
export const VIEWER_FILES = [
  '',
  '/viewer.js',
  '/viewer.css',
  '/logo.svg',
  '/swagger-ui.css',
  '/swagger-ui-bundle.js',
] as const

type ViewerFile = (typeof VIEWER_FILES)[number]

/**
 * Serves the page that displays the document, or one of its files. The page uses Swagger UI from the installed package. It has no inline
 * scripts, so that a strict content security policy is possible.
 * @throws Error if the package is not installed
 */
export async function viewerFile(file: ViewerFile, { path, title }: Viewer): Promise<Response> {
  switch (file) {
    case '':
      return respond(html(path.slice(1), title), 'text/html; charset=utf-8', { 'Content-Security-Policy': POLICY })
    case '/viewer.js':
      return respond(SCRIPT, 'text/javascript; charset=utf-8')
    case '/viewer.css':
      return respond(STYLE, 'text/css; charset=utf-8')
    case '/logo.svg':
      return respond(LOGO, 'image/svg+xml')
    case '/swagger-ui.css':
    case '/swagger-ui-bundle.js':
      return respond(await readPackageFile(file), PACKAGE_FILES[file], CACHED)
  }
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

/** The package's files only change with the package. */
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
