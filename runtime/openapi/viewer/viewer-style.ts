/** The logo, which is also the icon of the page. */
export const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round">
<rect width="32" height="32" rx="7" fill="#0f766e" stroke="none"/>
<path d="M10 24V9h7a4.5 4.5 0 0 1 0 9h-7m6 0 6 6"/>
<circle cx="22" cy="24" r="1.5" fill="#fff"/>
</svg>
`

/** The styles that the page adds to Swagger UI's. The colors match the project's other pages. */
export const STYLE = `:root { --text: #1c2430; --muted: #5b6675; --line: #dfe4ea; --panel: #f6f8fa; --page: #fff; --accent: #0f766e; }
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
