/** The stylesheet of the demo's pages. */
export const STYLE = `
:root { --text: #1c2430; --muted: #5b6675; --line: #dfe4ea; --panel: #f6f8fa; --accent: #0f766e; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6eaf0; --muted: #9aa6b5; --line: #2c3542; --panel: #171d26; --accent: #2dd4bf; }
  body { background: #0f141b; }
}
body { max-width: 72rem; margin: 0 auto; padding: 2rem 1rem 4rem; color: var(--text); font: 1rem/1.6 system-ui, sans-serif; }
h1 { margin: 0; font-size: 2rem; }
h2 { margin-top: 3rem; }
h3 { margin: 0 0 0.5rem; font-size: 1rem; }
header p { max-width: 46rem; color: var(--muted); }
nav { display: flex; flex-wrap: wrap; gap: 0.5rem; }
nav a { padding: 0.35rem 0.8rem; border: 1px solid var(--line); border-radius: 0.5rem; color: var(--accent); text-decoration: none; }
nav a:hover { border-color: var(--accent); }
pre { margin: 0; padding: 0.8rem; overflow: auto; background: var(--panel); border-radius: 0.5rem; font-size: 0.82rem; line-height: 1.5; }
figure { margin: 0; min-width: 0; }
figcaption { margin-bottom: 0.4rem; color: var(--muted); font-size: 0.9rem; }
.columns { display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr) minmax(0, 2fr); }
section { margin: 1.5rem 0; padding: 1rem; border: 1px solid var(--line); border-radius: 0.75rem; }
section .response { max-height: 18rem; margin-top: 0.6rem; }
.command { white-space: pre-wrap; overflow-wrap: anywhere; }
button { margin-top: 0.6rem; padding: 0.35rem 1rem; border: 0; border-radius: 0.5rem; background: var(--accent); color: white; font: inherit; cursor: pointer; }
@media (prefers-color-scheme: dark) { button { color: #06201d; } }
.status { margin-left: 0.6rem; color: var(--muted); font-variant-numeric: tabular-nums; }
@media (max-width: 48rem) { .columns { grid-template-columns: minmax(0, 1fr); } }
`

/** Runs an example and replaces the recorded response. */
export const RUN_SCRIPT = `
for (const section of document.querySelectorAll('section')) {
  const { method, url, body } = section.dataset
  const output = section.querySelector('.response')
  const status = section.querySelector('.status')
  section.querySelector('button').addEventListener('click', async () => {
    status.textContent = '…'
    try {
      const headers = { 'Content-Type': 'application/json' }
      const response = await fetch(url, { method, ...(body && { body, headers }) })
      const text = await response.text()
      status.textContent = response.status
      output.textContent = text && JSON.stringify(JSON.parse(text), null, 2)
    } catch (error) {
      status.textContent = String(error)
    }
  })
}
`
