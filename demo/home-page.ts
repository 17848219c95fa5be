import { html } from 'hono/html'

import type { Example } from './examples.js'

/** Renders the demo's home page with links to the API documentation and the examples. */
export function homePage(examples: readonly Pick<Example, 'title' | 'curl'>[]): ReturnType<typeof html> {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>The blog</title>
        <style>
          body {
            max-width: 60rem;
            margin: 2rem auto;
            padding: 0 1rem;
            font-family: system-ui, sans-serif;
          }
          pre {
            overflow-x: auto;
            padding: 0.5rem;
            background: #f4f4f4;
          }
        </style>
      </head>
      <body>
        <h1>The blog</h1>
        <ul>
          <li>
            <a href="/api/rest/docs">Read and try the REST style</a>, or its
            <a href="/api/rest/openapi.json">OpenAPI document</a>
          </li>
          <li><a href="/api/rest">What the REST style serves</a></li>
          <li>
            <a href="/api/rpc/docs">Read and try the RPC style</a>, or its
            <a href="/api/rpc/openapi.json">OpenAPI document</a>
          </li>
          <li><a href="/api/rpc/post/findMany">All posts, by the RPC style</a></li>
        </ul>
        ${examples.map(
          ({ title, curl }) =>
            html`<h2>${title}</h2>
              <pre>${curl}</pre>`,
        )}
      </body>
    </html>`
}
