import { PACKAGE_FILES, readPackageFile } from './read-package-file.js'
import { SCRIPT } from './viewer-script.js'

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

/** The logo, which is also the icon of the page. */
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round">
<rect width="32" height="32" rx="7" fill="#0f766e" stroke="none"/>
<path d="M10 24V9h7a4.5 4.5 0 0 1 0 9h-7m6 0 6 6"/>
<circle cx="22" cy="24" r="1.5" fill="#fff"/>
</svg>
`

/** The styles that the page adds to Swagger UI's. The colors match the project's other pages. */
const STYLE = `:root { --text: #1c2430; --muted: #5b6675; --line: #dfe4ea; --panel: #f6f8fa; --page: #fff; --accent: #0f766e; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6eaf0; --muted: #9aa6b5; --line: #2c3542; --panel: #171d26; --page: #0f141b; --accent: #2dd4bf; }
}
html, html.dark-mode, html.dark-mode .swagger-ui { background: var(--page); }
html.dark-mode .swagger-ui .scheme-container { background: none; box-shadow: none; }
body { margin: 0; color: var(--text); font: 1rem/1.6 system-ui, sans-serif; }
body > header { display: flex; align-items: center; gap: 0.5rem; padding: 0.6rem 1.25rem; border-bottom: 1px solid var(--line); }
body > header a { color: var(--muted); text-decoration: none; }
body > header a:hover { color: var(--accent); }
body > header .brand { display: flex; align-items: center; gap: 0.5rem; margin-right: auto; color: var(--text); font-weight: 600; }
.brand img { width: 1.75rem; height: 1.75rem; }
.large main { display: grid; grid-template-columns: 15rem minmax(0, 1fr); }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; box-sizing: border-box; padding: 1rem; background: var(--panel); border-right: 1px solid var(--line); font-size: 0.9rem; }
nav input { width: 100%; box-sizing: border-box; padding: 0.3rem 0.5rem; }
nav ul { list-style: none; padding: 0; }
.large a { color: var(--accent); text-decoration: none; }
.large a:hover, nav a[aria-current] { text-decoration: underline; }
nav a[aria-current] { font-weight: bold; }
.large #viewer > :is(h1, p, dl) { margin: 2rem; }
.large dt { margin-top: 0.75rem; font-weight: bold; }
.large dd { margin: 0; }
.swagger-ui, .swagger-ui :is(.info .title, .opblock-tag, .opblock .opblock-summary-description, .opblock-description-wrapper p, .opblock-title_normal p, .btn, label, table thead tr th, .parameter__name, .response-col_status, .response-col_links, .tab li, .scheme-container .schemes > label, select, input, textarea) { font-family: inherit; }
.swagger-ui .wrapper { max-width: 76rem; }
.swagger-ui .info { margin: 2rem 0 1rem; }
.swagger-ui .info .title { font-size: 2rem; }
.swagger-ui .info .title small { background: var(--muted); }
.swagger-ui .info .title small.version-stamp { background: var(--accent); }
.swagger-ui .scheme-container { padding: 0 0 1rem; background: none; box-shadow: none; }
.swagger-ui .opblock-tag { border-color: var(--line); font-size: 1.25rem; }
.swagger-ui :is(.markdown, .renderedMarkdown) code { background: var(--panel); color: var(--accent); font-weight: 500; }
html.dark-mode .swagger-ui :is(.markdown, .renderedMarkdown) code { background: var(--panel); color: var(--accent); }
html .swagger-ui :is(.info, .opblock-description) :is(a, a:visited), html.dark-mode .swagger-ui .info a { color: var(--accent); }
.swagger-ui .filter .operation-filter-input { border: 1px solid var(--line); border-radius: 0.5rem; }
.swagger-ui .opblock { border-radius: 0.5rem; box-shadow: none; }
.swagger-ui .opblock-tag:focus-visible, .parameter-group:focus-visible { outline: 2px solid var(--accent); }
.swagger-ui .btn.execute { border-color: var(--accent); background: var(--accent); }
html.dark-mode .swagger-ui .btn.execute { color: #06201d; }
.swagger-ui .opblock .tab-header .tab-item.active h4 span::after { background: var(--accent); }
.swagger-ui .parameters .parameters-col_name { min-width: 11rem; }
.swagger-ui :is(.parameter__type, .parameter__in) { display: inline-block; margin-right: 0.4rem; padding: 0; }
.swagger-ui .parameters td { padding: 0.6rem 0.5rem 0.6rem 0; }
.swagger-ui .parameters .markdown p { margin: 0 0 0.4rem; }
.swagger-ui .parameter__enum p { display: -webkit-box; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 2; }
.swagger-ui .parameter__deprecated:empty { display: none; }
.swagger-ui .parameters :is(summary, li) { font-size: 0.9rem; }
.swagger-ui .parameters summary { cursor: pointer; color: var(--accent); }
.parameter-group { padding: 0.35rem 0.9rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--page); color: var(--accent); font: inherit; font-size: 0.9rem; cursor: pointer; }
.parameter-group:hover { border-color: var(--accent); }
.parameter-group::before { content: "▸ "; content: "▸ " / ""; }
.parameter-group[aria-expanded=true]::before { content: "▾ "; content: "▾ " / ""; }
@media (max-width: 45rem) {
  .large main { display: block; }
  nav { position: static; height: auto; max-height: 40vh; border-right: 0; border-bottom: 1px solid var(--line); }
  .swagger-ui .parameters :is(tbody, tr, td) { display: block; }
  .swagger-ui .parameters thead { display: none; }
  .swagger-ui .parameters td { padding: 0.2rem 0; }
  .swagger-ui .parameters tr { padding: 0.5rem 0; }
  .swagger-ui .parameters :is(input[type=text], select, textarea) { width: 100%; max-width: 100%; }
  .swagger-ui .response-col_links { display: none; }
  .swagger-ui .operation-filter-input { width: 100%; }
}
`
