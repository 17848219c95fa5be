import { html, raw } from 'hono/html'

import type { Example } from './examples.js'
import type { RecordedResponse } from './record-responses.js'
import { RUN_SCRIPT, STYLE } from './home-page-assets.js'

/** The content of the home page. */
export interface HomePage {
  /** A model of the schema. */
  readonly model: string
  /** The REST routes generated for this model. */
  readonly routes: string
  readonly examples: readonly Example[]
  /** The responses to the examples, in the same order. */
  readonly responses: readonly RecordedResponse[]
}

/** Renders the home page of the demo: the schema, the generated file, links, and examples that can be run. */
export function homePage({ model, routes, examples, responses }: HomePage): ReturnType<typeof html> {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Routewright demo</title>
        <link rel="icon" href="data:," />
        <style>
          ${raw(STYLE)}
        </style>
      </head>
      <body>
        <header>
          <h1>Routewright</h1>
          <p>
            A Prisma generator that writes typed Hono routers for REST (JSON:API 1.1) and RPC. You commit the code and
            review it in pull requests. This blog with six models is served by the routes in
            <code>fixtures/blog/expected</code>.
          </p>
          <nav>
            <a href="/api/rest/docs">REST reference</a>
            <a href="/api/rpc/docs">RPC reference</a>
            <a href="/api/rest">REST entry point</a>
            <a href="/api/rpc/post/findMany">RPC: all posts</a>
            <a href="/issue-tracker">Issue tracker</a>
          </nav>
        </header>
        <main>
          <h2>From the schema to the routes</h2>
          <div class="columns">
            <figure>
              <figcaption>schema.prisma, one of six models</figcaption>
              <pre>${model}</pre>
            </figure>
            <figure>
              <figcaption>tag/rest.ts, generated and committed</figcaption>
              <pre>${routes}</pre>
            </figure>
          </div>
          <h2>Examples</h2>
          <p>The responses come from a copy of the blog. “Run” sends the request to this server.</p>
          ${examples.map((example, index) => exampleSection(example, responses[index]))}
        </main>
        <script>
          ${raw(RUN_SCRIPT)}
        </script>
      </body>
    </html>`
}

function exampleSection({ title, method, url, body, curl }: Example, response: RecordedResponse | undefined) {
  return html`<section data-method="${method}" data-url="${url}" data-body="${body ?? ''}">
    <h3>${title}</h3>
    <pre class="command">${curl}</pre>
    <button type="button">Run</button>
    <span class="status">${response?.status ?? ''}</span>
    <pre class="response">${response?.text ?? ''}</pre>
  </section>`
}

/** Renders the page that is shown until the issue tracker has started. It reloads itself. */
export function waitingPage(): ReturnType<typeof html> {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="refresh" content="2" />
        <meta name="color-scheme" content="light dark" />
        <title>Issue tracker</title>
        <style>
          ${raw(STYLE)}
        </style>
      </head>
      <body>
        <main>
          <h1>The issue tracker is starting</h1>
          <p>Its pages are being built. This page reloads until they are ready.</p>
        </main>
      </body>
    </html>`
}
