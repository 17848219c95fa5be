import { readFileSync } from 'node:fs'

import { defineConfig } from 'vitepress'

import { frameIndentedCode } from './frame-indented-code.js'
import { linkToRepository } from './link-to-repository.js'
import { writeLlmsTxt } from './llms-txt.js'
import { SIDEBAR } from './sidebar.js'

const { version } = JSON.parse(readFileSync(new URL('../../runtime/package.json', import.meta.url), 'utf8'))

// The publishing workflow sets both. Elsewhere the site is served at the root, and pages do not have edit links.
const repository = process.env['GITHUB_REPOSITORY'] && `https://github.com/${process.env['GITHUB_REPOSITORY']}`
const base = process.env['DOCS_BASE'] ?? '/'

export default defineConfig({
  title: 'Routewright',
  description: 'Typed Hono routers for REST (JSON:API) and RPC, generated from a Prisma schema.',
  base,
  head: [
    // Without it, browsers request /favicon.ico.
    ['link', { rel: 'icon', href: 'data:,' }],
    // The last column has the longest texts. On phones, wide tables scroll instead of squeezing it.
    ['style', {}, '.vp-doc td:nth-child(n + 3):last-child:not([style]) { min-width: 16rem }'],
  ],
  cleanUrls: true,
  lastUpdated: true,
  // The tutorial links to the app that it builds.
  ignoreDeadLinks: 'localhostLinks',
  rewrites: { 'README.md': 'introduction.md' },
  markdown: {
    config(markdown) {
      linkToRepository(markdown, repository)
      frameIndentedCode(markdown)
    },
  },
  buildEnd: ({ outDir }) => writeLlmsTxt(outDir, base),
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/getting-started' },
      { text: 'Reference', link: '/cli' },
      { text: `v${version}`, items: [{ text: 'Limitations', link: '/limitations' }] },
    ],
    sidebar: SIDEBAR,
    outline: [2, 3],
    search: { provider: 'local' },
    ...(repository && {
      socialLinks: [{ icon: 'github', link: repository }],
      editLink: { pattern: `${repository}/edit/main/docs/:path`, text: 'Edit this page' },
    }),
  },
})
