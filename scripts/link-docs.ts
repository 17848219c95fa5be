/**
 * Makes the links to docs pages in the declarations of built packages absolute (`npm run release`). Sources link to files of the
 * repository, for example `docs/hooks.md#reference`, because only the publishing workflow knows the address of the site. Elsewhere the links
 * are left as they are.
 *
 *     tsx scripts/link-docs.ts runtime/dist client/dist
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Replaces links to files in `docs/` by links to the pages of a site.
 * @param site the address of the site, without a slash at its end
 */
export function linkDocs(text: string, site: string): string {
  return text.replaceAll(
    /\]\(docs\/([\w-]+)\.md(#[^)\s]+)?\)/g,
    (_, page, anchor = '') => `](${site}/${page}${anchor})`,
  )
}

/** Returns the address of the site that `.github/workflows/docs.yml` publishes for a repository: `owner/name`. */
export function siteOf(repository: string): string {
  const [owner = '', name = ''] = repository.split('/')
  return `https://${owner.toLowerCase()}.github.io/${name}`
}

const [, script = '', ...folders] = process.argv
const repository = process.env['GITHUB_REPOSITORY']
if (import.meta.url === pathToFileURL(script).href && repository) {
  for (const folder of folders) {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.d.ts')) continue
      const file = path.join(folder, name)
      writeFileSync(file, linkDocs(readFileSync(file, 'utf8'), siteOf(repository)))
    }
  }
}
